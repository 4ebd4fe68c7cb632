/**
 * Writes the words that processes to be started understand: the options of the agent, the command line of {@code berth-exec}, and the
 * request for a domain of the host.
 */
@NullMarked
package org.berth.binding.launch;

import org.jspecify.annotations.NullMarked;

/**
 * Writes the words that processes to be started understand: the options of the agent, the command line of
 * {@code berth-exec}, and the request for a domain of the host. It is no part of the API: Berth's own
 * programs use it.
 */
@NullMarked
package org.berth.binding.internal.launch;

import org.jspecify.annotations.NullMarked;

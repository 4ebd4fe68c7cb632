/** {@code berth transport}: what the communication engine would use on this host. */
@NullMarked
package org.berth.cli.transport;

import org.jspecify.annotations.NullMarked;

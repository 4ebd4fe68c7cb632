/** Carries links over sockets of the JDK, by TCP or in the Unix domain. */
@NullMarked
package org.berth.transport.internal.stream;

import org.jspecify.annotations.NullMarked;

/**
 * Carries messages between JVMs: {@code Transport} is the engine of a process, {@code Connection} a way to another one. The package
 * also holds the listening side and the handshakes of client and server.
 */
@NullMarked
package org.berth.transport;

import org.jspecify.annotations.NullMarked;

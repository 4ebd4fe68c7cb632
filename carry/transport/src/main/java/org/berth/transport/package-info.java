/**
 * Carries messages between JVMs by threads that have a place on the hardware.
 *
 * <p>A {@link org.berth.transport.Transport} is the engine of a process: progress threads, pools of buffers, and the providers
 * {@code tcp}, {@code local} (Unix domain sockets) and {@code ucx}. A client always connects over TCP; the two sides then
 * agree on the fastest provider that both have, and the connection moves there.
 *
 * <pre>{@code
 * try (Transport transport = Transport.open(TransportSettings.defaults("client"));
 *         Connection server = transport.connect("127.0.0.1:7000", introduction, receiver, timeoutNanos)) {
 *     MessageBuffer message = server.lease(1024, timeoutNanos);
 *     message.bytes().put(request).flip();
 *     server.send(message); // the answer goes to receiver.received(…)
 * }
 * }</pre>
 */
@NullMarked
package org.berth.transport;

import org.jspecify.annotations.NullMarked;

package org.berth.transport.link;

import java.util.function.Function;
import org.berth.transport.failure.TransportException;

/** A kind of links: {@code tcp}, {@code local}, {@code ucx}. Thread-safe. It is not part of the API. */
public interface Provider extends AutoCloseable {
    /** The name that users write. */
    String name();

    /**
     * Lets peers connect.
     *
     * @param wanted the address; empty for one that the provider chooses
     * @param receivers gives the receiver of each new link
     */
    Endpoint listen(String wanted, Function<Link, LinkReceiver> receivers) throws TransportException;

    /**
     * A new link to a peer that listens. Blocks until it exists.
     *
     * @param address as {@link Endpoint#address} gives it
     * @throws TransportException CLOSED, TIMEOUT
     */
    Link connect(String address, LinkReceiver receiver, long timeoutNanos) throws TransportException;

    @Override
    void close();

    /** An address to which peers connect until it is closed; links outlive it. */
    interface Endpoint extends AutoCloseable {
        String address();

        @Override
        void close();
    }
}

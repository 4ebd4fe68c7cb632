package org.berth.transport;

import java.util.List;
import java.util.function.Consumer;
import org.berth.transport.link.Provider;

/**
 * A port that takes connections until it is closed. Thread-safe.
 *
 * @since 0.1.0
 */
public final class Listener implements AutoCloseable {
    private final String address;
    private final List<Provider.Endpoint> endpoints;
    private final ServerSide side;
    private final Consumer<Listener> whenClosed;

    Listener(String address, List<Provider.Endpoint> endpoints, ServerSide side, Consumer<Listener> whenClosed) {
        this.address = address;
        this.endpoints = List.copyOf(endpoints);
        this.side = side;
        this.whenClosed = whenClosed;
    }

    /** The address on which it listens, {@code host:port}. */
    public String address() {
        return address;
    }

    /** The port of TCP. */
    public int port() {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** How many links of peers are open. */
    public int connections() {
        return side.connections();
    }

    /** Takes no more connections and closes those that it took. */
    @Override
    public void close() {
        whenClosed.accept(this);
        endpoints.forEach(Provider.Endpoint::close);
        side.closeAll();
    }
}

package org.berth.transport;

import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.berth.transport.failure.TransportException;
import org.berth.transport.internal.threads.ThreadPlaces;
import org.berth.transport.link.Counters;
import org.berth.transport.link.EngineParts;
import org.berth.transport.link.FrameKind;
import org.berth.transport.link.Handshake;
import org.berth.transport.link.Link;
import org.berth.transport.link.MessageBuffer;
import org.berth.transport.link.MessageBuffers;
import org.berth.transport.link.Provider;
import org.berth.transport.link.Shares;
import org.berth.transport.settings.Parameter;
import org.berth.transport.settings.TransportSettings;

/**
 * The communication engine of a process: its progress threads, buffers and providers. Thread-safe.
 *
 * <p>A client connects over TCP; the two sides then agree on the best provider that both have, such as a Unix domain
 * socket on the same host. Where that does not work, the connection stays on TCP and one log line gives the reason.
 *
 * @since 0.1.0
 */
public final class Transport implements AutoCloseable {
    /** What one peer that takes nothing may hold of the buffers that all share. */
    private static final int WINDOWS = 8;

    /** What a better provider than TCP gets at least to connect; half of the caller's time otherwise. */
    private static final long ATTACH_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** A peer can bring about a new line with each connection. */
    private static final int MOST_LINES = 100;

    private static final Logger LOG = System.getLogger(Transport.class.getName());

    private final TransportSettings settings;
    private final EngineParts parts;
    private final Providers providers;
    private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();
    private final Set<String> told = ConcurrentHashMap.newKeySet();
    private final UUID host = Handshake.thisHost();

    private Transport(TransportSettings settings) throws TransportException {
        this.settings = settings;
        this.parts = new EngineParts(
                new MessageBuffers("receive", settings.bytes(Parameter.RECEIVE_POOL)),
                new MessageBuffers("send", settings.bytes(Parameter.SEND_POOL)),
                new EngineParts.Limits(
                        settings.largestMessageBytes(),
                        settings.bytes(Parameter.SEND_POOL) / WINDOWS,
                        settings.time(Parameter.STALL_TIMEOUT).toNanos(),
                        settings.time(Parameter.PING_INTERVAL).toNanos()),
                new Counters(),
                new Shares(),
                EngineParts.Strangers.create());
        this.providers = new Providers(settings, parts, ThreadPlaces.of(settings));
    }

    /**
     * Starts an engine.
     *
     * @throws TransportException UNAVAILABLE when the process has no file descriptor left
     */
    public static Transport open(TransportSettings settings) throws TransportException {
        return new Transport(settings);
    }

    /** The settings in force. */
    public TransportSettings settings() {
        return settings;
    }

    /**
     * Takes connections.
     *
     * @param address {@code host:port} of TCP; port 0 for one that is free
     * @throws TransportException UNAVAILABLE when the address cannot be used
     */
    public Listener listen(String address, Acceptor acceptor) throws TransportException {
        Map<String, Provider.Endpoint> offers = new LinkedHashMap<>();
        ServerSide side = new ServerSide(parts, acceptor, host, offers);
        List<Provider.Endpoint> endpoints = new ArrayList<>();
        for (Provider provider : providers.others().values()) {
            try {
                Provider.Endpoint endpoint = provider.listen("", side::attached);
                endpoints.add(endpoint);
                offers.put(provider.name(), endpoint);
            } catch (TransportException e) {
                tellOnce(e.getMessage() + "; peers connect over TCP");
            }
        }
        try {
            Provider.Endpoint main = providers.tcp().listen(address, side::greeted);
            endpoints.add(main);
            Listener listener = new Listener(main.address(), endpoints, side, listeners::remove);
            listeners.add(listener);
            return listener;
        } catch (TransportException e) {
            endpoints.forEach(Provider.Endpoint::close);
            throw e;
        }
    }

    /**
     * Connects to a {@link #listen listening} engine. Blocks until the connection stands.
     *
     * @param address {@code host:port}
     * @param introduction what the server's {@link Acceptor} gets, 8 KiB at most
     * @param receiver of the connection's messages; it may be called before this method returns
     * @throws TransportException REFUSED with the server's reason, CLOSED, TIMEOUT
     */
    public Connection connect(String address, ByteBuffer introduction, Receiver receiver, long timeoutNanos)
            throws TransportException {
        if (introduction.remaining() > Handshake.LONGEST_INTRODUCTION) {
            throw new IllegalArgumentException("an introduction of " + introduction.remaining() + " bytes; "
                    + Handshake.LONGEST_INTRODUCTION + " are possible");
        }
        long deadline = System.nanoTime() + timeoutNanos;
        ClientHandshake handshake = new ClientHandshake();
        Link link = providers.tcp().connect(address, handshake, timeoutNanos);
        Connection connection = new Connection(parts, link);
        Session session = new Session(connection, receiver);
        handshake.begin(session);
        MessageBuffer hello =
                connection.lease(Handshake.LONGEST_INTRODUCTION + 1024, Math.max(0, deadline - System.nanoTime()));
        new Handshake.Hello(host, List.copyOf(providers.others().keySet()), introduction).write(hello.bytes());
        handshake.exchange(link, FrameKind.HELLO, hello, FrameKind.WELCOME, deadline - System.nanoTime());
        move(session, link, handshake.welcome(), Math.max(ATTACH_NANOS, timeoutNanos / 2));
        return connection;
    }

    /** To the first provider that works; the connection stays where it is if none does. */
    private void move(Session session, Link from, Handshake.Welcome welcome, long timeoutNanos) {
        for (Provider provider : providers.others().values()) {
            int offer = welcome.providers().indexOf(provider.name());
            if (offer >= 0
                    && attach(session, from, provider, welcome.addresses().get(offer), welcome.token(), timeoutNanos)) {
                return;
            }
        }
    }

    private boolean attach(
            Session session, Link from, Provider provider, String address, UUID token, long timeoutNanos) {
        ClientHandshake handshake = new ClientHandshake();
        try {
            Link link = provider.connect(address, handshake, timeoutNanos);
            handshake.begin(session);
            MessageBuffer message = parts.sendBuffers().lease(1024, timeoutNanos);
            new Handshake.Attach(token).write(message.bytes());
            handshake.exchange(link, FrameKind.ATTACH, message, FrameKind.ATTACHED, timeoutNanos);
            session.connection().moveTo(link, link.needsControl());
            if (!link.needsControl()) {
                from.close(null);
            }
            return true;
        } catch (TransportException e) {
            tellOnce(e.getMessage() + "; the connection to " + from.peer() + " stays on TCP");
            return false;
        }
    }

    private void tellOnce(String line) {
        if (told.size() < MOST_LINES && told.add(line)) {
            LOG.log(Logger.Level.WARNING, "berth: " + line);
        }
    }

    /** What was done so far. */
    public TransportStatistics statistics() {
        Counters counters = parts.counters();
        return new TransportStatistics(
                counters.messagesSent.sum(),
                counters.bytesSent.sum(),
                counters.messagesReceived.sum(),
                counters.bytesReceived.sum(),
                parts.receiveBuffers().leased() + parts.sendBuffers().leased(),
                counters.pauses.sum(),
                counters.failures.sum(),
                parts.strangers().refusals().count());
    }

    /** Closes all listeners and connections, and ends the threads. Receivers hear of it first. */
    @Override
    public void close() {
        List.copyOf(listeners).forEach(Listener::close);
        providers.close();
    }
}

package org.berth.transport.internal.ucx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.berth.binding.internal.jvm.FailureText;
import org.berth.transport.failure.TransportException;
import org.berth.transport.internal.threads.ProgressThread;
import org.berth.transport.internal.threads.Spinners;
import org.berth.transport.link.EngineParts;
import org.berth.transport.link.Handshake;
import org.berth.transport.link.Link;
import org.berth.transport.link.LinkReceiver;
import org.berth.transport.link.Provider;
import org.berth.transport.progress.ProgressLoop;
import org.berth.transport.progress.WaitMode;
import org.berth.transport.settings.Parameter;
import org.berth.transport.settings.TransportSettings;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpParams;

/**
 * Links over UCX: RDMA, shared memory or what else the host's UCX finds. An address is the number of a listener, the host, and
 * the address of a worker, in hexadecimal digits.
 */
public final class UcxProvider implements Provider {
    static final int LONGEST_ADDRESS = 4096;
    /** A listener's number and a host's, before the address of a worker. */
    private static final int PREFIX_BYTES = 3 * Long.BYTES;

    private final UcpContext context;
    private final List<UcxLoop> loops;
    private final EngineParts parts;
    private final UUID host;
    /** Whether links between processes of one host may go through shared memory. */
    private final boolean sharesMemory;

    private final AtomicInteger next = new AtomicInteger();
    private final SecureRandom random = new SecureRandom();
    private final Map<Long, Function<Link, LinkReceiver>> listeners = new ConcurrentHashMap<>();

    /** A loop and its worker. */
    record UcxLoop(ProgressLoop loop, UcxPoller poller) {}

    UcxProvider(UcpContext context, List<UcxLoop> loops, EngineParts parts, UUID host, boolean sharesMemory) {
        this.context = context;
        this.loops = List.copyOf(loops);
        this.parts = parts;
        this.host = host;
        this.sharesMemory = sharesMemory;
        loops.forEach(on -> on.poller().whenOpened((link, address) -> accept(on, link, address)));
    }

    /**
     * Starts UCX, its threads and their workers.
     *
     * @param threads where those are added that have started
     * @throws TransportException UNAVAILABLE
     */
    public static UcxProvider start(
            TransportSettings settings, EngineParts parts, Runnable place, List<ProgressThread<?>> threads)
            throws TransportException {
        UcpContext context = open(settings.ucx());
        WaitMode mode = Spinners.allowed(settings);
        List<UcxLoop> loops = new ArrayList<>();
        for (int i = 0; i < settings.threads(); i++) {
            ProgressThread<UcxPoller> thread = new ProgressThread<>(
                    settings.name() + "-ucx-" + i,
                    mode,
                    place,
                    () -> new UcxPoller(
                            context, settings.time(Parameter.UCX_WAIT_LIMIT).toNanos()));
            threads.add(thread);
            loops.add(new UcxLoop(thread.loop(), thread.poller()));
        }
        String transports = System.getenv("UCX_TLS");
        if (transports == null) {
            transports = settings.ucx().getOrDefault("TLS", "all");
        }
        return new UcxProvider(
                context, loops, parts, Handshake.thisHost(), UcxTransports.includeSharedMemory(transports));
    }

    /**
     * The host's UCX, with the settings of a user in place of its own defaults.
     *
     * @param settings names without "UCX_"; a variable of the environment wins
     * @throws TransportException UNAVAILABLE
     */
    private static UcpContext open(Map<String, String> settings) throws TransportException {
        try {
            UcpParams parameters = new UcpParams().requestAmFeature().requestWakeupFeature();
            settings.forEach((name, value) -> {
                if (System.getenv("UCX_" + name) == null) {
                    parameters.setConfig(name, value);
                }
            });
            return new UcpContext(parameters);
        } catch (UcxException | LinkageError | IllegalCallerException e) {
            throw new TransportException(
                    TransportException.Kind.UNAVAILABLE, "UCX does not start: " + FailureText.of(e), e);
        }
    }

    @Override
    public String name() {
        return "ucx";
    }

    private UcxLoop choose() {
        return loops.get(Math.floorMod(next.getAndIncrement(), loops.size()));
    }

    @Override
    public Endpoint listen(String wanted, Function<Link, LinkReceiver> receivers) {
        long number = random.nextLong();
        listeners.put(number, receivers);
        return new Endpoint() {
            @Override
            public String address() {
                byte[] worker = choose().poller().address();
                return HexFormat.of().formatHex(content(number, worker));
            }

            @Override
            public void close() {
                listeners.remove(number);
            }
        };
    }

    private byte[] content(long listener, byte[] worker) {
        return ByteBuffer.allocate(PREFIX_BYTES + worker.length)
                .putLong(listener)
                .putLong(host.getMostSignificantBits())
                .putLong(host.getLeastSignificantBits())
                .put(worker)
                .array();
    }

    private boolean mayShareMemory(ByteBuffer content) {
        return sharesMemory && new UUID(content.getLong(Long.BYTES), content.getLong(2 * Long.BYTES)).equals(host);
    }

    /** On the driver of a loop whose worker a peer has found. */
    private void accept(UcxLoop on, long peerLink, byte[] content) {
        try {
            ByteBuffer from = ByteBuffer.wrap(content);
            Function<Link, LinkReceiver> receivers = listeners.get(from.getLong(0));
            if (receivers == null) {
                return;
            }
            boolean sharedMemory = mayShareMemory(from);
            byte[] address = new byte[from.remaining() - PREFIX_BYTES];
            from.get(PREFIX_BYTES, address);
            UcxLink link = new UcxLink("a peer over UCX", on.poller(), on.loop(), parts);
            parts.strangers().links().add(link);
            link.start(receivers.apply(link));
            link.createEndpoint(address, sharedMemory);
            link.isOpen(peerLink);
            byte[] own = ByteBuffer.allocate(Long.BYTES)
                    .order(ByteOrder.nativeOrder())
                    .putLong(link.id())
                    .array();
            link.sendOwn(UcxPoller.OPENED, peerLink, own);
        } catch (TransportException | UcxException | IndexOutOfBoundsException | NegativeArraySizeException e) {
            System.getLogger(UcxProvider.class.getName())
                    .log(System.Logger.Level.WARNING, "berth: cannot open a link over UCX: " + e.getMessage());
        }
    }

    @Override
    public Link connect(String address, LinkReceiver receiver, long timeoutNanos) throws TransportException {
        UcxLoop on = choose();
        ByteBuffer peer = parse(address);
        byte[] worker = new byte[peer.remaining() - PREFIX_BYTES];
        peer.get(PREFIX_BYTES, worker);
        byte[] content = content(peer.getLong(0), on.poller().address());
        UcxLink link = new UcxLink("a peer over UCX", on.poller(), on.loop(), parts);
        link.start(receiver);
        on.loop().execute(() -> {
            try {
                link.createEndpoint(worker, mayShareMemory(peer));
                link.sendOwn(UcxPoller.OPEN, link.id(), content);
            } catch (TransportException e) {
                link.close(e);
            } catch (RuntimeException e) {
                link.close(new TransportException(
                        TransportException.Kind.UNAVAILABLE, "UCX cannot reach the peer: " + e.getMessage(), e));
            }
        });
        boolean answered = on.loop().await(link.opened(), timeoutNanos);
        if (link.isClosed()) {
            throw link.closedFailure();
        }
        if (!answered) {
            TransportException late = new TransportException(
                    TransportException.Kind.TIMEOUT,
                    "the peer did not answer over UCX in " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms");
            link.close(late);
            throw late;
        }
        return link;
    }

    private static ByteBuffer parse(String address) throws TransportException {
        try {
            byte[] bytes = HexFormat.of().parseHex(address);
            if (bytes.length <= PREFIX_BYTES || bytes.length > LONGEST_ADDRESS) {
                throw new IllegalArgumentException(bytes.length + " bytes");
            }
            return ByteBuffer.wrap(bytes);
        } catch (IllegalArgumentException e) {
            throw new TransportException(TransportException.Kind.CORRUPT, "no address of UCX: " + e.getMessage(), e);
        }
    }

    /** After the loops have closed their workers. */
    @Override
    public void close() {
        if (loops.stream().allMatch(on -> on.poller().isDestroyed())) {
            context.close();
        }
    }
}

package org.apache.hadoop.ipc;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import javax.security.sasl.SaslException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.Client.ConnectionId;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.berth.binding.internal.jvm.FailureText;
import org.berth.rpc.link.ClientLink;
import org.berth.rpc.link.Offer;
import org.berth.rpc.link.RpcLog;
import org.berth.rpc.link.RpcSettings;
import org.berth.rpc.link.RpcTransports;
import org.berth.transport.Transport;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The way to one server for one user and protocol: a connection of the transport while there is one, and until when Hadoop's
 * own is used where there is none. All proxies of the same {@link ConnectionId} share it. Thread-safe.
 */
@NullMarked
final class BerthRoute {
    /** A server without the transport may be restarted with it. */
    private static final long REFUSED_NANOS = TimeUnit.MINUTES.toNanos(5);
    /** A connection that failed for another reason may work soon. */
    private static final long FAILED_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** A start of the client's transport after which a token, which is valid for ten seconds, is asked for once more. */
    private static final long SLOW_START_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final ConnectionId id;
    private final Configuration configuration;
    private final ReentrantLock connecting = new ReentrantLock();
    private final AtomicBoolean isSimple = new AtomicBoolean();
    private volatile @Nullable ClientLink link;
    private volatile long stockUntilNanos = System.nanoTime();
    private volatile boolean retired;
    /** Seen by the upkeep only. */
    private int sentBefore;

    private long idleSinceNanos = System.nanoTime();

    BerthRoute(ConnectionId id, Configuration configuration) {
        this.id = id;
        this.configuration = configuration;
    }

    boolean isRetired() {
        return retired;
    }

    /** Whether the connection of the question fell back to simple authentication, as the proxy is to know. */
    void tellFallback(@Nullable AtomicBoolean fallbackToSimpleAuth) {
        if (fallbackToSimpleAuth != null && isSimple.get() && !fallbackToSimpleAuth.get()) {
            fallbackToSimpleAuth.set(true);
        }
    }

    /**
     * The connection; null when a call has to use Hadoop's own.
     *
     * @throws IOException when the server cannot be reached by Hadoop's connection either
     */
    @Nullable
    ClientLink link(BerthStock stock) throws IOException {
        ClientLink known = link;
        if (known != null && known.isOpen()) {
            return known;
        }
        // While another thread connects, Hadoop's connection serves.
        if (System.nanoTime() - stockUntilNanos < 0 || !connecting.tryLock()) {
            return null;
        }
        try {
            known = link;
            if (known != null && known.isOpen()) {
                return known;
            }
            return retired ? null : connect(stock);
        } finally {
            connecting.unlock();
        }
    }

    private @Nullable ClientLink connect(BerthStock stock) throws IOException {
        Offer offer;
        long asked = System.nanoTime();
        try {
            offer = ask(stock);
        } catch (RemoteException e) {
            if (isOfTheServer(e)) {
                throw e;
            }
            boolean isUnknown = RpcErrorCodeProto.ERROR_NO_SUCH_PROTOCOL.equals(e.getErrorCode());
            return stockFor(
                    isUnknown ? REFUSED_NANOS : FAILED_NANOS,
                    isUnknown ? "it does not offer Berth's transport" : FailureText.of(e));
        }
        if (offer.token() == null) {
            return stockFor(REFUSED_NANOS, offer.reason());
        }
        try {
            RpcSettings settings = RpcSettings.of(configuration);
            InetSocketAddress server = id.getAddress();
            Transport transport = RpcTransports.clients(settings, configuration);
            if (System.nanoTime() - asked > SLOW_START_NANOS) {
                offer = ask(stock);
            }
            ClientLink opened = ClientLink.connect(
                    transport,
                    server.getAddress().getHostAddress(),
                    offer,
                    settings.largestResponseBytes(),
                    settings.connectNanos());
            link = opened;
            RpcLog.tell("RPC of " + RPC.getProtocolName(id.getProtocol()) + " to " + server
                    + " goes over the transport (" + opened.provider() + ")");
            return opened;
        } catch (IOException | RuntimeException | LinkageError e) {
            return stockFor(FAILED_NANOS, FailureText.of(e));
        }
    }

    /** What Hadoop's connection would tell the call itself: the user has no access, or the server is too busy. */
    private static boolean isOfTheServer(RemoteException e) {
        return e.getErrorCode() == RpcErrorCodeProto.FATAL_UNAUTHORIZED
                || e.getClassName().equals(RetriableException.class.getName())
                || e.getClassName().equals(StandbyException.class.getName());
    }

    /** Hadoop's connection may be one that the server has closed since; a question can be asked twice. */
    private Offer ask(BerthStock stock) throws IOException {
        try {
            return stock.ask(id, isSimple);
        } catch (RemoteException | ConnectException | InterruptedIOException | SaslException e) {
            throw e;
        } catch (IOException e) {
            return stock.ask(id, isSimple);
        }
    }

    private @Nullable ClientLink stockFor(long nanos, String reason) {
        stockUntilNanos = System.nanoTime() + nanos;
        RpcLog.warnOnce("RPC of " + RPC.getProtocolName(id.getProtocol()) + " to " + id
                + " goes over Hadoop's own connection: " + reason);
        return null;
    }

    /** Closes a connection without calls, as Hadoop does, and tells whether the route is of no use any more. */
    boolean closeIfIdle(long nowNanos) {
        ClientLink known = link;
        if (known != null && known.isOpen()) {
            int sent = known.sent();
            if (sent != sentBefore || !known.isIdle()) {
                sentBefore = sent;
                idleSinceNanos = nowNanos;
            } else if (nowNanos - idleSinceNanos > TimeUnit.MILLISECONDS.toNanos(id.getMaxIdleTime())) {
                known.close();
            }
            return false;
        }
        if (nowNanos - stockUntilNanos < 0 || !connecting.tryLock()) {
            return false;
        }
        try {
            ClientLink again = link;
            retired = again == null || !again.isOpen();
            return retired;
        } finally {
            connecting.unlock();
        }
    }
}

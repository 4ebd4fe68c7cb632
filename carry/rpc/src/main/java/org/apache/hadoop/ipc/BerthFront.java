package org.apache.hadoop.ipc;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.berth.binding.internal.jvm.FailureText;
import org.berth.rpc.link.Grants;
import org.berth.rpc.link.Introduction;
import org.berth.rpc.link.Offer;
import org.berth.rpc.link.RpcCounters;
import org.berth.rpc.link.RpcLog;
import org.berth.rpc.link.RpcSettings;
import org.berth.rpc.link.RpcTransports;
import org.berth.transport.Connection;
import org.berth.transport.Listener;
import org.berth.transport.Transport;
import org.berth.transport.failure.TransportException;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The transport's side of one Hadoop server: it listens, lets in the clients that the server itself has authenticated,
 * and puts their calls into the server's queue. Thread-safe.
 */
@NullMarked
@SuppressWarnings("NullAway") // null is Hadoop's word for: none
final class BerthFront {
    /** Bytes reserved for what precedes a response. */
    private static final int REPLY_SPARE_BYTES = 64;

    private final RPC.Server server;
    private final @Nullable AlignmentContext alignment;
    private final Grants grants = new Grants();
    private final BerthQueue queue;
    private final BerthInline inline;
    private final int largeResponseBytes;
    /** Known once, as settings are read from text and each response asks. */
    private volatile int largestMessageBytes;

    private volatile @Nullable Listener listener;
    private volatile boolean serving;
    private volatile int largestRequestBytes;
    private volatile Set<String> inlineNames = Set.of();

    BerthFront(RPC.Server server, @Nullable AlignmentContext alignment) {
        this.server = server;
        this.alignment = alignment;
        this.queue = new BerthQueue(server);
        this.inline = new BerthInline(server);
        this.largeResponseBytes = server.getConf()
                .getInt(
                        CommonConfigurationKeys.IPC_SERVER_RPC_MAX_RESPONSE_SIZE_KEY,
                        CommonConfigurationKeys.IPC_SERVER_RPC_MAX_RESPONSE_SIZE_DEFAULT);
    }

    /** Listens; if that fails, one line gives the reason, and the server works without the transport. */
    void start() {
        Configuration configuration = server.getConf();
        int ownPort = server.getListenerAddress().getPort();
        try {
            RpcSettings settings = RpcSettings.of(configuration);
            Transport engine = RpcTransports.servers(settings, configuration);
            InetAddress own = server.getListenerAddress().getAddress();
            largestMessageBytes = engine.settings().largestMessageBytes() - REPLY_SPARE_BYTES;
            largestRequestBytes =
                    Math.min(settings.largestRequestBytes(), engine.settings().largestMessageBytes());
            inlineNames = settings.inline();
            serving = true;
            Listener opened = engine.listen(own.getHostAddress() + ":" + settings.listenPort(ownPort), this::accept);
            listener = opened;
            RpcLog.tell("the RPC server on port " + ownPort + " listens with the transport at " + opened.address()
                    + (inlineNames.isEmpty() ? "" : ", inline: " + String.join(", ", inlineNames)));
        } catch (IOException | RuntimeException | LinkageError e) {
            serving = false;
            RpcLog.warnOnce("the RPC server on port " + ownPort + " works without the transport: " + FailureText.of(e));
        }
    }

    /** Ends all connections. */
    void stop() {
        serving = false;
        Listener opened = listener;
        listener = null;
        if (opened != null) {
            opened.close();
        }
    }

    /** Releases what calls hold that no handler will see. */
    void discardCalls() {
        queue.close();
    }

    /** Answers a client that asks for the transport, in its call over the server's own connection. */
    Offer offer(@Nullable String protocol) {
        Offer offer = offer(Server.getCurCall().get(), protocol);
        if (offer.token() == null) {
            RpcCounters.instance().refused();
        }
        return offer;
    }

    private Offer offer(Server.@Nullable Call call, @Nullable String protocol) {
        Listener opened = listener;
        if (opened == null || call == null || call.getHostInetAddress() == null) {
            return Offer.refusal("the server works without the transport");
        }
        Server.Connection connection = connectionOf(call);
        if (connection == null) {
            return Offer.refusal("the connection that asked is closed");
        }
        if (connection.isOnAuxiliaryPort()) {
            return Offer.refusal("the auxiliary port " + connection.getIngressPort()
                    + " has its own protection, which the transport does not provide");
        }
        String protection = connection.getEstablishedQOP();
        if (protection != null && !protection.equals("auth")) {
            return Offer.refusal("the connection is protected (" + protection
                    + ", hadoop.rpc.protection), which the transport does not support");
        }
        try {
            UserGroupInformation user = call.getRemoteUser();
            return new Offer(
                    grants.issue(user, protocol, call.getHostInetAddress()), opened.port(), largestRequestBytes, "");
        } catch (TransportException e) {
            return Offer.refusal(FailureText.of(e));
        }
    }

    /** A call does not tell its connection; the port and the user do: two users are the same by their Subject only. */
    private Server.@Nullable Connection connectionOf(Server.Call call) {
        for (Server.Connection connection : server.getConnections()) {
            if (connection.getRemotePort() == call.getRemotePort()
                    && Objects.equals(connection.user, call.getRemoteUser())) {
                return connection;
            }
        }
        return null;
    }

    private BerthPeer accept(Connection connection, ByteBuffer introduction) throws TransportException {
        if (!serving) {
            throw new TransportException(TransportException.Kind.REFUSED, "the server has stopped");
        }
        Introduction introduced = Introduction.read(introduction);
        Grants.Grant grant;
        try {
            grant = grants.use(introduced.token(), connection.peerAddress().getAddress());
        } catch (TransportException e) {
            RpcCounters.instance().refused();
            throw e;
        }
        if (grant.user() != null) {
            // One user's calls leave buffers for the others'.
            connection.belongsTo(grant.user().getUserName());
        }
        RpcCounters.instance().connectionAccepted();
        return new BerthPeer(this, connection, grant, introduced.largestResponseBytes(), isInline(grant.protocol()));
    }

    /** The user names protocols as in the keys rpc.engine.*, by class; a connection has the protocol's own name. */
    private boolean isInline(@Nullable String protocol) {
        if (protocol == null || inlineNames.isEmpty() || !inline.isPossible()) {
            return false;
        }
        for (var entry :
                server.getProtocolImplMap(RPC.RpcKind.RPC_PROTOCOL_BUFFER).entrySet()) {
            if (entry.getKey().protocol.equals(protocol)
                    && inlineNames.contains(entry.getValue().protocolClass.getName())) {
                return true;
            }
        }
        return inlineNames.contains(protocol);
    }

    /** A call that waits for the server's state has to do so in the queue. */
    boolean canRunInline(BerthCall call) {
        AlignmentContext context = alignment;
        boolean isAligned =
                context == null || !call.isCallCoordinated() || call.getClientStateId() <= context.getLastSeenStateId();
        return isAligned && !call.isAuthorized();
    }

    void runInline(BerthCall call) {
        inline.run(call);
    }

    void enqueue(BerthCall call) throws IOException {
        queue.add(call);
    }

    RPC.Server server() {
        return server;
    }

    @Nullable
    AlignmentContext alignment() {
        return alignment;
    }

    boolean isServing() {
        return serving;
    }

    int largeResponseBytes() {
        return largeResponseBytes;
    }

    int largestMessageBytes() {
        return largestMessageBytes;
    }
}

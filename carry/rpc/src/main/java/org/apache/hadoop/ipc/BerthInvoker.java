package org.apache.hadoop.ipc;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.SocketFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.retry.RetryPolicy;
import org.apache.hadoop.ipc.Client.ConnectionId;
import org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.RequestHeaderProto;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.berth.rpc.link.ClientLink;
import org.berth.rpc.link.Delimited;
import org.berth.rpc.link.RpcCounters;
import org.berth.transport.link.MessageBuffer;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** What a proxy of a protobuf protocol does: its calls go over the transport, or as Hadoop's own. Thread-safe. */
@NullMarked
public final class BerthInvoker extends ProtobufRpcEngine2.Invoker {
    private final Configuration configuration;
    private final @Nullable AtomicBoolean fallbackToSimpleAuth;
    private final @Nullable AlignmentContext alignment;
    private final @Nullable BerthStock stock;
    private final Map<String, Shape> shapes = new ConcurrentHashMap<>();
    private volatile @Nullable BerthRoute route;

    /** What is the same for each call of a method. */
    private record Shape(RequestHeaderProto header, Message response) {}

    /** The same parameters as Hadoop's. */
    @SuppressWarnings("NullAway") // null is Hadoop's word for: none
    public BerthInvoker(
            Class<?> protocol,
            InetSocketAddress address,
            UserGroupInformation user,
            Configuration configuration,
            SocketFactory factory,
            int rpcTimeout,
            @Nullable RetryPolicy connectionRetryPolicy,
            @Nullable AtomicBoolean fallbackToSimpleAuth,
            @Nullable AlignmentContext alignment)
            throws IOException {
        super(
                protocol,
                address,
                user,
                configuration,
                factory,
                rpcTimeout,
                connectionRetryPolicy,
                fallbackToSimpleAuth,
                alignment);
        this.configuration = configuration;
        this.fallbackToSimpleAuth = fallbackToSimpleAuth;
        this.alignment = alignment;
        this.stock = BerthStock.of(this);
    }

    /** The same parameters as Hadoop's. */
    @SuppressWarnings("NullAway") // null is Hadoop's word for: none
    public BerthInvoker(
            Class<?> protocol,
            ConnectionId id,
            Configuration configuration,
            SocketFactory factory,
            @Nullable AlignmentContext alignment) {
        super(protocol, id, configuration, factory, alignment);
        this.configuration = configuration;
        this.fallbackToSimpleAuth = null;
        this.alignment = alignment;
        this.stock = BerthStock.of(this);
    }

    @Override
    public @Nullable Message invoke(Object proxy, Method method, Object[] arguments) throws ServiceException {
        BerthStock own = stock;
        if (own == null
                || arguments.length != 2
                || !(arguments[1] instanceof Message request)
                || Client.isAsynchronousMode()) {
            return super.invoke(proxy, method, arguments);
        }
        BerthClientCall call = BerthClientCall.take();
        try {
            call.requireNotInterrupted();
            Message response = invoke(own, call, method, request);
            if (response != null) {
                return response;
            }
        } catch (IOException | RuntimeException | Error e) {
            throw new ServiceException(e);
        }
        call.giveBack();
        RpcCounters.instance().callStock();
        return super.invoke(proxy, method, arguments);
    }

    /** Null when nothing was sent, so that Hadoop's way is open. */
    private @Nullable Message invoke(BerthStock own, BerthClientCall call, Method method, Message request)
            throws IOException {
        BerthRoute way = route();
        ClientLink link = way.link(own);
        if (link == null) {
            return null;
        }
        way.tellFallback(fallbackToSimpleAuth);
        Shape shape = shape(method);
        MessageBuffer reply = call.exchange(
                link,
                getConnectionId(),
                BerthClientCall.request(link, call.header(own.clientId(), alignment), shape.header(), request));
        if (reply == null) {
            return null;
        }
        try {
            BerthClientCall.readHeader(link, getConnectionId(), reply, alignment);
            Message response = Delimited.read(reply.bytes(), shape.response().getParserForType());
            BerthClientCall.requireEnd(reply);
            return response;
        } finally {
            reply.release();
        }
    }

    private BerthRoute route() {
        BerthRoute known = route;
        if (known == null || known.isRetired()) {
            known = BerthRoutes.of(getConnectionId(), configuration);
            route = known;
        }
        return known;
    }

    private Shape shape(Method method) throws IOException {
        Shape known = shapes.get(method.getName());
        if (known == null) {
            known = new Shape(
                    RequestHeaderProto.newBuilder()
                            .setMethodName(method.getName())
                            .setDeclaringClassProtocolName(getProtocolName())
                            .setClientProtocolVersion(getClientProtocolVersion())
                            .build(),
                    prototype(method));
            shapes.put(method.getName(), known);
        }
        return known;
    }

    private static Message prototype(Method method) throws IOException {
        try {
            Method instance = method.getReturnType().getMethod("getDefaultInstance");
            instance.setAccessible(true);
            return (Message) instance.invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new IOException("the result of " + method.getName() + " is not a protobuf message", e);
        }
    }
}

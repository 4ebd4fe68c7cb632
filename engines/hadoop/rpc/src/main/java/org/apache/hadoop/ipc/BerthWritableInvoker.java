package org.apache.hadoop.ipc;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.ObjectWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.ipc.Client.ConnectionId;
import org.berth.binding.Reason;
import org.berth.rpc.link.ClientLink;
import org.berth.rpc.link.RpcCounters;
import org.berth.rpc.link.RpcLog;
import org.berth.transport.MessageBuffer;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** What a proxy of a Writable protocol does: its calls go over the transport, or by Hadoop's own handler. Thread-safe. */
@NullMarked
public final class BerthWritableInvoker implements RpcInvocationHandler {
    private final RpcInvocationHandler hadoop;
    private final Configuration configuration;
    private final @Nullable AtomicBoolean fallbackToSimpleAuth;
    private final @Nullable AlignmentContext alignment;
    private final Client questions;
    private final @Nullable BerthStock stock;
    private final @Nullable Constructor<? extends Writable> invocations;
    private volatile @Nullable BerthRoute route;

    /** @param hadoop the handler that Hadoop's engine has made */
    public BerthWritableInvoker(
            RpcInvocationHandler hadoop,
            Configuration configuration,
            @Nullable AtomicBoolean fallbackToSimpleAuth,
            @Nullable AlignmentContext alignment) {
        this.hadoop = hadoop;
        this.configuration = configuration;
        this.fallbackToSimpleAuth = fallbackToSimpleAuth;
        this.alignment = alignment;
        this.questions = new Client(RpcWritable.Buffer.class, configuration);
        BerthStock own = BerthStock.of(hadoop.getClass(), hadoop);
        this.stock = own == null ? null : own.asking(questions);
        this.invocations = invocations();
    }

    /** What Hadoop's private class of a call is made by. */
    private static @Nullable Constructor<? extends Writable> invocations() {
        try {
            Constructor<? extends Writable> constructor = Class.forName(
                            "org.apache.hadoop.ipc.WritableRpcEngine$Invocation")
                    .asSubclass(Writable.class)
                    .getConstructor(Method.class, Object[].class);
            constructor.setAccessible(true);
            return constructor;
        } catch (ReflectiveOperationException | RuntimeException e) {
            RpcLog.warnOnce("clients work without the transport, as this Hadoop is another one: " + Reason.of(e));
            return null;
        }
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        BerthStock own = stock;
        Constructor<? extends Writable> constructor = invocations;
        if (own == null || constructor == null || Client.isAsynchronousMode()) {
            return hadoop.invoke(proxy, method, arguments);
        }
        BerthClientCall call = BerthClientCall.take();
        call.requireNotInterrupted();
        ObjectWritable response = invoke(own, call, constructor.newInstance(method, arguments));
        if (response != null) {
            return response.get();
        }
        call.giveBack();
        RpcCounters.instance().callStock();
        return hadoop.invoke(proxy, method, arguments);
    }

    /** Null when nothing was sent, so that Hadoop's way is open. */
    private @Nullable ObjectWritable invoke(BerthStock own, BerthClientCall call, Writable invocation)
            throws IOException {
        BerthRoute way = route();
        ClientLink link = way.link(own);
        if (link == null) {
            return null;
        }
        way.tellFallback(fallbackToSimpleAuth);
        MessageBuffer reply = call.exchange(
                link,
                getConnectionId(),
                BerthClientCall.request(
                        link, call.header(RPC.RpcKind.RPC_WRITABLE, own.clientId(), alignment), invocation));
        if (reply == null) {
            return null;
        }
        try {
            BerthClientCall.readHeader(link, getConnectionId(), reply, alignment);
            return BerthStreams.read(reply.bytes(), ObjectWritable.class, configuration);
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

    @Override
    public ConnectionId getConnectionId() {
        return hadoop.getConnectionId();
    }

    @Override
    public void close() throws IOException {
        questions.stop();
        hadoop.close();
    }
}

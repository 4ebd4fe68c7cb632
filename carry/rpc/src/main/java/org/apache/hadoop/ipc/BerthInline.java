package org.apache.hadoop.ipc;

import java.lang.reflect.Field;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Time;
import org.berth.binding.internal.jvm.FailureText;
import org.berth.rpc.link.RpcCounters;
import org.berth.rpc.link.RpcLog;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Runs calls on the thread that received them, with what Hadoop's handlers set around a call. Thread-safe. */
@NullMarked
@SuppressWarnings("NullAway") // null is Hadoop's word for: none
final class BerthInline {
    private final RPC.Server server;
    private final @Nullable ThreadLocal<Server> current;

    BerthInline(RPC.Server server) {
        this.server = server;
        this.current = current();
    }

    boolean isPossible() {
        return current != null;
    }

    /** What Server.get() returns. */
    @SuppressWarnings("unchecked")
    private static @Nullable ThreadLocal<Server> current() {
        try {
            Field field = Server.class.getDeclaredField("SERVER");
            field.setAccessible(true);
            return (ThreadLocal<Server>) field.get(null);
        } catch (ReflectiveOperationException | RuntimeException e) {
            RpcLog.warnOnce(
                    "no calls run inline, because this version of Hadoop is not supported: " + FailureText.of(e));
            return null;
        }
    }

    void run(BerthCall call) {
        ThreadLocal<Server> servers = current;
        if (servers == null) {
            throw new IllegalStateException("inline calls are not possible");
        }
        RpcCounters.instance().callInline();
        long start = Time.monotonicNowNanos();
        boolean isDropped = !call.isOpen();
        servers.set(server);
        Server.getCurCall().set(call);
        CallerContext.setCurrent(call.getCallerContext());
        try {
            UserGroupInformation user = call.getRemoteUser();
            if (user != null) {
                user.doAs(call);
            } else {
                call.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            Server.LOG.info(Thread.currentThread().getName() + " caught an exception", e);
        } finally {
            Server.getCurCall().remove();
            servers.remove();
            CallerContext.setCurrent(null);
            server.updateMetrics(call, start, isDropped);
        }
    }
}

package org.apache.hadoop.ipc;

import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.ipc.ProcessingDetails.Timing;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ProtoUtil;
import org.apache.hadoop.util.StringUtils;
import org.apache.hadoop.util.Time;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** A call that came by the transport, in Hadoop's queue of calls. It does what Server.RpcCall does, which is private. */
@NullMarked
@SuppressWarnings("NullAway") // null is Hadoop's word for: none
final class BerthCall extends Server.Call {
    /** Hadoop 3.5 passes an authorization header on, and counts the time of deferred calls from their start. */
    private static final boolean SINCE_3_5 = hasStartTime();

    private final BerthPeer peer;
    private final BerthRequest request;
    private final boolean isAuthorized;
    private volatile @Nullable Writable value;
    private volatile @Nullable BerthFailure failure;

    private BerthCall(BerthPeer peer, RpcRequestHeaderProto header, BerthRequest request) {
        super(
                header.getCallId(),
                header.getRetryCount(),
                ProtoUtil.convert(header.getRpcKind()),
                header.getClientId().toByteArray(),
                null,
                context(header));
        this.peer = peer;
        this.request = request;
        this.isAuthorized = false;
    }

    private BerthCall(BerthPeer peer, RpcRequestHeaderProto header, BerthRequest request, byte[] authorization) {
        super(
                header.getCallId(),
                header.getRetryCount(),
                ProtoUtil.convert(header.getRpcKind()),
                header.getClientId().toByteArray(),
                null,
                context(header),
                authorization);
        this.peer = peer;
        this.request = request;
        this.isAuthorized = true;
    }

    /** Without a span: Hadoop's tracer does nothing since HTrace has gone. */
    static BerthCall of(BerthPeer peer, RpcRequestHeaderProto header, BerthRequest request) {
        return SINCE_3_5 && header.hasAuthorizationHeader()
                ? new BerthCall(
                        peer, header, request, header.getAuthorizationHeader().toByteArray())
                : new BerthCall(peer, header, request);
    }

    private static @Nullable CallerContext context(RpcRequestHeaderProto header) {
        return header.hasCallerContext()
                ? new CallerContext.Builder(header.getCallerContext().getContext())
                        .setSignature(header.getCallerContext().getSignature().toByteArray())
                        .build()
                : null;
    }

    private static boolean hasStartTime() {
        try {
            Server.Call.class.getMethod("setStartHandleTimestampNanos", long.class);
            return true;
        } catch (NoSuchMethodException olderHadoop) {
            return false;
        }
    }

    @Override
    public Void run() throws Exception {
        if (!isOpen()) {
            Server.LOG.info(Thread.currentThread().getName() + ": skipped " + this);
            discard();
            return null;
        }
        long start = Time.monotonicNowNanos();
        if (SINCE_3_5) {
            setStartHandleTimestampNanos(start);
        }
        RpcStatusProto status = RpcStatusProto.SUCCESS;
        try {
            value = peer.server().call(rpcKind, peer.protocol(), request, getTimestampNanos());
        } catch (Throwable e) {
            BerthFailure failed = failureOf(e);
            failure = failed;
            status = failed.status();
        } finally {
            discard();
        }
        if (!isResponseDeferred()) {
            ProcessingDetails details = getProcessingDetails();
            long nanos = Time.monotonicNowNanos() - start;
            details.set(Timing.PROCESSING, nanos, TimeUnit.NANOSECONDS);
            nanos -= details.get(Timing.LOCKWAIT, TimeUnit.NANOSECONDS);
            nanos -= details.get(Timing.LOCKSHARED, TimeUnit.NANOSECONDS);
            nanos -= details.get(Timing.LOCKEXCLUSIVE, TimeUnit.NANOSECONDS);
            details.set(Timing.LOCKFREE, nanos, TimeUnit.NANOSECONDS);
            sendResponse();
            details.setReturnStatus(status);
        }
        return null;
    }

    /** Whether it brings a header of authorization, which only Hadoop's handlers pass on. */
    boolean isAuthorized() {
        return isAuthorized;
    }

    /** Gives the request's memory back; a call that is run does so itself. */
    void discard() {
        request.release();
    }

    private BerthFailure failureOf(Throwable thrown) {
        Throwable cause = thrown instanceof UndeclaredThrowableException ? thrown.getCause() : thrown;
        peer.server().logException(Server.LOG, cause, this);
        return BerthFailure.ofApplication(cause);
    }

    @Override
    void doResponse(@Nullable Throwable thrown, @Nullable RpcStatusProto status) throws IOException {
        long start = Time.monotonicNowNanos();
        if (thrown == null) {
            peer.respond(this, value, failure);
        } else {
            peer.respond(
                    this,
                    null,
                    new BerthFailure(
                            status == null ? RpcStatusProto.FATAL : status,
                            RpcErrorCodeProto.ERROR_RPC_SERVER,
                            thrown.getClass().getName(),
                            StringUtils.stringifyException(thrown)));
        }
        getProcessingDetails().set(Timing.RESPONSE, Time.monotonicNowNanos() - start, TimeUnit.NANOSECONDS);
    }

    @Override
    public void setDeferredResponse(Writable response) {
        respondLater(response, null);
    }

    @Override
    public void setDeferredError(@Nullable Throwable thrown) {
        respondLater(
                null,
                failureOf(
                        thrown != null
                                ? thrown
                                : new IOException("User code indicated an error without an exception")));
    }

    /** Application code that has returned expects no error any more. */
    private void respondLater(@Nullable Writable response, @Nullable BerthFailure failed) {
        if (peer.isServing()) {
            try {
                peer.respond(this, response, failed);
            } catch (IOException e) {
                Server.LOG.error("Failed to send deferred response. ThreadName="
                        + Thread.currentThread().getName() + ", CallId=" + callId + ", hostname=" + getHostAddress());
            }
        }
    }

    @Override
    boolean isOpen() {
        return peer.isOpen();
    }

    @Override
    public String getProtocol() {
        return "rpc";
    }

    @Override
    public @Nullable UserGroupInformation getRemoteUser() {
        return peer.user();
    }

    @Override
    public InetAddress getHostInetAddress() {
        return peer.address();
    }

    @Override
    public int getRemotePort() {
        return peer.port();
    }

    @Override
    public String toString() {
        return super.toString() + " " + request + " from " + peer;
    }
}

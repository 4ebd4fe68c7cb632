package org.berth.rpc;

import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtobufRpcEngineCallback2;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.ipc.TestRpcBase.PBServerImpl;
import org.apache.hadoop.ipc.protobuf.TestProtos.EchoRequestProto;
import org.apache.hadoop.ipc.protobuf.TestProtos.EchoResponseProto;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.StringUtils;

/** The service of Hadoop's own tests, whose echo tells too what a server sees of a call. */
final class Echo extends PBServerImpl {
    /** Echoes what the server sees, one fact per line. */
    static final String FACTS = "!facts";
    /** Throws; the name of the exception follows. */
    static final String THROW = "!throw ";
    /** Echoes so many letters; the number follows. */
    static final String LETTERS = "!letters ";
    /** Waits until the test lets it go on. */
    static final String WAIT = "!wait";
    /** Leaves its handler without an answer, which {@link #later} gets. */
    static final String DEFER = "!defer";

    private static final Map<String, Function<String, Exception>> EXCEPTIONS = Map.of(
            "IOException", IOException::new,
            "AccessControlException", AccessControlException::new,
            "StandbyException", StandbyException::new,
            "RetriableException", RetriableException::new,
            "IllegalStateException", IllegalStateException::new,
            "NullPointerException", NullPointerException::new,
            "WithoutMessage", ignored -> new IOException());

    final CountDownLatch waiting = new CountDownLatch(1);
    final CountDownLatch mayGoOn = new CountDownLatch(1);
    final BlockingQueue<Deferred> later = new LinkedBlockingQueue<>();

    /** How a call is answered by another thread, and what the server saw of it. */
    record Deferred(ProtobufRpcEngineCallback2 call, String way) {
        void answer(String text) {
            call.setResponse(EchoResponseProto.newBuilder().setMessage(text).build());
        }
    }

    @Override
    @SuppressWarnings("NullAway") // null is Hadoop's word for: later
    public EchoResponseProto echo(RpcController controller, EchoRequestProto request) throws ServiceException {
        String text = request.getMessage();
        if (text.equals(FACTS)) {
            return answer(facts());
        } else if (text.startsWith(THROW)) {
            Function<String, Exception> exception =
                    Objects.requireNonNull(EXCEPTIONS.get(text.substring(THROW.length())));
            throw new ServiceException(exception.apply("on purpose"));
        } else if (text.startsWith(LETTERS)) {
            return answer("x".repeat(Integer.parseInt(text.substring(LETTERS.length()))));
        } else if (text.equals(DEFER)) {
            String way = Server.getCurCall().get().getClass().getSimpleName();
            later.add(new Deferred(ProtobufRpcEngine2.Server.registerForDeferredResponse2(), way));
            return null;
        } else if (text.equals(WAIT)) {
            waiting.countDown();
            try {
                mayGoOn.await();
            } catch (InterruptedException e) {
                throw new ServiceException(new IOException(e));
            }
        }
        return answer(text);
    }

    private static String facts() throws ServiceException {
        try {
            return String.join(
                    "\n",
                    "way " + Server.getCurCall().get().getClass().getSimpleName(),
                    "thread " + Thread.currentThread().getName(),
                    "user " + UserGroupInformation.getCurrentUser(),
                    "remote " + Server.getRemoteUser(),
                    "ip " + Server.getRemoteIp().getHostAddress(),
                    "port " + Server.getRemotePort(),
                    "call " + Server.getCallId(),
                    "retry " + Server.getCallRetryCount(),
                    "client " + StringUtils.byteToHexString(Server.getClientId()),
                    "protocol " + Server.getProtocol(),
                    "context " + CallerContext.getCurrent(),
                    "server " + (Server.get() != null));
        } catch (IOException e) {
            throw new ServiceException(e);
        }
    }

    private static EchoResponseProto answer(String text) {
        return EchoResponseProto.newBuilder().setMessage(text).build();
    }
}

package org.berth.shuffle;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.rpc.RpcCallContext;
import org.apache.spark.rpc.RpcEndpoint;
import org.apache.spark.rpc.RpcEnv;
import scala.PartialFunction;
import scala.runtime.AbstractPartialFunction;
import scala.runtime.BoxedUnit;

/**
 * The driver's list of where executors listen. Executors register at their start and ask for others later. Spark never gives
 * the number of an executor to another one, so an address is right or nobody listens there. Thread-safe.
 *
 * <p>Messages are arrays of strings, since Spark's RPC does not see classes of {@code spark.jars}.
 */
final class AddressBook implements RpcEndpoint {
    static final String NAME = "berth-shuffle";
    static final String REGISTER = "register";
    static final String FIND = "find";
    static final String UNKNOWN = "";

    private final RpcEnv rpcEnv;
    private final Map<String, String> addresses = new ConcurrentHashMap<>();
    /** Tells executors of this application from other programs that find a port. */
    private final String secret = UUID.randomUUID().toString();

    private AddressBook(RpcEnv rpcEnv) {
        this.rpcEnv = rpcEnv;
    }

    static void open(RpcEnv rpcEnv) {
        rpcEnv.setupEndpoint(NAME, new AddressBook(rpcEnv));
    }

    @Override
    public RpcEnv rpcEnv() {
        return rpcEnv;
    }

    @Override
    public PartialFunction<Object, BoxedUnit> receiveAndReply(RpcCallContext context) {
        return new Answer(context);
    }

    private String answer(String[] message) {
        if (message.length == 3 && message[0].equals(REGISTER)) {
            addresses.put(message[1], message[2]);
            return secret;
        }
        if (message.length == 2 && message[0].equals(FIND)) {
            return addresses.getOrDefault(message[1], UNKNOWN);
        }
        return UNKNOWN;
    }

    private final class Answer extends AbstractPartialFunction<Object, BoxedUnit> {
        private final RpcCallContext context;

        Answer(RpcCallContext context) {
            this.context = context;
        }

        @Override
        public boolean isDefinedAt(Object message) {
            return message instanceof String[];
        }

        @Override
        public BoxedUnit apply(Object message) {
            context.reply(answer((String[]) message));
            return BoxedUnit.UNIT;
        }
    }
}

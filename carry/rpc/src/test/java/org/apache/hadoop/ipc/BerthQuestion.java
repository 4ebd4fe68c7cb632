package org.apache.hadoop.ipc;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Objects;
import org.berth.rpc.link.Offer;

/** Asks a server for the transport as a client does, for tests that use the answer in another way. */
public final class BerthQuestion {
    private BerthQuestion() {}

    /** The answer to the client behind that proxy. */
    public static Offer ask(Object proxy) throws IOException {
        ProtobufRpcEngine2.Invoker invoker = (ProtobufRpcEngine2.Invoker) Proxy.getInvocationHandler(proxy);
        BerthStock stock = Objects.requireNonNull(BerthStock.of(invoker));
        return stock.ask(invoker.getConnectionId(), null);
    }
}

package org.berth.rpc.link;

import org.berth.oracle.Await;

/** The buffers of messages that this process' transports have given out and not got back. */
public final class Leases {
    private Leases() {}

    /** How many they are now. */
    public static long count() {
        return RpcTransports.messages()[4];
    }

    /** Waits until there is none. */
    public static void awaitNone() {
        Await.until("no leased buffer", Leases::count, leased -> leased == 0);
    }
}

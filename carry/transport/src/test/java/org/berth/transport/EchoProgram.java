package org.berth.transport;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Map;

/** A server in a process of its own: prints its address, then sends back what it gets until it is killed. */
public final class EchoProgram {
    private EchoProgram() {}

    public static void main(String[] args) throws Exception {
        Transport server = Transport.open(Echo.settings("server", Map.of("providers", args[0])));
        Listener listener = server.listen(
                (args.length > 1 ? args[1] : "127.0.0.1") + ":0",
                Echo.acceptor(Collections.synchronizedList(new ArrayList<>())));
        System.out.println(listener.address());
        Thread.currentThread().join();
    }
}

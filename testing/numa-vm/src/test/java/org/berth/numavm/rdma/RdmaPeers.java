package org.berth.numavm.rdma;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.berth.numavm.GuestJava;
import org.berth.oracle.Await;
import org.berth.oracle.Child;

/** Processes that talk over RDMA in software. */
final class RdmaPeers {
    private static final String HEAP = "-Xmx160m";

    private RdmaPeers() {}

    /** What a server says first is its address. */
    static ProcessBuilder client(String address, String... settings) {
        return java(TransportPeer.class, words(List.of("client", address), settings));
    }

    static ProcessBuilder client(Child server, String... settings) {
        return client(address(server), settings);
    }

    static ProcessBuilder server(String... settings) {
        return java(TransportPeer.class, words(List.of("server"), settings));
    }

    /** What a server says first. */
    static String address(Child server) {
        return server.readUntil("listens ").substring("listens ".length());
    }

    static String[] words(List<String> first, String... rest) {
        List<String> words = new ArrayList<>(first);
        words.addAll(Arrays.asList(rest));
        return words.toArray(String[]::new);
    }

    /** What was asked last may still be under way. */
    static void noBufferLeft(Child peer) {
        Await.until("all buffers are given back", () -> {
            peer.send("leased");
            return peer.readLine().equals("leased 0");
        });
    }

    /** A JVM with the class path of this one. */
    static ProcessBuilder java(Class<?> main, String... arguments) {
        List<String> command = GuestJava.command();
        command.addAll(GuestJava.LEAN);
        command.addAll(List.of(HEAP, main.getName()));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(Path.of("/tmp").toFile());
        builder.environment().put(SoftRdma.ADDRESS_VARIABLE, SoftRdma.IPV6);
        return builder;
    }
}

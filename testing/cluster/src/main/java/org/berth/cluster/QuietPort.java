package org.berth.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** A port of loopback for a server that starts later, or once more. */
final class QuietPort {
    private static final Path GIVEN_TO_CONNECTIONS = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final int LOWEST = 12_000;
    /** This number is enough to choose from; with fewer, any port must do. */
    private static final int ENOUGH = 4_000;

    private QuietPort() {}

    /**
     * One that is free, and that the kernel does not give to a connection meanwhile (ip(7), ip_local_port_range).
     *
     * @throws IOException when none is found
     */
    static int find() throws IOException {
        int end = firstOfConnections();
        if (end - LOWEST < ENOUGH) {
            return take(0);
        }
        Random random = new Random();
        IOException last = new IOException("no port was tried");
        for (int i = 0; i < 100; i++) {
            try {
                return take(LOWEST + random.nextInt(end - LOWEST));
            } catch (IOException used) {
                last = used;
            }
        }
        throw last;
    }

    private static int firstOfConnections() throws IOException {
        String range = Files.exists(GIVEN_TO_CONNECTIONS) ? Files.readString(GIVEN_TO_CONNECTIONS) : "0";
        return Integer.parseInt(range.strip().split("\\s+", -1)[0]);
    }

    private static int take(int port) throws IOException {
        try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}

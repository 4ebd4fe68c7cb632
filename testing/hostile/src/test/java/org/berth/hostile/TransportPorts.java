package org.berth.hostile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/** The ports at which a process listens with Berth's transport, by the kernel's tables and by what answers. */
final class TransportPorts {
    private TransportPorts() {}

    static Set<Integer> of(long pid) throws IOException {
        Set<String> sockets = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
            for (Path file : files) {
                try {
                    sockets.add(Files.readSymbolicLink(file).toString());
                } catch (IOException closed) {
                    // The next one.
                }
            }
        }
        Set<Integer> ports = new TreeSet<>();
        for (String table : new String[] {"tcp", "tcp6"}) {
            for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/net/" + table))) {
                String[] words = line.strip().split("\\s+", -1);
                if (words.length > 9 && words[3].equals("0A") && sockets.contains("socket:[" + words[9] + "]")) {
                    ports.add(Integer.parseInt(words[1].substring(words[1].lastIndexOf(':') + 1), 16));
                }
            }
        }
        ports.removeIf(port -> !isOurs(port));
        return ports;
    }

    private static boolean isOurs(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            socket.setSoTimeout(1000);
            socket.getOutputStream().write(HostilePeers.hello());
            byte[] answer = socket.getInputStream().readNBytes(2);
            return answer.length == 2 && answer[0] == 'B' && answer[1] == 'E';
        } catch (IOException other) {
            return false;
        }
    }
}

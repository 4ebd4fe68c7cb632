package org.berth.hostile;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;

/** A JVM that answers who attaches to it, but not as a JVM does: SEED. It prints "ready" and stays until it is asked enough. */
final class LyingJvm {
    private static final int WAYS = 7;

    private LyingJvm() {}

    /** The file that tells jcmd that the process listens already. */
    static Path socket(long pid) {
        return Path.of("/tmp/.java_pid" + pid);
    }

    public static void main(String[] arguments) throws Exception {
        Random random = new Random(Long.parseLong(arguments[0]));
        Path socket = socket(ProcessHandle.current().pid());
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
            System.out.println("ready");
            while (true) {
                try (SocketChannel one = server.accept()) {
                    answer(one, random);
                } catch (IOException gone) {
                    // The next one.
                }
            }
        }
    }

    private static void answer(SocketChannel to, Random random) throws IOException, InterruptedException {
        byte[] bytes = new byte[1 << 16];
        random.nextBytes(bytes);
        int way = random.nextInt(WAYS);
        switch (way) {
            case 0 -> {
                write(to, "0\n");
                while (true) {
                    to.write(ByteBuffer.wrap(bytes));
                }
            }
            case 1 -> {
                while (true) {
                    write(to, "0");
                    Thread.sleep(500);
                }
            }
            case 2 -> to.write(ByteBuffer.wrap(bytes, 0, 1 + random.nextInt(5000)));
            case 3 ->
                write(
                        to,
                        "0\n\"\u001b]0;title\u0007\" #1 prio=5 nid=0xffffffffffffffff runnable\n\"\u202e\" nid=0x1 \n"
                                + "-XX:MaxHeapSize=99999999999999999999999 -XX:+\u009b31m\n garbage-first heap total -1K, used ");
            case 4 -> write(to, "-1\n\u001b[2J\r\n");
            case 5 -> Runtime.getRuntime().halt(3);
            default -> {
                // Says nothing.
            }
        }
    }

    private static void write(SocketChannel to, String text) throws IOException {
        to.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }
}

package org.berth.hostile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Peers that announce much and send little, come in thousands, stop reading, send garbage, dribble and come again. A process
 * of its own, with its own open files: FILE SEED. The file has the ports, one a line, and is read again each time.
 */
final class HostilePeers {
    private static final int MAGIC = ('B' << 24) | ('E' << 16) | (1 << 8);
    private static final int DATA = 0;
    private static final int HELLO = 1;

    private static final int DRIBBLE = 4;
    private static final int THREADS = 4;

    private final Random random;
    private final List<Socket> open = new ArrayList<>();

    private HostilePeers(long seed) {
        this.random = new Random(seed);
    }

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < THREADS; i++) {
            HostilePeers peers = new HostilePeers(Long.parseLong(arguments[1]) + i);
            new Thread(() -> peers.attack(Path.of(arguments[0]))).start();
        }
    }

    private void attack(Path file) {
        try {
            while (true) {
                List<String> ports = Files.readAllLines(file);
                if (ports.isEmpty()) {
                    Thread.sleep(100);
                } else {
                    attack(Integer.parseInt(ports.get(random.nextInt(ports.size()))));
                }
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void attack(int port) throws InterruptedException {
        int way = random.nextInt(7);
        int crowd = way != DRIBBLE && random.nextInt(4) == 0 ? 1500 : 1 + random.nextInt(50);
        try {
            for (int i = 0; i < crowd; i++) {
                Socket one = new Socket();
                open.add(one);
                one.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 2000);
                one.setSoTimeout(200);
                speak(one, way);
            }
            Thread.sleep(random.nextInt(1500));
        } catch (IOException refused) {
            // As it may be.
        }
        System.out.println("port " + port + ", way " + way + ", " + open.size() + " connections");
        for (Socket one : open) {
            try {
                one.setSoLinger(random.nextBoolean(), 0);
                one.close();
            } catch (IOException gone) {
                // The next one.
            }
        }
        open.clear();
        Thread.sleep(random.nextInt(200));
    }

    private void speak(Socket socket, int way) throws IOException, InterruptedException {
        switch (way) {
            case 0 -> write(socket, frame(HELLO, 16 * 1024), new byte[1]);
            case 1 -> write(socket, hello(), frame(DATA, 1 << (20 + random.nextInt(7))), new byte[1]);
            case 2 -> {
                byte[] garbage = new byte[1 + random.nextInt(5000)];
                random.nextBytes(garbage);
                write(socket, garbage);
            }
            case 3 -> {
                // Asks, and takes no answer.
                byte[] message =
                        ByteBuffer.allocate(8 + 3000).put(frame(DATA, 3000)).array();
                write(socket, hello());
                for (int i = 0; i < 20; i++) {
                    write(socket, message);
                }
            }
            case DRIBBLE -> {
                for (byte one : hello()) {
                    write(socket, new byte[] {one});
                    Thread.sleep(random.nextInt(3));
                }
            }
            case 5 -> socket.setSoLinger(true, 0);
            default -> {
                // Says nothing.
            }
        }
    }

    static byte[] frame(int kind, int length) {
        return ByteBuffer.allocate(8).putInt(MAGIC | kind).putInt(length).array();
    }

    /** A hello with an introduction that no engine of Berth gave out, but for that of {@link EchoServer}. */
    static byte[] hello() {
        byte[] introduction = {'h', 'e', 'l', 'l', 'o'};
        int length = 16 + 1 + 2 + introduction.length;
        return ByteBuffer.allocate(8 + length)
                .put(frame(HELLO, length))
                .putLong(0)
                .putLong(0)
                .put((byte) 0)
                .putShort((short) introduction.length)
                .put(introduction)
                .array();
    }

    private static void write(Socket socket, byte[]... parts) throws IOException {
        for (byte[] part : parts) {
            socket.getOutputStream().write(part);
        }
    }
}

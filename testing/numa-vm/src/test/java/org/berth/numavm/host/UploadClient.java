package org.berth.numavm.host;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;

/**
 * Runs on the host: a client of the guest's HDFS, whose packets come in through the guest's NIC. It does what the guest
 * tells it through a connection, since only the guest knows when a thread has been looked at.
 */
public final class UploadClient {
    /** The ports of the NameNode, and of a DataNode before and after it is started again. */
    private static final int FORWARDED = 3;

    public static final String HALF = "half";
    public static final String SAME = "same";

    private UploadClient() {}

    /**
     * Serves one guest until it hangs up. The argument is the folder that the guest shares: the ports of this host that are
     * the guest's too are written there, and the one that orders come to.
     */
    public static void main(String[] arguments) throws Exception {
        Path share = Path.of(arguments[0]);
        System.setProperty("HADOOP_USER_NAME", "root");
        try (ServerSocket orders = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Files.writeString(share.resolve("orders"), Integer.toString(orders.getLocalPort()));
            List<Integer> ports = freePorts();
            String lines = ports.stream().map(port -> port + "\n").collect(Collectors.joining());
            Path unfinished = Files.writeString(share.resolve("forward.new"), lines);
            Files.move(unfinished, share.resolve("forward"), StandardCopyOption.ATOMIC_MOVE);
            try (Socket guest = orders.accept()) {
                serve(guest, ports.get(0));
            }
        }
        // Hadoop's client has threads that would keep the JVM.
        System.exit(0);
    }

    private static List<Integer> freePorts() throws IOException {
        List<ServerSocket> free = new ArrayList<>();
        try {
            for (int i = 0; i < FORWARDED; i++) {
                free.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return free.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : free) {
                socket.close();
            }
        }
    }

    private static void serve(Socket guest, int nameNode) throws IOException {
        Configuration settings = new Configuration();
        settings.set("fs.defaultFS", "hdfs://127.0.0.1:" + nameNode);
        settings.set("fs.hdfs.impl", "org.apache.hadoop.hdfs.DistributedFileSystem");
        settings.set("dfs.replication", "1");
        settings.set("dfs.blocksize", "16m");
        // The guest is slow, and stopped as a whole when nothing happens for long.
        settings.set("dfs.client.socket-timeout", "600000");
        settings.set("ipc.client.rpc-timeout.ms", "600000");
        try (BufferedReader in =
                        new BufferedReader(new InputStreamReader(guest.getInputStream(), StandardCharsets.UTF_8));
                PrintStream out = new PrintStream(guest.getOutputStream(), true, StandardCharsets.UTF_8)) {
            for (String order = in.readLine(); order != null; order = in.readLine()) {
                String[] words = order.split(" ", -1);
                System.out.println(order);
                try (FileSystem files = FileSystem.newInstance(settings)) {
                    out.println(upload(files, words[0], Integer.parseInt(words[1]), in, out));
                } catch (IOException | RuntimeException failed) {
                    failed.printStackTrace();
                    Throwable why = failed.getCause() == null ? failed : failed.getCause();
                    out.println("failed: " + why.toString().lines().findFirst().orElse(""));
                }
            }
        }
    }

    /** Half of it stays on its way until the guest has seen enough; then all of it is read back. */
    private static String upload(FileSystem files, String name, int size, BufferedReader in, PrintStream out)
            throws IOException {
        byte[] content = new byte[size];
        new Random(name.hashCode()).nextBytes(content);
        org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(name);
        try (FSDataOutputStream file = files.create(path, true)) {
            file.write(content, 0, size / 2);
            file.hflush();
            out.println(HALF);
            in.readLine();
            file.write(content, size / 2, size - size / 2);
        }
        byte[] back = new byte[size];
        try (FSDataInputStream file = files.open(path)) {
            file.readFully(0, back);
            boolean same =
                    Arrays.equals(content, back) && files.getFileStatus(path).getLen() == size;
            return same ? SAME : "other bytes came back";
        }
    }
}

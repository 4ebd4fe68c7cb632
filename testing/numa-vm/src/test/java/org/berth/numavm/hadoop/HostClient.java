package org.berth.numavm.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.numavm.host.UploadClient;

/** The guest's end of the connection to {@link UploadClient}, which sends files through the NIC as it is told. */
final class HostClient implements AutoCloseable {
    private static final Path SHARE = Path.of("/host");
    /** The address at which QEMU's network reaches the host's loopback. */
    private static final String HOST = "10.0.2.2";

    private final Socket socket;
    private final BufferedReader answers;
    private final PrintStream orders;

    private HostClient(Socket socket) throws IOException {
        this.socket = socket;
        answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        orders = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /** The NIC must be up. */
    static HostClient connect() throws IOException {
        int port = Integer.parseInt(Files.readString(SHARE.resolve("orders")).strip());
        return new HostClient(new Socket(HOST, port));
    }

    /** Ports of the guest that the host's loopback has too. */
    static List<String> forwardedPorts() throws IOException {
        return Files.readAllLines(SHARE.resolve("forward"));
    }

    /** Returns when the DataNode has half of the file, and its threads wait for the rest. */
    void begin(String name, int bytes) throws IOException {
        orders.println(name + " " + bytes);
        assertThat(answers.readLine()).as("the host's client").isEqualTo(UploadClient.HALF);
    }

    /** Returns when the whole file has been read back; fails when anything else came. */
    void finish() {
        try {
            orders.println("on");
            assertThat(answers.readLine()).as("the host's client").isEqualTo(UploadClient.SAME);
        } catch (IOException e) {
            throw new AssertionError("the host's client went away: " + e, e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

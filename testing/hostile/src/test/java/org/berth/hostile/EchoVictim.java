package org.berth.hostile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.transport.Transport;
import org.berth.transport.settings.TransportSettings;

/**
 * A message of 3,000 bytes and its echo. The asking threads come before the server's, as if they were on a machine of their
 * own, so that they do not wait for the CPU on which the server handles its other peers; only root may do that.
 */
final class EchoVictim implements Victim {
    private final Ports ports;
    private final Random random;
    private final Transport transport;
    private final Child server;
    private final int port;
    private final EchoWork.Client client;

    EchoVictim(Path folder, Ports ports, long seed) throws IOException {
        this.ports = ports;
        this.random = new Random(seed);
        Map<String, String> options =
                Map.of("local-directory", Files.createDirectories(folder).toString(), "providers", "tcp");
        transport = Transport.open(TransportSettings.resolve("honest", options::get));
        server = ChildJvm.of(EchoServer.class, folder.toString())
                .with("-Xmx256m")
                .start();
        port = Integer.parseInt(server.readLine());
        client = new EchoWork.Client(transport, port);
        schedule("--fifo", "1");
    }

    private static void schedule(String policy, String priority) {
        Child.Result result = Child.run(
                "chrt",
                "--all-tasks",
                policy,
                "--pid",
                priority,
                Long.toString(ProcessHandle.current().pid()));
        if (result.exitCode() != 0) {
            System.err.println("hostile: the client of the echo waits for its CPU: " + result.err());
        }
    }

    @Override
    public String name() {
        return "a message of 3,000 bytes and its echo";
    }

    @Override
    public void ask() throws Exception {
        byte[] message = new byte[3000];
        random.nextBytes(message);
        if (!Arrays.equals(client.ask(message), message)) {
            throw new IOException("another message came back");
        }
    }

    @Override
    public long pauseMillis() {
        return 5;
    }

    @Override
    public void attack() {
        ports.only(port);
    }

    @Override
    public void close() {
        schedule("--other", "0");
        client.close();
        transport.close();
        server.close();
    }
}

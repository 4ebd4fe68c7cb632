package org.berth.numavm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.berth.cli.Main;
import org.berth.oracle.Child;

/** Programs that know nothing of RDMA, started by {@code berth run --rdma-sockets}. */
final class RdmaSocketChecks {
    private static final String LIBRARY = "/usr/lib/x86_64-linux-gnu/rsocket/librspreload.so";
    /** The part of the berth script that becomes the command; its other part builds. */
    private static final String SCRIPT = """
            launch=/tmp/launch.$$
            : >"$launch"
            BERTH_LAUNCH_FILE=$launch JAVA "$@" </dev/null || exit
            mapfile -d '' -t words <"$launch"
            while [[ ${words[0]} == env ]]; do
              export "${words[1]}"
              words=("${words[@]:2}")
            done
            exec "${words[@]:1}"
            """;

    /** Libraries of another rdma-core than the host's, where they were given. */
    private static final Path OTHER_RELEASE = Path.of("/host/rdma");

    private static final int FILE_BYTES = 4 << 20;

    private RdmaSocketChecks() {}

    /** With the device there. */
    static void run(Checks checks) {
        checks.check("Hadoop's own RPC goes over RDMA by berth run --rdma-sockets", RdmaSocketChecks::stockRpc);
    }

    /** One file through a DataNode and back. */
    static void runHdfs(Checks checks) {
        checks.check("HDFS writes and reads a file over RDMA by berth run --rdma-sockets", RdmaSocketChecks::hdfs);
    }

    private static void stockRpc() throws IOException {
        long before = SoftRdma.sentPackets();
        ProcessBuilder command = overRdma(RdmaTransportChecks.java(RpcPeer.class, "server", "stock"));
        command.environment().put("JAVA_TOOL_OPTIONS", "-Dkept=yes");
        try (Child server = Child.start(command)) {
            String port = server.readUntil("listens ").substring("listens ".length());
            environment(server.pid());
            try (Child client =
                    Child.start(overRdma(RdmaTransportChecks.java(RpcPeer.class, "client", "stock", port)))) {
                RdmaRpcChecks.allRight(client);
            }
        }
        long packets = SoftRdma.sentPackets() - before;
        Checks.holds("only " + packets + " packets over rxe0", packets > RdmaRpcChecks.LEAST_PACKETS);
    }

    /** The command is the process itself, with the library mapped. */
    private static void environment(long pid) throws IOException {
        Path process = Path.of("/proc/" + pid);
        List<String> environment = Arrays.asList(Files.readString(process.resolve("environ"), StandardCharsets.UTF_8)
                .split("\0", -1));
        Checks.holds(environment.toString(), environment.contains("LD_PRELOAD=" + LIBRARY));
        Checks.holds(
                environment.toString(),
                environment.contains("JAVA_TOOL_OPTIONS=-Dkept=yes -Djava.nio.channels.spi.SelectorProvider="
                        + "sun.nio.ch.PollSelectorProvider -Djava.net.preferIPv4Stack=true"));
        String maps = Files.readString(process.resolve("maps"), StandardCharsets.ISO_8859_1);
        Checks.holds("the library is not mapped", maps.contains("librspreload.so"));
    }

    private static void hdfs() throws IOException {
        // Netty lists the network interfaces by a datagram socket, and one of the library's never answers that.
        Path settings = Files.createDirectories(Path.of("/tmp/rsocket"));
        Files.writeString(settings.resolve("preload_config"), "java INET STREAM *\n");
        Path hosts = Files.writeString(Path.of("/tmp/hosts"), SoftRdma.ADDRESS + " localhost guest\n");
        // Hadoop's jars have no web pages; it does not start without their folders.
        Path pages = Path.of("/tmp/pages");
        Files.createDirectories(pages.resolve("webapps/hdfs"));
        Files.createDirectories(pages.resolve("webapps/datanode"));
        ProcessBuilder daemons = RdmaTransportChecks.java(HdfsPeer.class, "daemons");
        List<String> words = daemons.command();
        words.set(words.indexOf("-cp") + 1, pages + ":" + System.getProperty("java.class.path"));
        words.set(words.indexOf(RdmaTransportChecks.HEAP), "-Xmx400m");
        // The DataNode's inner web server listens at localhost, where RDMA has no address.
        words.add(1, "-Djdk.net.hosts.file=" + hosts);
        daemons.environment().put("PATH", bashWithoutLibrary() + ":" + System.getenv("PATH"));
        try (Child cluster = Child.start(overRdma(daemons))) {
            String port = cluster.readUntil("listens ").substring("listens ".length());
            try (Child client = Child.start(
                    overRdma(RdmaTransportChecks.java(HdfsPeer.class, "client", port, Integer.toString(FILE_BYTES))))) {
                long before = SoftRdma.sentPackets();
                client.send("write");
                Checks.same("the file", "written " + FILE_BYTES, client.readLine());
                long written = SoftRdma.sentPackets() - before;
                client.send("read");
                Checks.same("what came back", "same", client.readLine());
                long read = SoftRdma.sentPackets() - before - written;
                System.out.println("guest: " + written + " packets to write and " + read + " to read " + FILE_BYTES);
                // The largest payload of RoCE's packets is 4096 bytes; acknowledgements and calls come on top.
                long least = FILE_BYTES / 4096;
                Checks.holds("only " + written + " packets for a file that is written", written >= least);
                Checks.holds("only " + read + " packets for a file that is read", read >= least);
            }
        }
    }

    /** Hadoop asks bash for df and others, and bash dies (SIGSEGV) with librspreload of rdma-core 44. */
    private static Path bashWithoutLibrary() throws IOException {
        Path folder = Files.createDirectories(Path.of("/tmp/bin"));
        Path bash = folder.resolve("bash");
        Files.writeString(bash, "#!/bin/sh\nunset LD_PRELOAD\nexec /bin/bash \"$@\"\n");
        Files.setPosixFilePermissions(bash, PosixFilePermissions.fromString("rwxr-xr-x"));
        return folder;
    }

    private static ProcessBuilder overRdma(ProcessBuilder command) throws IOException {
        String java =
                String.join(" ", RdmaTransportChecks.java(Main.class).command()).replace("*", "\\*");
        Path script = Files.writeString(Path.of("/tmp/berth"), SCRIPT.replace("JAVA", java));
        if (Files.isDirectory(OTHER_RELEASE)) {
            command.environment().put("LD_LIBRARY_PATH", OTHER_RELEASE.toString());
            command.environment()
                    .put(
                            "BERTH_RSPRELOAD",
                            OTHER_RELEASE.resolve("librspreload.so").toString());
        }
        List<String> words = command.command();
        words.addAll(0, List.of("bash", script.toString(), "run", "--rdma-sockets", "--"));
        return command;
    }
}

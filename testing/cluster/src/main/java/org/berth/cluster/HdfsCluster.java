package org.berth.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * A real NameNode and real DataNodes on loopback, each a process with the class path of this one, in a folder of their own.
 * Each DataNode has two volumes, {@code dataN/a} and {@code dataN/b}. Belongs to one thread.
 */
public final class HdfsCluster implements AutoCloseable {
    private final Path folder;
    private final List<String> jvmOptions;
    /** The daemons by name, in the order of their starts. */
    private final Map<String, Daemon> daemons = new LinkedHashMap<>();

    private final Configuration client;

    private HdfsCluster(
            Path folder, List<String> jvmOptions, List<String> nameNodeOptions, Map<String, String> settings)
            throws IOException {
        this.folder = folder;
        this.jvmOptions = List.copyOf(jvmOptions);
        Path port = folder.resolve("port");
        client = new Configuration(false);
        settings.forEach(client::set);
        start(
                "namenode",
                nameNodeOptions,
                Map.of("fs.defaultFS", "hdfs://127.0.0.1:0", "dfs.namenode.name.dir", "file://" + folder + "/name"),
                FreshNameNode.class,
                port.toString());
        await("the NameNode's port", () -> Files.exists(port));
        client.set("fs.defaultFS", "hdfs://127.0.0.1:" + Files.readString(port));
    }

    /**
     * Returns when all DataNodes take blocks.
     *
     * @param folder empty; the daemons' files and logs go there
     * @param jvmOptions of all daemons
     * @param settings of all daemons and clients, above those that loopback needs
     * @param dataNodeSettings of the DataNodes alone; HOME in a value stands for the folder of the one
     * @throws IllegalStateException when a daemon ends or does not come up
     */
    public static HdfsCluster start(
            Path folder,
            int dataNodes,
            List<String> jvmOptions,
            Map<String, String> settings,
            Map<String, String> dataNodeSettings)
            throws IOException {
        return start(folder, dataNodes, jvmOptions, List.of(), settings, dataNodeSettings);
    }

    /**
     * The same with a NameNode of its own kind.
     *
     * @param nameNodeOptions of the NameNode's JVM, after those of all daemons
     * @throws IllegalStateException when a daemon ends or does not come up
     */
    public static HdfsCluster start(
            Path folder,
            int dataNodes,
            List<String> jvmOptions,
            List<String> nameNodeOptions,
            Map<String, String> settings,
            Map<String, String> dataNodeSettings)
            throws IOException {
        HdfsCluster cluster = new HdfsCluster(folder, jvmOptions, nameNodeOptions, settings);
        try {
            for (int i = 0; i < dataNodes; i++) {
                cluster.startDataNode(i, dataNodeSettings);
            }
            cluster.awaitDataNodes();
            return cluster;
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /**
     * Starts one more DataNode; returns when it takes blocks.
     *
     * @param dataNodeSettings as {@link #start}, for this one
     * @throws IllegalStateException when it does not come up
     */
    public void addDataNode(Map<String, String> dataNodeSettings) throws IOException {
        startDataNode(dataNodes(), dataNodeSettings);
        awaitDataNodes();
    }

    private void awaitDataNodes() throws IOException {
        try (DistributedFileSystem files = connect()) {
            await("space on all DataNodes", () -> withSpace(files) == dataNodes());
        }
    }

    private int dataNodes() {
        return daemons.size() - 1;
    }

    /**
     * Starts a DataNode that has ended once more, on its own volumes; returns when the NameNode has its new address.
     *
     * @param dataNode counted from 0
     * @param dataNodeSettings as {@link #start}, instead of those that it had
     * @throws IllegalStateException when it runs, or does not come up
     */
    public void restartDataNode(int dataNode, Map<String, String> dataNodeSettings) throws IOException {
        if (dataNode(dataNode).isAlive()) {
            throw new IllegalStateException("DataNode " + dataNode + " runs");
        }
        try (DistributedFileSystem files = connect()) {
            List<Integer> before = ports(info(files, dataNode));
            startDataNode(dataNode, dataNodeSettings);
            await("the return of DataNode " + dataNode, () -> hasReturned(files, dataNode, before));
        }
    }

    private boolean hasReturned(DistributedFileSystem files, int dataNode, List<Integer> portsBefore) {
        try {
            DatanodeInfo info = info(files, dataNode);
            return !ports(info).equals(portsBefore) && info.getCapacity() > 0;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One of them may come again by chance, and hardly all. */
    private static List<Integer> ports(DatanodeInfo info) {
        return List.of(info.getXferPort(), info.getInfoPort(), info.getIpcPort());
    }

    private void startDataNode(int index, Map<String, String> more) throws IOException {
        Path home = Files.createDirectories(home(index));
        Map<String, String> settings = new TreeMap<>(Map.of(
                "fs.defaultFS", client.get("fs.defaultFS"),
                "dfs.datanode.data.dir", "file://" + home + "/a,file://" + home + "/b",
                "dfs.datanode.address", "127.0.0.1:0",
                "dfs.datanode.http.address", "127.0.0.1:0",
                "dfs.datanode.ipc.address", "127.0.0.1:0",
                "dfs.heartbeat.interval", "1"));
        more.forEach((key, value) -> settings.put(key, value.replace("HOME", home.toString())));
        start("datanode" + index, List.of(), settings, DataNode.class);
    }

    private void start(
            String name, List<String> ownOptions, Map<String, String> more, Class<?> main, String... arguments)
            throws IOException {
        Path conf = Files.createDirectories(folder.resolve(name + "-conf"));
        // Hadoop's jars have no web pages; it does not start without their folders.
        Files.createDirectories(conf.resolve("webapps/hdfs"));
        Files.createDirectories(conf.resolve("webapps/datanode"));
        Configuration settings = new Configuration(false);
        settings.set("dfs.namenode.http-address", "127.0.0.1:0");
        settings.set("dfs.namenode.safemode.extension", "0");
        settings.set("dfs.namenode.datanode.registration.ip-hostname-check", "false");
        client.forEach(entry -> settings.set(entry.getKey(), entry.getValue()));
        more.forEach(settings::set);
        try (OutputStream out = Files.newOutputStream(conf.resolve("hdfs-site.xml"))) {
            settings.writeXml(out);
        }
        List<String> options = new ArrayList<>(jvmOptions);
        options.addAll(ownOptions);
        List<String> words = new ArrayList<>(List.of(main.getName()));
        words.addAll(List.of(arguments));
        daemons.put(name, Daemon.start(name, log(name), conf, options, words));
    }

    /** A client of its own, with its own connections. */
    public DistributedFileSystem connect() throws IOException {
        Configuration settings = new HdfsConfiguration();
        client.forEach(entry -> settings.set(entry.getKey(), entry.getValue()));
        return (DistributedFileSystem) FileSystem.newInstance(settings);
    }

    /** The folder of a DataNode, counted from 0. */
    public Path home(int dataNode) {
        return folder.resolve("data" + dataNode);
    }

    /** The process of the NameNode. */
    public ProcessHandle nameNode() {
        return process("namenode");
    }

    /** The process of a DataNode, counted from 0. */
    public ProcessHandle dataNode(int dataNode) {
        return process("datanode" + dataNode);
    }

    private ProcessHandle process(String daemon) {
        return Objects.requireNonNull(daemons.get(daemon), () -> "no " + daemon)
                .process()
                .toHandle();
    }

    /** What the NameNode knows of a DataNode, found by the id that it wrote on its volumes. */
    public DatanodeInfo info(DistributedFileSystem files, int dataNode) throws IOException {
        String line = Files.readAllLines(home(dataNode).resolve("a/current/VERSION")).stream()
                .filter(candidate -> candidate.startsWith("datanodeUuid="))
                .findFirst()
                .orElseThrow();
        for (DatanodeInfo info : files.getDataNodeStats()) {
            if (line.endsWith("=" + info.getDatanodeUuid())) {
                return info;
            }
        }
        throw new IllegalStateException("the NameNode does not know DataNode " + dataNode + " (" + line + ")");
    }

    /** What the blocks of all DataNodes take on their volumes, those that are being deleted included. */
    public long blockBytes() throws IOException {
        long bytes = 0;
        for (int i = 0; i < dataNodes(); i++) {
            try (Stream<Path> files = Files.walk(home(i))) {
                bytes += files.filter(file -> String.valueOf(file.getFileName()).startsWith("blk_"))
                        .mapToLong(file -> file.toFile().length())
                        .sum();
            } catch (UncheckedIOException vanished) {
                // A folder that was deleted meanwhile: the rest is seen the next time.
                bytes++;
            }
        }
        return bytes;
    }

    /** What a daemon ("namenode", "datanode0") printed. */
    public Path log(String daemon) {
        return folder.resolve(daemon + ".log");
    }

    /** The last lines of all daemons, for when something went wrong. */
    public String logs() {
        return daemons.values().stream().map(Daemon::tail).collect(Collectors.joining("\n"));
    }

    /** One that is registered has no space, and gets no block, until it has told of its volumes. */
    private static long withSpace(DistributedFileSystem files) {
        try {
            return Stream.of(files.getDataNodeStats())
                    .filter(node -> node.getCapacity() > 0)
                    .count();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void await(String what, BooleanSupplier condition) {
        try {
            Daemon.await(what, daemons.values(), condition);
        } catch (IllegalStateException e) {
            close();
            throw e;
        }
    }

    /** Kills all daemons and waits for their end; the files stay. */
    @Override
    public void close() {
        daemons.values().forEach(Daemon::kill);
    }
}

package org.berth.onejar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.berth.cluster.HdfsCluster;
import org.berth.cluster.YarnCluster;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.JarFiles;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's daemons and jobs with berth-hadoop as the only jar of Berth on the class path, and with more than one. */
@Tag("cluster")
@Tag("one-jdk")
@Timeout(600)
class HadoopJarTest {
    private static final Path ONE = JarFiles.one();
    private static final List<String> JVM = List.of("-Xmx192m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private static int first;

    @TempDir
    Path folder;

    @BeforeAll
    static void needsTwoCpus() throws IOException {
        first = Machine.requireCpus(2)[0];
        assertThat(System.getProperty("java.class.path").split(":", -1))
                .as("the class path of all JVMs here")
                .contains(ONE.toString())
                .noneMatch(element -> element.matches(".*/(berth-(binding|hdfs|yarn|rpc|mapreduce)-)[^/]*\\.jar"))
                .noneMatch(element -> element.matches(".*/(core|engines|transport)/.*/target/classes"));
    }

    @Test
    void nothingIsVisibleButBerthAndItsPartsInPackagesOfHadoop() throws IOException {
        List<String> names = JarFiles.names(ONE);
        assertThat(names)
                .allMatch(name ->
                        name.matches("org/berth/.*|META-INF/berth/.*|META-INF/native/linux-.*|META-INF/MANIFEST.MF"
                                + "|META-INF/services/org\\.(apache\\.hadoop|berth)\\..*"
                                + "|org/apache/hadoop/(fs|hdfs|ipc|mapred)/[^/]*\\.class"))
                .contains("META-INF/berth/licenses/HWLOC-COPYING");
        for (String name : names) {
            if (name.startsWith("org/apache/")) {
                assertThat(Collections.list(HadoopJarTest.class.getClassLoader().getResources(name)))
                        .as("Hadoop has no such class: " + name)
                        .hasSize(1);
            }
        }
        assertThat(Files.readString(extract("META-INF/services/org.berth.mapreduce.client.Engine"))
                        .lines())
                .containsExactly(
                        "org.berth.mapreduce.embedded.EmbeddedEngine", "org.berth.mapreduce.spark.SparkEngine");
    }

    private Path extract(String name) throws IOException {
        Path file = folder.resolve("entry");
        try (java.util.zip.ZipFile zip = new java.util.zip.ZipFile(ONE.toFile())) {
            Files.copy(zip.getInputStream(zip.getEntry(name)), file);
        }
        return file;
    }

    /** Copies of the jar on one class path are one line each in the DataNode and in the client, which is a JVM more. */
    @Test
    void aDataNodeItsNameNodeAndAJobInMemory() throws Exception {
        try (HdfsCluster cluster = HdfsCluster.start(
                Files.createDirectory(folder.resolve("hdfs")),
                1,
                JVM,
                Map.of(
                        "dfs.replication",
                        "1",
                        "rpc.engine.org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB",
                        "org.berth.rpc.FastProtobufRpcEngine"),
                Map.of(
                        "dfs.datanode.plugins",
                        "org.berth.hdfs.HdfsAffinityPlugin",
                        "dfs.datanode.fsdataset.volume.choosing.policy",
                        "org.berth.hdfs.AffinityVolumePolicy",
                        "dfs.datanode.fsdataset.factory",
                        "org.berth.hdfs.AffinityDatasetFactory",
                        "berth.hdfs.disk.cpus",
                        "HOME/a=" + first + ";HOME/b=" + first))) {
            Await.until(
                    "the plugin of the DataNode",
                    () -> text(cluster.log("datanode0")).contains("Berth: policy"));
            String address;
            try (DistributedFileSystem files = cluster.connect()) {
                address = files.getUri().toString();
                aBlockIsBound(cluster, files);
                try (FSDataOutputStream out = files.create(new org.apache.hadoop.fs.Path("/in"))) {
                    out.write("1\n2\n3\n4\n5\n6\n7\n8\n".getBytes(StandardCharsets.US_ASCII));
                }
            }
            aJobInMemory(address);
        }
    }

    private static void aBlockIsBound(HdfsCluster cluster, DistributedFileSystem files) throws Exception {
        long node = cluster.dataNode(0).pid();
        try (FSDataOutputStream out = files.create(new org.apache.hadoop.fs.Path("/open"))) {
            out.write("some bytes".getBytes(StandardCharsets.US_ASCII));
            out.hflush();
            // Idle cores are near the interrupts; a busy one leaves the thread to the kernel.
            Await.until(
                    "the threads of a block",
                    () -> ProcStatus.masks(node, name -> name.startsWith("DataXceiver for"))
                                    .size()
                            == 1);
            assertThat(ProcStatus.masks(cluster.nameNode().pid(), "berth-rpc-serve"::equals))
                    .as("calls over Berth's transport")
                    .isNotEmpty();
            assertThat(text(cluster.log("datanode0"))).doesNotContain("unbound");
        }
    }

    private void aJobInMemory(String address) throws IOException {
        Child.Result result = job(List.of(), address, "/out");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(masks(address, "/out"))
                .as(result.err())
                .allMatch(mask -> mask.matches("\\d+"))
                .isNotEmpty();
        assertThat(aboutCopies(result.err())).isEmpty();

        // The same jar once more, and a newer one: one line, and the maps are bound.
        Path newer = JarFiles.otherVersion(folder.resolve("newer.jar"), "9.9.9", name -> true);
        Path same = Files.copy(ONE, folder.resolve("same.jar"));
        result = job(List.of(newer, same), address, "/out2");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(masks(address, "/out2"))
                .as(result.err())
                .allMatch(mask -> mask.matches("\\d+"))
                .isNotEmpty();
        assertThat(aboutCopies(result.err()))
                .as(result.err())
                .singleElement()
                .asString()
                .contains(
                        "3 copies of Berth are on the class path: 9.9.9 in " + newer.toRealPath() + " is used, ",
                        " in " + same.toRealPath(),
                        " in " + ONE.toRealPath(),
                        " are not; keep one of them");
    }

    private Child.Result job(List<Path> before, String address, String output) {
        List<String> classPath = new ArrayList<>();
        before.forEach(jar -> classPath.add(jar.toString()));
        classPath.add(System.getProperty("java.class.path"));
        return ChildJvm.of(
                        Masks.class,
                        "-D",
                        "fs.defaultFS=" + address,
                        "-D",
                        "mapreduce.framework.name=berth",
                        "-D",
                        "berth.mapreduce.level=pu",
                        "-D",
                        "berth.mapreduce.guard=off",
                        "-D",
                        "hadoop.tmp.dir=" + folder.resolve("tmp"),
                        "/in",
                        output)
                .classPath(String.join(":", classPath))
                .with(JVM.toArray(String[]::new))
                .run();
    }

    private static List<String> masks(String address, String output) throws IOException {
        Configuration conf = new Configuration();
        conf.set("fs.defaultFS", address);
        List<String> masks = new ArrayList<>();
        try (org.apache.hadoop.fs.FileSystem files = org.apache.hadoop.fs.FileSystem.newInstance(conf)) {
            for (var status : files.globStatus(new org.apache.hadoop.fs.Path(output + "/part-*"))) {
                try (var in = files.open(status.getPath())) {
                    new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                            .lines()
                            .forEach(masks::add);
                }
            }
        }
        return masks;
    }

    @Test
    @Tag("release")
    void aContainerOfYarn() throws Exception {
        try (YarnCluster cluster = YarnCluster.start(
                Files.createDirectory(folder.resolve("yarn")),
                JVM,
                Map.of(),
                Map.of(
                        "yarn.nodemanager.container-state-transition-listener.classes",
                        "org.berth.yarn.AffinityListener",
                        "berth.yarn.domain",
                        "cores",
                        "berth.yarn.leases",
                        folder.resolve("leases").toString()))) {
            Path input = Files.writeString(folder.resolve("in"), "1\n2\n");
            Configuration conf = new Configuration(cluster.client());
            String own = System.getProperty("java.class.path");
            conf.set("mapreduce.framework.name", "yarn");
            conf.set("mapreduce.application.classpath", own);
            conf.set("yarn.application.classpath", own);
            conf.set(
                    "yarn.app.mapreduce.am.staging-dir",
                    folder.resolve("staging").toString());
            conf.set("yarn.app.mapreduce.am.resource.mb", "256");
            conf.set("yarn.app.mapreduce.am.command-opts", String.join(" ", JVM));
            // In the container of the ApplicationMaster, which is enough to see where that is.
            conf.set("mapreduce.job.ubertask.enable", "true");
            conf.set("mapreduce.task.io.sort.mb", "8");
            conf.set("mapreduce.job.reduces", "0");
            int code = org.apache.hadoop.util.ToolRunner.run(conf, new Masks(), new String[] {
                input.toUri().toString(), folder.resolve("out").toUri().toString()
            });
            assertThat(code).as(text(cluster.log("nodemanager0"))).isZero();
            assertThat(text(cluster.log("nodemanager0"))).contains("Berth:").doesNotContain("unbound");
            try (Stream<Path> parts = Files.list(folder.resolve("out"))) {
                for (Path part : parts.filter(
                                file -> file.getFileName().toString().startsWith("part-"))
                        .toList()) {
                    assertThat(Files.readString(part).strip()).isNotEqualTo(Machine.cpuList());
                }
            }
        }
    }

    private static List<String> aboutCopies(String log) {
        return log.lines()
                .filter(line -> line.contains("copies of Berth") || line.contains("versions of Berth"))
                .toList();
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file);
    }
}

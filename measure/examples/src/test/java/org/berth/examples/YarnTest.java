package org.berth.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.berth.jobkit.EngineCluster;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The examples on a real YARN with one node, which takes minutes: only when it is asked for. */
@Tag("cluster")
@Tag("one-jdk")
@EnabledIfSystemProperty(named = "berth.examples.yarn", matches = "true")
@Timeout(1200)
class YarnTest {
    private static final String BYTES = "org.apache.hadoop.io.BytesWritable";
    private static final String LIBRARY = "org.apache.hadoop.mapreduce.lib";

    /**
     * Programs with their words; ~ is the engine's folder. Those of one list read what those before them wrote. On a local default file
     * system Hadoop's tasks do not find TeraSort's sample, so its ranges are equal ones.
     */
    private static final List<List<String>> PROGRAMS = List.of(
            List.of("wordcount ~/../text ~/words"),
            List.of(
                    "sort -r 2 -outKey " + BYTES + " -outValue " + BYTES + " ~/../records ~/sorted",
                    "join -r 1 -inFormat " + LIBRARY + ".input.SequenceFileInputFormat -outFormat " + LIBRARY
                            + ".output.TextOutputFormat -outKey " + BYTES
                            + " -joinOp inner ~/sorted ~/sorted ~/joined"),
            List.of(
                    "teragen 4000 ~/rows",
                    "terasort -D mapreduce.terasort.simplepartitioner=true ~/rows ~/ordered",
                    "teravalidate ~/ordered ~/report"),
            List.of("secondarysort ~/../pairs ~/second"),
            List.of("grep ~/../text ~/matches w[0-9]\\b"),
            List.of("pi 4 1000"),
            List.of("aggregatewordcount ~/../text ~/aggregate 2 textinputformat"),
            List.of("multifilewc ~/../text ~/files"),
            List.of("bbp 1 4 2 ~/digits"));

    @TempDir
    private static Path work;

    private static Child host;
    private static String settings;

    @BeforeAll
    static void start() throws IOException {
        Path folder = Files.createDirectory(work.resolve("cluster"));
        host = ChildJvm.of(ClusterHost.class, folder.toString()).start();
        settings = host.readUntil(EngineCluster.READY).substring(EngineCluster.READY.length());
    }

    @AfterAll
    static void nothingIsLeftOfTheCluster() throws IOException {
        try (Child ended = host;
                Stream<Path> left = Files.list(work.resolve("cluster"))) {
            ended.finish();
            assertThat(left).isEmpty();
        }
    }

    private static void input() throws IOException {
        Random random = new Random(12);
        Files.createDirectory(work.resolve("text"));
        Files.createDirectory(work.resolve("pairs"));
        for (int f = 0; f < 2; f++) {
            // Few words are frequent, so that no two of those that grep counts have the same number.
            Files.writeString(
                    work.resolve("text/part" + f),
                    lines(
                            1500,
                            () -> Stream.generate(() -> "w" + (int) (3000 * Math.pow(random.nextDouble(), 4)))
                                    .limit(8)
                                    .collect(Collectors.joining(" "))));
            Files.writeString(
                    work.resolve("pairs/part" + f),
                    lines(400, () -> random.nextInt(20) + " " + (random.nextInt(2000) - 1000)));
        }
        ExampleInput.records(Files.createDirectory(work.resolve("records")), 1);
    }

    private static String lines(int number, Supplier<String> line) {
        return Stream.generate(line).limit(number).collect(Collectors.joining("\n", "", "\n"));
    }

    private static Configuration onYarn() {
        String jvm = "-Xmx160m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
        Configuration conf = new Configuration(false);
        conf.addResource(new org.apache.hadoop.fs.Path(Path.of(settings).toUri()));
        conf.set("yarn.app.mapreduce.am.resource.mb", "256");
        conf.set("yarn.app.mapreduce.am.command-opts", jvm);
        conf.set("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "100");
        conf.set("mapreduce.map.memory.mb", "256");
        conf.set("mapreduce.map.java.opts", jvm);
        conf.set("mapreduce.reduce.memory.mb", "256");
        conf.set("mapreduce.reduce.java.opts", jvm);
        conf.set("mapreduce.task.io.sort.mb", "16");
        return conf;
    }

    private static List<ProgramRun> run(String framework, String jobs, List<String> programs) {
        return programs.stream()
                .map(program -> ProgramRun.of(jobs, work.resolve(framework), program))
                .toList();
    }

    /** Each program on both engines: the same files byte for byte, the same counters and the same printed results. */
    @Test
    void outputOfHadoopsExamplesIsEqual() throws Exception {
        input();
        ProgramRun.configure("yarn", work.resolve("yarn"), onYarn());
        ProgramRun.configure("berth", work.resolve("berth"), new Configuration(false));
        // YARN lets a job wait for its heart-beats: two at a time leave no CPU idle.
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Future<List<ProgramRun>>> expected = new ArrayList<>();
            PROGRAMS.forEach(list -> expected.add(threads.submit(() -> run("yarn", "job_1", list))));
            for (int i = 0; i < PROGRAMS.size(); i++) {
                List<ProgramRun> runs = run("berth", "job_berth", PROGRAMS.get(i));
                for (int j = 0; j < runs.size(); j++) {
                    ProgramRun onYarn = expected.get(i).get().get(j);
                    String program = PROGRAMS.get(i).get(j);
                    assertThat(runs.get(j).comparable()).as(program).isEqualTo(onYarn.comparable());
                    assertThat(runs.get(j).result()).as(program).isEqualTo(onYarn.result());
                }
            }
        } finally {
            threads.shutdownNow();
        }
        Map<String, String> files = ProgramRun.files(work.resolve("yarn"));
        assertThat(files.keySet()).hasSizeGreaterThan(20);
        assertThat(ProgramRun.files(work.resolve("berth"))).isEqualTo(files);
        assertThat(files.get("report/part-r-00000")).contains("checksum").doesNotContain("error");
    }
}

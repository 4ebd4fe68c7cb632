package org.berth.hadooptests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.berth.oracle.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Test classes of Hadoop MapReduce, as they are on Maven Central, on Berth's engine. {@code classes.tsv} lists them with
 * {@code passes}, {@code no job} for those that pass without a job of the engine, or the reason why one cannot pass. A release runs a selection;
 * {@code -Dberth.hadoop.tests=all} (or names of classes, with commas) runs each class of the list in a JVM of its own on Hadoop's local
 * runner and on Berth.
 */
@Tag("cluster")
@Tag("release")
@Tag("one-jdk")
class HadoopTest {
    private static final String PASSES = "passes";
    private static final String NO_JOB = "no job";
    private static final String ASKED = "berth.hadoop.tests";

    /** Failures of tasks, threads of a map, progress, committers and chains; each takes one or two CPU seconds. */
    private static final List<String> SELECTION = List.of(
            "org.apache.hadoop.mapreduce.TestMapReduce",
            "org.apache.hadoop.mapred.TestCollect",
            "org.apache.hadoop.mapred.TestReporter",
            "org.apache.hadoop.mapred.TestTaskCommit",
            "org.apache.hadoop.mapreduce.lib.chain.TestChainErrors");

    @TempDir
    Path work;

    private static Map<String, String> list() throws IOException {
        Map<String, String> result = new LinkedHashMap<>();
        InputStream resource = Objects.requireNonNull(HadoopTest.class.getResourceAsStream("classes.tsv"));
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8))) {
            lines.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
                String[] columns = line.split("\t", 2);
                result.put(columns[0], columns[1]);
            });
        }
        return result;
    }

    private Map<String, ClassResult> run(String engine, List<String> classes) throws Exception {
        Path folder = Files.createDirectories(work.resolve(engine));
        Path sites = Files.createDirectories(folder.resolve("sites"));
        // Tests write blocks of a few hundred bytes to their HDFS.
        site(sites, "hdfs-site.xml", "dfs.namenode.fs-limits.min-block-size", "0");
        site(sites, "mapred-site.xml", "mapreduce.framework.name", engine);
        Path out = folder.resolve("out");
        ProcessBuilder builder = ChildJvm.of(ClassRunner.class, classes.toArray(String[]::new))
                .classPath(String.join(
                        File.pathSeparator,
                        sites.toString(),
                        // The AssertJ of Hadoop's tests, before ours.
                        Path.of("target", "hadoop-lib").toAbsolutePath() + "/*",
                        System.getProperty("java.class.path")))
                .with("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx1g")
                .with("-D" + LocalIsBerth.ENGINE + "=" + engine)
                .with("-Dtest.build.data=" + folder.resolve("data"), "-Dhadoop.tmp.dir=" + folder.resolve("tmp"))
                .builder()
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.start().waitFor();
        Map<String, ClassResult> results = new LinkedHashMap<>();
        String text = Files.readString(out, StandardCharsets.ISO_8859_1);
        text.lines()
                .flatMap(line -> ClassResult.parse(line).stream())
                .forEach(result -> results.put(result.name(), result));
        if (!results.values().stream().allMatch(ClassResult::passed) || results.size() < classes.size()) {
            System.err.println(text);
        }
        return results;
    }

    private static void site(Path folder, String file, String name, String value) throws IOException {
        Files.writeString(
                folder.resolve(file),
                "<configuration><property><name>" + name + "</name><value>" + value
                        + "</value></property></configuration>");
    }

    @Test
    void selectionPassesOnThisEngine() throws Exception {
        assertThat(list()).containsKeys(SELECTION.toArray(String[]::new));
        Map<String, ClassResult> results = run("berth", SELECTION);
        assertThat(results).hasSize(SELECTION.size());
        assertThat(results.values()).allSatisfy(result -> {
            assertThat(result.passed()).as(result.line()).isTrue();
            assertThat(result.clients()).as(result.line()).isPositive();
        });
    }

    @Test
    @EnabledIfSystemProperty(named = ASKED, matches = ".+")
    void eachClassOfTheListDoesWhatTheListSays() throws Exception {
        List<String> faults = new ArrayList<>();
        List<String> report = new ArrayList<>();
        Map<String, String> list = list();
        String asked = System.getProperty(ASKED, "");
        if (!asked.equals("all")) {
            assertThat(list).containsKeys(asked.split(","));
            list.keySet().retainAll(List.of(asked.split(",")));
        }
        for (Map.Entry<String, String> entry : list.entrySet()) {
            String name = entry.getKey();
            ClassResult local = one("local", name);
            ClassResult ours = one("berth", name);
            report.add(name + "\tlocal " + local.succeeded() + "/" + local.failed() + "\tberth " + ours.succeeded()
                    + "/" + ours.failed() + "\tclients " + ours.clients());
            boolean reaches = entry.getValue().equals(PASSES);
            boolean expected = reaches || entry.getValue().equals(NO_JOB);
            if (ours.passed() != expected) {
                faults.add(name + ": the list says '" + entry.getValue() + "', and it "
                        + (ours.passed() ? "passes" : "fails"));
            }
            if (reaches && ours.clients() == 0) {
                faults.add(name + ": submits no job");
            }
            Files.write(Path.of("target", "hadoop-tests.tsv"), report);
        }
        assertThat(faults).isEmpty();
    }

    private ClassResult one(String engine, String name) throws Exception {
        ClassResult result = run(engine, List.of(name)).getOrDefault(name, new ClassResult(name, 0, 1, 0));
        try (Stream<Path> files = Files.walk(work.resolve(engine))) {
            files.sorted(java.util.Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
        return result;
    }
}

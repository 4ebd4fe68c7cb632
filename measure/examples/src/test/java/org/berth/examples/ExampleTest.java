package org.berth.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.berth.jobkit.EngineCluster;
import org.berth.jobkit.JobEntry;
import org.berth.jobkit.JobList;
import org.berth.oracle.Child;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Each run in a JVM of its own: equal results on each engine, nothing left but the input. */
@Tag("cluster")
@Tag("one-jdk")
class ExampleTest {
    @TempDir
    Path data;

    @TempDir
    Path inputs;

    private static String[] java(String... words) {
        return Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-cp",
                                System.getProperty("java.class.path")),
                        Stream.of(words))
                .toArray(String[]::new);
    }

    private String run(JobEntry job, String engine, String... more) throws Exception {
        List<String> words = new ArrayList<>(job.program());
        words.addAll(List.of("--data", data.toString(), "--engine", engine));
        words.addAll(List.of(more));
        var result = Child.run(java(words.toArray(String[]::new)));
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output();
    }

    private String runSmall(JobEntry job, String engine, String... more) throws Exception {
        Stream<String> words = Stream.of("--scale", "1");
        return run(job, engine, Stream.concat(words, Stream.of(more)).toArray(String[]::new));
    }

    private static String result(String output) {
        return output.lines()
                .filter(line -> line.startsWith(JobList.RESULT))
                .findFirst()
                .orElseThrow();
    }

    private static List<JobEntry> jobs(String... names) {
        return JobList.of(JobList.EXAMPLES).stream()
                .filter(job -> List.of(names).contains(job.name()))
                .toList();
    }

    /** A file that the job reads: lines that are rows as well as edges and a text, or a genome. */
    private String input(JobEntry job) throws Exception {
        if (job.options().contains("GENOME")) {
            Random random = new Random(11);
            String bases = IntStream.range(0, 20_000)
                    .mapToObj(i -> "ACGT".substring(random.nextInt(4)).substring(0, 1))
                    .collect(Collectors.joining());
            return Files.writeString(inputs.resolve("genome"), ">genome\n" + bases + "\n")
                    .toString();
        }
        String lines =
                IntStream.range(0, 100).mapToObj(i -> i + " " + i / 3 + "\n").collect(Collectors.joining());
        return Files.writeString(inputs.resolve("numbers"), lines).toString();
    }

    private void nothingIsLeft() throws Exception {
        try (Stream<Path> left = Files.list(data)) {
            assertThat(left.map(path -> path.getFileName().toString())).containsExactly("mapreduce");
        }
    }

    @Test
    void resultsAreEqualInOneJvm() throws Exception {
        for (JobEntry job : jobs("mr-wordcount", "mr-terasort")) {
            String expected = runSmall(job, "local");
            assertThat(expected).contains("berth-allocated-bytes-per-record=", "berth-cpu-seconds=");
            assertThat(result(runSmall(job, "berth+level=core"))).as(job.name()).isEqualTo(result(expected));
        }
        nothingIsLeft();
    }

    @Test
    void aProgramReadsCopiesOfTheUsersInput() throws Exception {
        Path graph = Files.writeString(inputs.resolve("graph"), "# x\nb a\n\nc b d\ne\na\nd\n");
        for (JobEntry job : jobs("mr-components")) {
            String expected = run(job, "local", "--input", graph.toString(), "--scale", "3");
            // Five names in three copies, to two reduces.
            assertThat(result(expected)).startsWith(JobList.RESULT + "2 files, 15 records, ");
            assertThat(result(run(job, "berth", "--input", graph.toString(), "--scale", "3")))
                    .isEqualTo(result(expected));
        }
        nothingIsLeft();
    }

    @Test
    void aJobThatIsNotThereIsOneLineWithThoseThatAre() {
        for (String[] words : new String[][] {{}, {"mr-nothing"}}) {
            var result = Child.run(java(Stream.concat(Stream.of(Example.class.getName()), Stream.of(words))
                    .toArray(String[]::new)));
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err().lines())
                    .singleElement()
                    .asString()
                    .startsWith(words.length == 0 ? "berth: no job is named: " : "berth: unknown job 'mr-nothing': ")
                    .contains(JobList.of(JobList.EXAMPLES).stream()
                            .map(JobEntry::name)
                            .toArray(String[]::new));
        }
    }

    @Test
    void aTextIsSorted() throws Exception {
        JobEntry job = jobs("mr-sort").get(0);
        String output = runSmall(job, "berth", "--input", input(job));
        assertThat(output).contains("berth-allocated-bytes-per-record=");
        // Lines of seven bytes at most, to two reduces.
        assertThat(result(output)).matches(JobList.RESULT + "2 files, 1[0-9]{5} records, .*");
    }

    @Test
    void allocationsOfThreadsThatEndedCount() throws Exception {
        AllocatedBytes allocated = AllocatedBytes.start();
        long bytes = 0;
        for (int i = 0; i < 64; i++) {
            byte[][] kept = new byte[1][];
            Thread thread = new Thread(() -> kept[0] = new byte[10_000_000]);
            thread.start();
            thread.join();
            bytes += kept[0].length;
        }
        System.gc();
        assertThat(allocated.end().orElseThrow()).isBetween(bytes, bytes * 2);
    }

    /** A minute and more, so only when it is asked for. */
    @Test
    @EnabledIfSystemProperty(named = "berth.examples.yarn", matches = "true")
    @Tag("release")
    void resultsAreEqualOnYarn() throws Exception {
        Process host = new ProcessBuilder(java(EngineCluster.MAIN_CLASS, data.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = host.inputReader()) {
            String ready = lines.lines()
                    .filter(line -> line.startsWith(EngineCluster.READY))
                    .findFirst()
                    .orElseThrow();
            String settings = ready.substring(EngineCluster.READY.length());
            for (JobEntry job : JobList.of(JobList.EXAMPLES)) {
                List<String> input = job.options().contains("--input") ? List.of("--input", input(job)) : List.of();
                String expected = result(runSmall(job, "berth", input.toArray(String[]::new)));
                for (String engine : List.of("yarn", "tez")) {
                    Stream<String> more = Stream.concat(input.stream(), Stream.of(EngineCluster.OPTION, settings));
                    String output = runSmall(job, engine, more.toArray(String[]::new));
                    assertThat(result(output)).as(job.name() + " on " + engine).isEqualTo(expected);
                }
            }
            host.getOutputStream().close();
            host.waitFor();
        } finally {
            host.descendants().forEach(ProcessHandle::destroyForcibly);
            host.destroyForcibly();
        }
        nothingIsLeft();
    }
}

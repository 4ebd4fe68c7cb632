package org.berth.mapreduce.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.conf.Configuration;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads of a part of a real genome: the same bytes from each engine, which a program in Python holds against the simulator's record. */
@Tag("one-jdk")
@Tag("long")
@Tag("release")
class ReadProgramsTest {
    /** Lines of 70 bases. */
    private static final int GENOME_LINES = 180;

    @TempDir
    static Path folder;

    private static String seed = "";
    private static Path genome = Path.of("");
    private static Path scores = Path.of("");

    @BeforeAll
    static void prepare() throws Exception {
        seed = Long.toString(System.nanoTime());
        System.out.println("seed " + seed);
        scores = Path.of(resource("score-reads.py").toURI());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(resource("lambda-phage.fa.gz").openStream()), StandardCharsets.US_ASCII))) {
            genome = Files.write(
                    folder.resolve("genome.fa"),
                    lines.lines().limit(GENOME_LINES).toList());
        }
    }

    private static URL resource(String name) {
        return Objects.requireNonNull(ReadProgramsTest.class.getResource("/" + name), name);
    }

    private static Path simulate(String name, String... options) throws Exception {
        Path out = folder.resolve(name);
        List<String> words = new ArrayList<>(List.of("simulate-reads", "--seed", seed));
        words.addAll(List.of(options));
        words.addAll(List.of(genome.toString(), out.toString()));
        Engine.LOCAL.run(folder, words.toArray(String[]::new));
        return out;
    }

    /** Runs a program on each engine, each with other splits, and returns the output that all have. */
    private static Path run(String name, List<String> options, Path input) throws Exception {
        Map<String, String> expected = Map.of();
        int split = 70_000;
        for (Engine engine : Engine.values()) {
            Path out = folder.resolve(name + "-" + engine);
            List<String> words = new ArrayList<>(List.of(name.split("-", -1)[0]));
            words.addAll(List.of(
                    "-D", "mapreduce.job.reduces=2", "-D", "mapreduce.input.fileinputformat.split.maxsize=" + split));
            words.addAll(options);
            words.addAll(List.of(input.toString(), out.toString()));
            engine.run(folder, words.toArray(String[]::new));
            split *= 2;
            Map<String, String> output = Engine.output(out);
            expected = expected.isEmpty() ? output : expected;
            assertThat(output).as(engine.name()).isEqualTo(expected);
            assertThat(out.resolveSibling(out.getFileName() + ".work")).doesNotExist();
        }
        return folder.resolve(name + "-" + Engine.LOCAL);
    }

    /** The numbers that the program in Python prints; it ends with another exit code than 0 when the output is impossible. */
    private static Map<String, Double> score(String... words) {
        Tool.require("python3");
        List<String> command = new ArrayList<>(List.of("python3", scores.toString()));
        command.addAll(List.of(words));
        String line = Tool.output(command.toArray(String[]::new));
        System.out.println(words[0] + " " + line);
        return List.of(line.split(" ", -1)).stream()
                .map(word -> word.split("=", -1))
                .collect(Collectors.toMap(pair -> pair[0], pair -> Double.valueOf(pair[1]), (a, b) -> b, HashMap::new));
    }

    @Test
    void duplicatesOfSingleReads() throws Exception {
        Path reads = simulate("single", "--fragments", "3000");
        Path out = run("duplicates-single", List.of("-p", "20", "-m", "3"), reads);
        Map<String, Double> score = score("duplicates", reads.toString(), out.toString(), "20", "3");
        assertThat(score.get("precision")).isGreaterThan(0.99);
        assertThat(score.get("recall")).isGreaterThan(0.75);
        assertThat(score.get("lost_origins")).isLessThanOrEqualTo(3);
    }

    /** The clusters of two bases are large, and few of their kept reads fit into the memory. */
    @Test
    void duplicatesOfPairsWithoutMemory() throws Exception {
        Path reads = simulate("pairs", "--fragments", "2000", "--insert", "250", "--errors", "0.01");
        List<String> options = List.of(
                "-D",
                "berth.duplicates.memory.bytes=2000",
                "-p",
                "1",
                "-m",
                "4",
                "--mates",
                reads.resolve("reads_2.fastq").toString());
        Path out = run("duplicates-pairs", options, reads.resolve("reads_1.fastq"));
        assertThat(out.resolve("1")).isDirectoryContaining("glob:**part-r-00001");
        Map<String, Double> score = score("duplicates", reads.toString(), out.toString(), "1", "4");
        assertThat(score.get("precision")).isGreaterThan(0.99);
        assertThat(score.get("recall")).isGreaterThan(0.85);
    }

    @Test
    void duplicatesOfSequencesWithoutQualities() throws Exception {
        Path fasta = Files.writeString(folder.resolve("reads.fa"), """
                >one
                ACGTAC
                GTTTAA
                >two
                ACGTACGTTTAT
                >three
                ACGTACGTTT
                >four
                TCGTACGTTTAA
                >five
                acgtacgtttaa
                """);
        Path out = folder.resolve("fasta");
        Engine.EMBEDDED.run(folder, "duplicates", "-p", "4", "-m", "1", fasta.toString(), out.toString());
        // Without qualities the first one is kept; a read that is two bases shorter differs in two.
        assertThat(out.resolve("part-r-00000")).content().isEqualTo("""
                >one
                ACGTACGTTTAA
                >three
                ACGTACGTTT
                >four
                TCGTACGTTTAA
                """);
    }

    @Test
    void corrections() throws Exception {
        Path reads = simulate("errors", "--coverage", "30", "--errors", "0.01", "--insert", "250");
        // Small stacks, so that some have more reads than may vote.
        Path out = run("correction-pairs", List.of("--reads", "25"), reads);
        Map<String, Double> score = score("correction", reads.toString(), out.toString());
        assertThat(score.get("precision")).isGreaterThan(0.99);
        assertThat(score.get("recall")).isGreaterThan(0.9);
        assertThat(score.get("introduced")).isLessThan(score.getOrDefault("errors", 0.0) / 100);
    }

    /** As many wrong bases of each quality as the quality says, and as many copies as the options say: within 6 standard deviations. */
    @Test
    void simulatedReadsAreAsTheirRecordSays() throws Exception {
        Path reads = simulate("all", "--fragments", "4000", "--errors", "0.02", "--exact", "0.2", "--near", "0.3");
        Map<String, Double> score = score("simulation", reads.toString(), "0.02", "0.2", "0.3", "3");
        assertThat(score.get("deviation")).isLessThan(6);
        assertThat(reads.resolve("reads.fastq"))
                .hasSameBinaryContentAs(
                        simulate("again", "--fragments", "4000", "--errors", "0.02", "--exact", "0.2", "--near", "0.3")
                                .resolve("reads.fastq"));
    }

    @Test
    void wrongWords() throws Exception {
        String out = folder.resolve("none").toString();
        for (String[] words : new String[][] {
            {"duplicates", "-p", "0", genome.toString(), out},
            {"correction", "--window", "22", genome.toString(), out},
            {"simulate-reads", "--near", "0.6", "--exact", "0.6", genome.toString(), out}
        }) {
            assertThat(Programs.run(new Configuration(), words)).as(words[0]).isEqualTo(2);
        }
        assertThat(Path.of(out)).doesNotExist();
    }
}

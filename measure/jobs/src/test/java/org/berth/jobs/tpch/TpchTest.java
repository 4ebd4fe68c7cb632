package org.berth.jobs.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.berth.jobs.JobProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Queries answered by Spark from the generated files, and by plain Java from the generator's rows. */
@Timeout(600)
@Tag("one-jdk")
@Tag("cluster")
class TpchTest {
    private static final String SCALE = "0.01";
    private static final Pattern QUERY = Pattern.compile("q(\\d+) +\\d+\\.\\d{3} s +(\\d+) rows  ([0-9a-f]{8})");

    /** Those that plain Java answers, too. */
    private static final String ANSWERED = "1,3,4,6,12,13,14,18";

    /** Rows that the queries themselves determine at any scale with enough data. */
    private static final Map<Integer, Integer> ROWS =
            Map.of(1, 4, 3, 10, 4, 5, 5, 5, 6, 1, 7, 4, 8, 2, 10, 20, 12, 2, 22, 7);

    @TempDir
    static Path folder;

    private static JobProcess.Run answered = new JobProcess.Run(-1, "", "");

    @BeforeAll
    static void runQueries() throws Exception {
        answered = tpch("--scale", SCALE, "--answers", "--threads", "2", "--queries", ANSWERED);
    }

    @AfterAll
    static void leavesNothingHalfMade() throws Exception {
        try (Stream<Path> files = Files.list(folder.resolve("data"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("tpch-0.01-v1", "tpch-0.001-v1");
        }
    }

    @Test
    void saysALineForEachTableThatItMakes() {
        assertThat(answered.err()).startsWith("berth: tpch: generating the tables of scale 0.01 into " + folder);
        assertThat(answered.err().lines().skip(1))
                .as("a line a table, and nothing else")
                .hasSize(8)
                .allMatch(line -> line.matches("berth: tpch: table \\d of 8, [a-z]+"));
    }

    @Test
    @Tag("release")
    void answersAllQueries() throws Exception {
        JobProcess.Run all = tpch("--scale", SCALE, "--answers", "--threads", "2");
        Map<Integer, List<String>> answers = answers(all);

        assertThat(answers).hasSize(TpchQueries.COUNT);
        assertThat(answers)
                .allSatisfy((query, rows) -> assertThat(rows)
                        .as("query %d", query)
                        .hasSizeBetween(ROWS.getOrDefault(query, 1), ROWS.getOrDefault(query, Integer.MAX_VALUE)));
        assertThat(all.result())
                .startsWith(answers.values().stream().mapToInt(List::size).sum() + " ");
    }

    @Test
    void givesTheAnswersOfPlainJava() {
        Map<Integer, List<String>> answers = answers(answered);
        TpchOracle oracle = new TpchOracle(Double.parseDouble(SCALE));

        assertThat(answers.get(1)).isEqualTo(oracle.pricingSummary());
        assertThat(answers.get(3)).isEqualTo(oracle.shippingPriority());
        assertThat(answers.get(4)).isEqualTo(oracle.orderPriorities());
        assertThat(answers.get(6)).isEqualTo(oracle.revenueChange());
        assertThat(answers.get(12)).isEqualTo(oracle.shippingModes());
        assertThat(answers.get(13)).isEqualTo(oracle.customerDistribution());
        assertThat(answers.get(14)).isEqualTo(oracle.promotionEffect());
        assertThat(answers.get(18)).isEqualTo(oracle.largeOrders());
    }

    @Test
    @Tag("release")
    void givesTheSameChecksumsWhateverThePlacement() throws Exception {
        List<String> arguments = List.of("--queries", "3,18", "--scale", "0.010", "--data", data());
        JobProcess.Run bound = JobProcess.runOnOneCpu(folder, Tpch.class, arguments.toArray(String[]::new));

        Map<Integer, String> checksums = checksums(answered);
        checksums.keySet().retainAll(List.of(3, 18));
        assertThat(checksums(bound)).isEqualTo(checksums).hasSize(2);
        assertThat(bound.err()).isEmpty();
        assertThat(bound.result()).startsWith("12 ");
    }

    @Test
    void generatesOnceWhenTwoStartTogether() throws Exception {
        List<Process> both = new ArrayList<>();
        for (String name : List.of("first", "second")) {
            List<String> command = JobProcess.command(
                    List.of(), List.of(), Tpch.class, "--scale", "0.001", "--queries", "6", "--data", data());
            both.add(new ProcessBuilder(command)
                    .redirectOutput(folder.resolve(name + ".out").toFile())
                    .redirectError(folder.resolve(name + ".err").toFile())
                    .start());
        }
        for (Process process : both) {
            assertThat(process.waitFor()).isZero();
        }
        JobProcess.Run first = new JobProcess.Run(0, Files.readString(folder.resolve("first.out")), "");
        JobProcess.Run second = new JobProcess.Run(0, Files.readString(folder.resolve("second.out")), "");
        assertThat(first.result()).isEqualTo(second.result());
    }

    @Test
    void saysInOneLineWhatIsWrong() throws Exception {
        JobProcess.run(folder, Tpch.class, "--queries", "1,23")
                .assertFails(
                        2,
                        "tpch: Invalid value for option '--queries': these are not different numbers from 1 to 22: [1, 23]"
                                + " (--help lists the options)");
        JobProcess.run(folder, Tpch.class, "--scale", "0")
                .assertFails(
                        2,
                        "tpch: Invalid value for option '--scale': '0' is not from 0.001 to 100 (--help lists the options)");
        Path file = Files.writeString(folder.resolve("file"), "");
        JobProcess.Run run = JobProcess.run(folder, Tpch.class, "--scale", "0.001", "--data", file.toString());
        assertThat(run.err())
                .endsWith("berth: tpch: cannot make the folder of the tables in " + file + ": it is a file;"
                        + " give another --data DIR\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    private static String data() {
        return folder.resolve("data").toString();
    }

    private static JobProcess.Run tpch(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of(arguments));
        words.addAll(List.of("--data", data()));
        return JobProcess.run(folder, Tpch.class, words.toArray(String[]::new));
    }

    private static Map<Integer, List<String>> answers(JobProcess.Run run) {
        Map<Integer, List<String>> answers = new TreeMap<>();
        List<String> rows = new ArrayList<>();
        for (String line : run.out().lines().toList()) {
            Matcher query = QUERY.matcher(line);
            if (query.matches()) {
                rows = new ArrayList<>();
                answers.put(Integer.valueOf(query.group(1)), rows);
            } else if (line.startsWith("   ")) {
                rows.add(line.substring(3));
            }
        }
        return answers;
    }

    private static Map<Integer, String> checksums(JobProcess.Run run) {
        Map<Integer, String> checksums = new TreeMap<>();
        for (String line : run.out().lines().toList()) {
            Matcher query = QUERY.matcher(line);
            if (query.matches()) {
                checksums.put(Integer.valueOf(query.group(1)), query.group(3));
            }
        }
        return checksums;
    }
}

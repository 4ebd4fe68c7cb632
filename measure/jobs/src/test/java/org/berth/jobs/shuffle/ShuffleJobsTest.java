package org.berth.jobs.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.berth.jobs.JobProcess;
import org.berth.jobs.SplitMix;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sorted and grouped by Spark, and once more by the Java library. */
@Tag("one-jdk")
@Tag("cluster")
@Timeout(300)
class ShuffleJobsTest {
    private static final int RECORDS = 100_000;
    private static final long SEED = 1;

    @TempDir
    Path folder;

    @Test
    void sortsAllRecords() throws Exception {
        JobProcess.Run two = JobProcess.run(
                folder, SortBy.class, "--scale", "1", "--iterations", "2", "--threads", "2", "--slices", "5");
        JobProcess.Run one = JobProcess.runOnOneCpu(folder, SortBy.class, "--scale", "1", "--iterations", "1");

        assertThat(two.result()).isEqualTo(sorted()).isEqualTo(one.result());
        assertThat(two.out()
                        .lines()
                        .filter(line ->
                                line.matches(".* " + RECORDS + " records \\(1\\d\\.\\d MB\\) through the shuffle")))
                .hasSize(2);
        assertThat(two.err()).isEmpty();
    }

    @Test
    @Tag("release")
    void groupsAllRecords() throws Exception {
        JobProcess.Run two = JobProcess.run(
                folder, GroupBy.class, "--scale", "1", "--iterations", "2", "--threads", "2", "--slices", "5");

        assertThat(two.result()).isEqualTo(grouped());
        assertThat(two.out().lines().filter(line -> line.contains(RECORDS + " records (") && line.endsWith("shuffle")))
                .hasSize(2);
        assertThat(two.err()).isEmpty();
    }

    /** Two executors, whose blocks cross from one to the other; the engine's own tests have all ways. */
    @Test
    @Tag("release")
    void comesToTheSameOverTheTransport() throws Exception {
        // Where Spark looks for its jars; they are on the class path.
        Path home = folder.resolve("home");
        Files.createDirectories(home.resolve("jars"));
        JobProcess.Run run = JobProcess.run(
                folder,
                List.of("env", "SPARK_HOME=" + home, "SPARK_SCALA_VERSION=2.13", "SPARK_LOCAL_IP=127.0.0.1"),
                List.of(),
                ShuffleWays.class,
                "--scale",
                "1",
                "--iterations",
                "1",
                "--slices",
                "4",
                "--way",
                "local+threads=2");
        assertThat(run.result()).as(run.err()).isEqualTo(sorted() + ", " + grouped());
        assertThat(run.out())
                .containsPattern("(?m)^berth-sortby-seconds=[0-9.]+$")
                .containsPattern("(?m)^berth-groupby-fetch-wait-seconds=[0-9.]+$")
                .doesNotContainPattern("fetched-megabytes=0[.]0");
    }

    @Test
    void saysInOneLineWhatIsWrong() throws Exception {
        JobProcess.run(folder, SortBy.class, "--scale", "big")
                .assertFails(
                        2,
                        "sortby: Invalid value for option '--scale': 'big' is not a whole number of at least 1"
                                + " (--help lists the options)");
        JobProcess.Run memory = JobProcess.run(folder, List.of(), List.of("-Xmx256m"), SortBy.class, "--scale", "1000");
        assertThat(memory.err())
                .startsWith("berth: sortby: the records take 20000 MB and should take at most a third of the Java heap")
                .endsWith("use a smaller --scale or a larger -Xmx\n")
                .hasLineCount(1);
        assertThat(memory.exitCode()).isEqualTo(1);
    }

    private static String sorted() {
        long[] keys = LongStream.range(0, RECORDS)
                .map(index -> ShuffleRecords.key(SEED, index, 0))
                .sorted()
                .toArray();
        ShuffleSummary summary = ShuffleSummary.EMPTY;
        for (long key : keys) {
            summary = summary.add(key, 0);
        }
        long contents = LongStream.range(0, RECORDS)
                .map(index ->
                        ShuffleRecords.hash(ShuffleRecords.key(SEED, index, 0), ShuffleRecords.value(SEED, index)))
                .sum();
        return String.format("%d %016x %016x", RECORDS, summary.keys(), contents);
    }

    private static String grouped() {
        Map<Long, long[]> groups = new HashMap<>();
        for (long index = 0; index < RECORDS; index++) {
            long key = ShuffleRecords.key(SEED, index, RECORDS / 100);
            long[] group = groups.computeIfAbsent(key, absent -> new long[2]);
            group[0]++;
            group[1] += ShuffleRecords.hash(key, ShuffleRecords.value(SEED, index));
        }
        long contents = groups.values().stream()
                .mapToLong(group -> SplitMix.mix(group[1] ^ SplitMix.mix(group[0])))
                .sum();
        return String.format("%d %016x %016x", groups.size(), 0, contents);
    }
}

package org.berth.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.berth.experiments.run.ExperimentRunner;
import org.berth.experiments.run.Progress;
import org.berth.machines.Machines;
import org.berth.oracle.Tool;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pauses of a real JVM: as many as its own management beans say, as long as its log does. */
@Timeout(600)
class GcLogsTest {
    private static final String JAVA = System.getProperty("java.home") + "/bin/java";

    @TempDir
    private Path directory;

    /** Collects by request, and prints how many pauses the JVM's beans counted. */
    static final class Collector {
        private Collector() {}

        public static void main(String[] arguments) {
            List<byte[]> kept = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                kept.add(new byte[2_000_000]);
                System.gc();
            }
            // Cycles run concurrently with the work; each pause of theirs has a bean of its own.
            List<GarbageCollectorMXBean> beans = ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .filter(bean -> !bean.getName().contains("Cycles"))
                    .toList();
            System.out.println("pauses="
                    + beans.stream()
                            .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                            .sum()
                    + " kept " + kept.size());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Serial", "Parallel", "G1", "Z", "Shenandoah"})
    void pausesAreThoseOfTheBeans(String collector) throws Exception {
        String choice = "-XX:+Use" + collector + "GC";
        Tool.requireSuccess(JAVA, choice, "-version");
        Path folder = Files.createDirectory(directory.resolve("with space: and colon"));
        Arm arm = Arm.of(
                "collector",
                JAVA,
                choice,
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Collector.class.getName());
        Experiment experiment = Experiment.of("gc", List.of(arm))
                .withRounds(1)
                .withWarmUps(0)
                .withMetric(new Metric("pauses", "", Pattern.compile("^pauses=([0-9]+)")))
                .withConditions(Conditions.PLAIN.withGcLog(true));
        Trial trial = new ExperimentRunner(
                        experiment, TopologyXml.parse(Machines.xml("2amd64-2n")), folder, Progress.NONE)
                .run()
                .trials()
                .get(0);
        assertThat(trial.notes()).noneMatch(note -> note.contains("collector"));
        double pauses = trial.metric("pauses").orElseThrow();
        assertThat(pauses).isGreaterThanOrEqualTo(8);
        // The beans time the same pauses at another place, where the thread may have lost its CPU or not.
        List<Double> logged = pausesOf(folder);
        assertThat(logged).hasSizeGreaterThanOrEqualTo((int) pauses);
        assertThat(trial.resources().gcPauseSeconds().orElseThrow())
                .isPositive()
                .isCloseTo(logged.stream().mapToDouble(Double::doubleValue).sum() / 1e3, within(1e-9));
        PauseSummary summary = trial.resources().collector().orElseThrow().pauses();
        List<Double> sorted = logged.stream().sorted().toList();
        assertThat(summary.count()).isEqualTo(logged.size());
        assertThat(summary.maxMillis()).isEqualTo(sorted.get(sorted.size() - 1));
        // Half of the pauses are not longer than the median, and not half of them are shorter.
        assertThat(sorted.stream().filter(millis -> millis <= summary.p50Millis()))
                .hasSizeGreaterThanOrEqualTo((sorted.size() + 1) / 2);
        assertThat(sorted.stream().filter(millis -> millis < summary.p50Millis()))
                .hasSizeLessThan((sorted.size() + 1) / 2);
        assertThat(summary.p99Millis()).isBetween(summary.p50Millis(), summary.maxMillis());
    }

    /** Milliseconds, by the words of the JVM's own lines. */
    private static List<Double> pausesOf(Path folder) throws IOException {
        List<Double> millis = new ArrayList<>();
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(folder, "*.gc")) {
            for (Path log : logs) {
                for (String line : Files.readAllLines(log)) {
                    if (line.contains(" Pause ") && line.endsWith("ms")) {
                        millis.add(Double.valueOf(line.substring(line.lastIndexOf(' '), line.length() - 2)));
                    }
                }
            }
        }
        return millis;
    }
}

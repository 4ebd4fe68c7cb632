package org.berth.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.berth.machines.Machines;
import org.berth.topology.TopologyXml;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pauses of a real JVM beside what its own management beans say. */
@Timeout(60)
class GcLogsTest {
    private static final String JAVA = System.getProperty("java.home") + "/bin/java";

    @TempDir
    private Path directory;

    /** Collects by request, and prints the seconds that the JVM's beans counted. */
    static final class Collector {
        private Collector() {}

        public static void main(String[] arguments) {
            List<byte[]> kept = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                kept.add(new byte[2_000_000]);
                System.gc();
            }
            // Cycles run beside the work; each pause of theirs has a bean of its own.
            List<GarbageCollectorMXBean> beans = ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .filter(bean -> !bean.getName().contains("Cycles"))
                    .toList();
            System.out.println("gc="
                    + beans.stream()
                                    .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                                    .sum()
                            / 1000.0
                    + " kept " + kept.size());
            System.out.println("pauses="
                    + beans.stream()
                            .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                            .sum());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Serial", "Parallel", "G1", "Z", "Shenandoah"})
    void pausesAreThoseOfTheBeans(String collector) throws Exception {
        String choice = "-XX:+Use" + collector + "GC";
        assumeThat(new ProcessBuilder(JAVA, choice, "-version")
                        .redirectErrorStream(true)
                        .start()
                        .waitFor())
                .as("this JVM has the collector")
                .isZero();
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
                .withWarmUp(false)
                .withMetrics(List.of(
                        new Metric("gc", "s", Pattern.compile("^gc=([0-9.E-]+)")),
                        new Metric("pauses", "", Pattern.compile("^pauses=([0-9]+)"))))
                .withConditions(Conditions.PLAIN.withGcLog(true));
        Trial trial = new ExperimentRunner(
                        experiment, TopologyXml.parse(Machines.xml("2amd64-2n")), folder, Progress.NONE)
                .run()
                .trials()
                .get(0);
        assertThat(trial.notes()).noneMatch(note -> note.contains("collector"));
        double pauses = trial.metric("pauses").orElseThrow();
        assertThat(pauses).isGreaterThanOrEqualTo(8);
        // The beans count whole milliseconds of each pause.
        assertThat(trial.measured().gcPauseSeconds().orElseThrow())
                .isPositive()
                .isCloseTo(trial.metric("gc").orElseThrow(), within(0.002 + 0.001 * pauses));
    }
}

package org.berth.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.berth.machines.Machines;
import org.berth.topology.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pauses of a real JVM beside what its own management beans say. */
@Timeout(60)
class GcLogsTest {
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
            double millis = ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                    .sum();
            System.out.println("gc=" + millis / 1000 + " kept " + kept.size());
        }
    }

    @Test
    void pausesAreThoseOfTheBeans() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("with space: and colon"));
        Arm arm = Arm.of(
                "serial",
                System.getProperty("java.home") + "/bin/java",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Collector.class.getName());
        Experiment experiment = Experiment.of("gc", List.of(arm))
                .withRounds(1)
                .withWarmUp(false)
                .withMetric(new Metric("gc", "s", Pattern.compile("^gc=([0-9.]+)")))
                .withConditions(Conditions.PLAIN.withGcLog(true));
        Trial trial = new ExperimentRunner(
                        experiment, TopologyXml.parse(Machines.xml("2amd64-2n")), folder, Progress.NONE)
                .run()
                .trials()
                .get(0);
        assertThat(trial.notes()).noneMatch(note -> note.contains("collector"));
        // The beans count whole milliseconds of each of the eight.
        assertThat(trial.measured().gcPauseSeconds().orElseThrow())
                .isPositive()
                .isCloseTo(trial.metric().orElseThrow(), within(0.016));
    }
}

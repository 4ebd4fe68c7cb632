package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@link SoftEdges} decides by recordings, each decision a line {@code NANOS SLOT open|closed REASON}. The agent decides
 * in C, and {@code edges_test.c} reads the same files: the two must not differ.
 *
 * <p>After a wanted change, {@code -Dberth.goldens=refresh} writes the decisions anew, and the recording that is made here: a
 * job has no edge that opens long after it has closed.
 */
class EdgeGoldenTest {
    private static final Path FOLDER = Path.of("src/test/resources/edges");
    private static final int IDLE = -1;

    @BeforeAll
    static void makeRecording() throws IOException {
        check("lost-time.txt", lostTime());
    }

    @ParameterizedTest
    @ValueSource(strings = {"sort-by", "nothing-idle", "by-chance", "lost-time"})
    void recordingsLeadToTheseDecisions(String name) throws IOException {
        String events =
                EdgeRecording.parse(Files.readString(FOLDER.resolve(name + ".txt")))
                        .replay(EdgeSettings.defaults())
                        .stream()
                        .map(EdgeGoldenTest::line)
                        .collect(Collectors.joining());
        check(name + ".events", events);
    }

    private static void check(String name, String text) throws IOException {
        Path golden = FOLDER.resolve(name);
        if ("refresh".equals(System.getProperty("berth.goldens"))) {
            Files.writeString(golden, text);
        }
        assertThat(text).as("%s (refresh with -Dberth.goldens=refresh)", name).isEqualTo(Files.readString(golden));
    }

    private static String line(EdgeRecording.Event event) {
        EdgeChange change = event.change();
        return event.nanos() + " " + change.slot() + " " + (change.open() ? "open" : "closed") + " " + change.reason()
                + "\n";
    }

    /** Slots 0 and 1 share a cache, slot 2 has another one. */
    private static String lostTime() {
        return new Script(1, List.of(0, 0, 1))
                .pass(14, 100, 0, 0, 0, 0)
                .pass(6, 100, 0, 30, 0, IDLE)
                .pass(1, 100, 0, 50, IDLE, 0)
                .pass(24, 100, 0, 1, 2, IDLE)
                .pass(12, 200, 0, 7, IDLE, 0)
                .pass(24, 200, 0, 0, IDLE, 0)
                .pass(2, 50, 0, 40, IDLE, 10)
                .pass(24, 400, 0, 0, 0, 0)
                .pass(80, 2000, 0, 4, IDLE, 0)
                .pass(2, 50, 0, 40, IDLE, 0)
                .pass(60, 200, 0, 1, IDLE, IDLE)
                .text(
                        "slot 0 waits beside an idle slot of its own and of another cache, soon and late after it has closed");
    }

    /** Makes samples in which slots do what is said. All times are a little off, so that something is rounded. */
    private static final class Script {
        private final Random random;
        private final List<Integer> groups;
        private final List<SlotTimes> sums;
        private final List<EdgeSample> samples = new ArrayList<>();
        private long time = 1_000_000_000L;
        private long compilers;

        Script(int seed, List<Integer> groups) {
            this.random = new Random(seed);
            this.groups = groups;
            this.sums = new ArrayList<>(Collections.nCopies(groups.size(), new SlotTimes(0, 0, 0)));
            samples.add(new EdgeSample(time, 0, sums));
        }

        /** Adds samples; {@code waits} has for each slot the percentage of the time that it waits, and runs otherwise. */
        Script pass(int count, int periodMillis, int compilerPercent, int... waits) {
            for (int i = 0; i < count; i++) {
                long period = periodMillis * 1_000_000L + random.nextInt(periodMillis * 50_000);
                time += period;
                compilers += period * compilerPercent / 100 + random.nextInt(10_000);
                for (int slot = 0; slot < waits.length; slot++) {
                    boolean idle = waits[slot] == IDLE;
                    long wait = idle ? 0 : period * waits[slot] / 100 + random.nextInt(100_000);
                    SlotTimes sum = sums.get(slot);
                    sums.set(
                            slot,
                            new SlotTimes(
                                    sum.runNanos() + (idle ? 0 : period - wait),
                                    sum.waitNanos() + wait,
                                    sum.idleNanos() + (idle ? period : 0)));
                }
                samples.add(new EdgeSample(time, compilers, sums));
            }
            return this;
        }

        String text(String comment) {
            return EdgeRecording.header(groups).replace("\n", "\n# Made by EdgeGoldenTest: " + comment + ".\n") + "\n"
                    + samples.stream().map(sample -> sample.toText() + "\n").collect(Collectors.joining());
        }
    }
}

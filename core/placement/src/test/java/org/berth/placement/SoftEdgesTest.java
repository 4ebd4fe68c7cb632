package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyXml;
import org.junit.jupiter.api.Test;

/** Each decision by samples that leave no doubt, every 50 ms. */
class SoftEdgesTest {
    private static final long MILLIS = 1_000_000;
    private static final long PERIOD = 50 * MILLIS;

    private SoftEdges edges = start(List.of(0, 0));
    private final List<SlotTimes> sums = new ArrayList<>();
    private final List<EdgeChange> changes = new ArrayList<>();
    private long time;
    private long compilers;

    private static SoftEdges start(List<Integer> groups) {
        return SoftEdges.start(
                EdgeSettings.defaults(),
                groups,
                new EdgeSample(
                        0,
                        0,
                        groups.stream().map(group -> new SlotTimes(0, 0, 0)).toList()));
    }

    @Test
    void edgesAreOpenUntilTheirThreadsHaveWorkedForAWhile() {
        assertThat(edges.isOpen(0)).isTrue();
        pass(19, 0, busy(0), busy(0));
        assertThat(changes).isEmpty();
        pass(1, 0, busy(0), idle());
        assertThat(changes)
                .containsExactly(new EdgeChange(0, false, "worked or waited for 1000 ms, and compilers hardly waited"));
        pass(100, 0, busy(0), idle());
        assertThat(edges.isOpen(1)).as("a slot without work teaches nothing").isTrue();
    }

    @Test
    void anEdgeOpensWhereAThreadWaitsBesideAnIdleCpu() {
        close();
        pass(1, 0, busy(35), idle());
        assertThat(changes)
                .containsExactly(
                        new EdgeChange(
                                0,
                                true,
                                "waited 35 ms of the last 50 ms while the CPUs of another slot were idle (0 ms with an open edge)"));
        assertThat(edges.isOpen(1)).isFalse();
    }

    @Test
    void aTimeSliceOpensNothingAndIsForgotten() {
        close();
        for (int i = 0; i < 50; i++) {
            pass(1, 0, busy(2), idle());
            pass(1, 0, busy(0), idle());
        }
        assertThat(changes).isEmpty();
        pass(1, 0, busy(9), idle());
        assertThat(edges.isAlarmed()).isTrue();
        pass(8, 0, busy(0), idle());
        assertThat(edges.isAlarmed()).isFalse();
    }

    @Test
    void waitingWhereNothingIsIdleOpensNothing() {
        close();
        pass(200, 0, busy(40), busy(40));
        assertThat(changes).isEmpty();
    }

    @Test
    void waitingWhereNothingIsIdleIsACalm() {
        pass(20, 0, busy(40), busy(40));
        assertThat(changes).hasSize(2).noneMatch(EdgeChange::open);
    }

    @Test
    void theIdleCpuMustBeInTheReach() {
        edges = start(List.of(0, 0, 1));
        sums.clear();
        pass(20, 0, busy(0), busy(0), busy(0));
        changes.clear();
        pass(100, 0, busy(25), busy(25), idle());
        assertThat(changes).isEmpty();
        pass(1, 0, busy(35), idle(), busy(35));
        assertThat(changes).extracting(EdgeChange::slot).containsExactly(0);
    }

    @Test
    void aSlotsOwnIdleCpusAreNoReason() {
        close();
        pass(100, 0, new SlotTimes(0, 25 * MILLIS, PERIOD), busy(0));
        assertThat(changes).isEmpty();
    }

    @Test
    void compilersThatWaitOpenAllEdgesAndKeepThemOpen() {
        close();
        pass(4, 50, busy(10), busy(10));
        assertThat(changes).hasSize(2).allMatch(EdgeChange::open);
        assertThat(changes.get(0).reason())
                .isEqualTo("share their CPUs with compilers, which waited 200 ms of the last 200 ms");
        changes.clear();
        pass(200, 50, busy(10), busy(10));
        assertThat(changes).isEmpty();
        pass(40, 0, busy(10), busy(10));
        assertThat(changes).hasSize(2).noneMatch(EdgeChange::open);
    }

    @Test
    void compilersThatWaitALittleOpenNothing() {
        close();
        pass(400, 30, busy(0), busy(0));
        assertThat(changes).isEmpty();
    }

    @Test
    void anEdgeThatOpensSoonNeedsTwiceTheCalm() {
        List<Integer> needed = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            needed.add(samplesUntilClosed());
            pass(1, 0, busy(35), idle());
            assertThat(edges.isOpen(0)).isTrue();
        }
        assertThat(needed).containsExactly(20, 40, 80, 160, 320, 320, 320);
        samplesUntilClosed();
        pass(8 * 320, 0, busy(0), busy(0));
        pass(1, 0, busy(35), idle());
        assertThat(samplesUntilClosed()).as("it had stayed closed for long").isEqualTo(160);
    }

    /** A free thread loses nothing by its edge: that it waits and that a CPU is idle came one after the other. */
    @Test
    void whatIsLostWithAnOpenEdgeIsUsual() {
        pass(20, 0, busy(10), idle());
        assertThat(changes).extracting(EdgeChange::slot).containsExactly(0);
        changes.clear();
        pass(200, 0, busy(10), idle());
        assertThat(changes).as("a fifth is usual").isEmpty();
        pass(2, 0, busy(30), idle());
        assertThat(changes)
                .containsExactly(
                        new EdgeChange(
                                0,
                                true,
                                "waited 60 ms of the last 100 ms while the CPUs of another slot were idle (20 ms with an open edge)"));
    }

    /** One thread moves to a lasting load: what was usual long ago is forgotten. */
    @Test
    void whatIsUsualIsThatOfTheLastSeconds() {
        pass(20, 0, busy(30), idle());
        pass(3, 0, busy(50), idle());
        assertThat(edges.isOpen(0)).isTrue();
        changes.clear();
        for (int i = 0; i < 10; i++) {
            pass(400, 50, busy(0), idle());
        }
        pass(60, 0, busy(0), idle());
        assertThat(edges.isOpen(0)).isFalse();
        pass(2, 0, busy(20), idle());
        assertThat(edges.isOpen(0)).isTrue();
    }

    @Test
    void reachIsTheCacheTheNodeOrTheDomain() {
        Topology epyc = TopologyXml.parse(LayeredMachine.xml(2, 2, 2, 4));
        CpuSet all = epyc.cpuSet();
        CpuSet core = CpuSet.of(5);
        assertThat(SoftEdges.reach(epyc, core, all)).isEqualTo(CpuSet.range(4, 7));
        assertThat(SoftEdges.reach(epyc, core, CpuSet.range(2, 6))).isEqualTo(CpuSet.range(4, 6));
        assertThat(SoftEdges.reach(epyc, core, all.minus(CpuSet.of(4, 6, 7))))
                .as("nothing else of its cache: the node")
                .isEqualTo(CpuSet.of(0, 1, 2, 3, 5));
        assertThat(SoftEdges.reach(epyc, core, CpuSet.of(5, 9)))
                .as("nothing else of its node: the domain")
                .isEqualTo(CpuSet.of(5, 9));
        assertThat(SoftEdges.reach(epyc, core, core)).isEqualTo(core);
    }

    @Test
    void refusesSamplesOfOtherSlotsAndOlderOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> edges.step(new EdgeSample(1, 0, List.of(new SlotTimes(0, 0, 0)))))
                .withMessage("a sample of 1 slots, 1 ns after one of 2");
        pass(1, 0, busy(0), busy(0));
        assertThatIllegalArgumentException().isThrownBy(() -> edges.step(new EdgeSample(1, 0, sums)));
    }

    @Test
    void aRecordedSortClosesItsEdgesOnceTheCompilersAreQuiet() throws Exception {
        EdgeRecording recording = EdgeRecording.parse(recorded("sort-by.txt"));
        List<EdgeRecording.Event> events = recording.replay(EdgeSettings.defaults());
        assertThat(events).extracting(event -> event.change().open()).containsExactly(false, false);
        assertThat(events).extracting(event -> event.change().slot()).containsExactlyInAnyOrder(0, 1);
        assertThat(events).allSatisfy(event -> assertThat(event.nanos()).isBetween(4_000 * MILLIS, 10_000 * MILLIS));
    }

    /** The thread waited for 13 of 20 s there, and would have waited as long on the other CPU. */
    @Test
    void recordedWaitingWhereNothingIsIdleOpensNothing() throws Exception {
        EdgeRecording recording = EdgeRecording.parse(recorded("nothing-idle.txt"));
        EdgeSample end = recording.samples().get(recording.samples().size() - 1);
        assertThat(end.slots().get(0).waitNanos()).isGreaterThan(12_000 * MILLIS);
        assertThat(recording.replay(EdgeSettings.defaults()))
                .extracting(event -> event.change().open())
                .containsExactly(false);
    }

    @Test
    void aRecordingIsTheSameAsText() throws Exception {
        String text = recorded("sort-by.txt");
        EdgeRecording recording = EdgeRecording.parse(text);
        String again = EdgeRecording.header(recording.groups()) + "\n"
                + recording.samples().stream().map(EdgeSample::toText).collect(Collectors.joining("\n", "", "\n"));
        assertThat(again).isEqualTo(text.replaceAll("#.*\n", ""));
        assertThat(EdgeRecording.parse(again + "12 3 4/").samples())
                .as("a last line that is cut off")
                .isEqualTo(recording.samples());
    }

    @Test
    void refusesWhatIsNoRecording() {
        assertThatIllegalArgumentException().isThrownBy(() -> EdgeRecording.parse("1 2 3/4/5\n"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EdgeRecording.parse("berth-edges 1\ngroups 0\n1 2 3/4\n"))
                .withMessage("'1 2 3/4' is no sample of edges: TIME COMPILERS RUN/WAIT/IDLE of each slot");
    }

    private static String recorded(String name) throws IOException {
        try (InputStream stream =
                Objects.requireNonNull(SoftEdgesTest.class.getResourceAsStream("/edges/" + name), name)) {
            return new String(stream.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private void close() {
        pass(20, 0, busy(0), busy(0));
        assertThat(edges.isOpen(0) || edges.isOpen(1)).isFalse();
        changes.clear();
    }

    private int samplesUntilClosed() {
        int count = 0;
        while (edges.isOpen(0)) {
            pass(1, 0, busy(0), busy(0));
            count++;
        }
        return count;
    }

    /** All of the period used or waited for. */
    private static SlotTimes busy(long waitMillis) {
        return new SlotTimes(PERIOD - waitMillis * MILLIS, waitMillis * MILLIS, 0);
    }

    private static SlotTimes idle() {
        return new SlotTimes(0, 0, PERIOD);
    }

    private void pass(int samples, long compilerMillis, SlotTimes... more) {
        for (int i = 0; i < samples; i++) {
            time += PERIOD;
            compilers += compilerMillis * MILLIS;
            for (int slot = 0; slot < more.length; slot++) {
                SlotTimes sum = slot < sums.size() ? sums.get(slot) : new SlotTimes(0, 0, 0);
                SlotTimes now = new SlotTimes(
                        sum.runNanos() + more[slot].runNanos(),
                        sum.waitNanos() + more[slot].waitNanos(),
                        sum.idleNanos() + more[slot].idleNanos());
                if (slot < sums.size()) {
                    sums.set(slot, now);
                } else {
                    sums.add(now);
                }
            }
            SoftEdges.Step step = edges.step(new EdgeSample(time, compilers, sums));
            changes.addAll(step.changes());
            edges = step.next();
        }
    }

    @Test
    void settingsAreChecked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EdgeSettings(
                        1.5, 0.3, 0.3, Duration.ofMillis(10), Duration.ofSeconds(1), Duration.ofSeconds(1)))
                .withMessageStartingWith("a share of lost time of 1.5: choose one above 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EdgeSettings(
                        0.05, 0.3, 0.31, Duration.ofMillis(10), Duration.ofSeconds(1), Duration.ofSeconds(1)))
                .withMessageStartingWith("shares of waiting compilers 0.31 (calm) and 0.3 (tolerated)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EdgeSettings(
                        0.05, 0.3, 0.3, Duration.ofMillis(10), Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .withMessageStartingWith("an edge that opens after PT0.01S and closes after PT2S to PT1S");
    }
}

package org.berth.cli.bind;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.berth.machines.Goldens;
import org.berth.machines.JsonValues;
import org.berth.observation.memory.MemorySnapshot;
import org.berth.placement.MemoryMode;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;

class BindTextTest {
    private static final CpuSet FOUR = CpuSet.range(4, 7);

    private static LiveState state(Map<Integer, CpuSet> masks, Map<Integer, Long> bytesByNode) {
        return new LiveState(
                LiveState.count(masks),
                Optional.of(new MemorySnapshot(new TreeMap<>(bytesByNode), new TreeMap<>(bytesByNode))),
                "");
    }

    private static BindOutcome outcome() {
        LiveState before = state(
                Map.of(4242, CpuSet.range(0, 7), 4243, CpuSet.range(0, 7), 4244, CpuSet.of(1)),
                Map.of(0, 900L << 20, 1, 100L << 20));
        LiveState after = state(Map.of(4242, FOUR, 4243, CpuSet.of(4), 4244, FOUR), Map.of(1, 1000L << 20));
        return new BindOutcome(
                4242,
                "java",
                CpuSet.range(0, 7),
                FOUR,
                NodeSet.of(1),
                List.of(new ThreadSlots.Assigned(4243, "Executor \u001b[31m task 1", "Executor*", 0, CpuSet.of(4))),
                Optional.of(before),
                Optional.of(after),
                List.of("12 pages could not be moved"),
                Optional.empty());
    }

    @Test
    void showsBeforeAndAfter() {
        Goldens.check("bind/bound.txt", BindText.render(outcome(), 80));
        Goldens.check("bind/bound.json", BindJson.render("berth-bind", false, List.of(outcome())));
    }

    @Test
    void namesOfThreadsCannotSteerTheTerminal() {
        assertThat(BindText.render(outcome(), 80)).doesNotContain("\u001b");
    }

    @Test
    void theNoteOfAPolicyIsASentence() {
        for (MemoryMode mode : MemoryMode.values()) {
            List<String> notes = MemoryNotes.policy(Optional.of(mode), NodeSet.range(0, 1));
            assertThat(notes)
                    .hasSize(mode == MemoryMode.LOCAL ? 0 : 1)
                    .noneMatch(note -> note.matches(".*[,;.] *[,;.].*"));
        }
        assertThat(MemoryNotes.policy(Optional.of(MemoryMode.INTERLEAVE), NodeSet.range(0, 1)))
                .singleElement()
                .asString()
                .startsWith(
                        "memory interleave: in a running process only present pages can be migrated to nodes 0-1, not interleaved;"
                                + " only a thread itself can set its policy");
    }

    @Test
    void whatFailedSaysOnlyWhy() {
        BindOutcome failed = BindOutcome.failed(7, "?", "cannot find process 7");
        assertThat(BindText.render(failed, 80)).isEmpty();
        assertThat(JsonValues.object(BindJson.render("berth-unbind", false, List.of(failed)))
                        .toString())
                .contains("failure=cannot find process 7")
                .doesNotContain("before");
    }
}

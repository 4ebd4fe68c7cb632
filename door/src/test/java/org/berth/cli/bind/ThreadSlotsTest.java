package org.berth.cli.bind;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.berth.cli.bind.ThreadSlots.Named;
import org.berth.cli.shared.jvm.ThreadNames;
import org.berth.machines.Machines;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.ThreadRule;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;

class ThreadSlotsTest {
    private static final List<ThreadRule> RULES = List.of(ThreadRule.of("first*"), ThreadRule.of("*worker-?"));

    @Test
    void theFirstRuleThatFitsCounts() {
        ThreadNames names =
                new ThreadNames(Map.of(7, "first worker-1", 8, "a worker-2", 9, "GC Thread#0"), Map.of(), "");
        ThreadSlots.Match match = ThreadSlots.match(RULES, names);
        assertThat(match.named())
                .containsExactlyInAnyOrder(
                        new Named(7, "first worker-1", "first*"), new Named(8, "a worker-2", "*worker-?"));
        assertThat(match.notes()).isEmpty();
        assertThat(match.unmatched()).isEmpty();
    }

    @Test
    void onlyARuleThatNoNameMatchesIsUnmatched() {
        ThreadNames names = new ThreadNames(Map.of(7, "a worker-1"), Map.of(), "");
        List<ThreadRule> rules = List.of(ThreadRule.of("*worker*"), ThreadRule.of("a w*"), ThreadRule.of("wroker*"));
        assertThat(ThreadSlots.match(rules, names).unmatched()).containsExactly("no thread matches rule 'wroker*'");
    }

    @Test
    void theLeastUsedSlotIsNext() {
        PlacementPlan plan = PlacementPolicies.byLevel()
                .plan(TopologyXml.parse(Machines.xml("8em64t-2s2ca2c")), PlacementRequest.of(AffinityLevel.PU, 1, 3));
        List<Named> threads =
                List.of(new Named(1, "a", "*"), new Named(2, "b", "*"), new Named(3, "c", "*"), new Named(4, "d", "*"));
        ThreadSlots slots = ThreadSlots.assign(new ThreadSlots.Match(threads, List.of(), List.of()), plan.slots());
        assertThat(slots.assigned()).extracting(ThreadSlots.Assigned::slot).containsExactly(0, 1, 2, 0);
        Map<Integer, CpuSet> cpus = slots.cpusByThread();
        assertThat(cpus.get(4))
                .isEqualTo(cpus.get(1))
                .isEqualTo(plan.slots().get(0).cpus());
    }

    @Test
    void idsOfAContainerAreTranslated() {
        String print = """
                "main" #1 prio=5 os_prio=0 cpu=1ms elapsed=1s tid=0x1 nid=0x2 runnable
                "gone" #2 prio=5 os_prio=0 cpu=1ms elapsed=1s tid=0x1 nid=0x9 runnable
                """;
        assertThat(ThreadNames.byKnownId(print, Map.of(4001, 1, 4002, 2))).containsExactly(Map.entry(4002, "main"));
    }
}

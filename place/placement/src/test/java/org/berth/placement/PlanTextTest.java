package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.SplittableRandom;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanTextTest {
    private static final PlacementPlan PLAN = PlacementPlan.of(
                    AffinityLevel.CORE,
                    MemoryMode.BIND,
                    CpuSet.range(0, 15),
                    List.of(
                            Slot.of(0, CpuSet.of(0, 8))
                                    .withMemoryNodes(NodeSet.of(0))
                                    .withReason("core L#0 (PUs 0,8) of package L#0"),
                            Slot.of(1, CpuSet.of(1, 9)),
                            Slot.of(2, CpuSet.range(4, 6))
                                    .withThread(1, 0)
                                    .withRole("gc-1")
                                    .withMemoryNodes(NodeSet.of(0, 1))
                                    .withReason(" cpus=7 blanks kept ")))
            .withOversubscribed(true)
            .withRules(List.of(new ThreadRule("Executor task launch worker*", "task"), new ThreadRule("", "gc-1")))
            .withNotes(List.of("package L#0: 3 threads share 2 cores", "# not a comment, ä, 🚢"));

    private static final String TEXT = """
            berth-plan 1
            level core
            memory bind
            allowed 0-15
            oversubscribed yes
            note package L#0: 3 threads share 2 cores
            note # not a comment, ä, 🚢
            rule role=task glob=Executor task launch worker*
            rule role=gc-1 glob=
            slot index=0 worker=0 thread=0 role=task cpus=0,8 nodes=0 reason=core L#0 (PUs 0,8) of package L#0
            slot index=1 worker=0 thread=1 role=task cpus=1,9 nodes= reason=
            slot index=2 worker=1 thread=0 role=gc-1 cpus=4-6 nodes=0-1 reason= cpus=7 blanks kept\s
            """;

    @Test
    void writesTheContract() {
        assertThat(PLAN.toText()).isEqualTo(TEXT);
    }

    @Test
    void readsBackExactly() {
        assertThat(PlacementPlan.parse(TEXT)).isEqualTo(PLAN);
    }

    @Test
    void skipsCommentsAndEmptyLines() {
        String decorated = "# a plan\n\n" + TEXT.replace("\n", "\n\n# comment\n") + "\n\n";
        assertThat(PlacementPlan.parse(decorated)).isEqualTo(PLAN);
        assertThat(PlacementPlan.parse(TEXT.stripTrailing()))
                .hasToString(PlacementPlan.parse(TEXT.stripTrailing()).toString());
    }

    @Test
    void readsTheLevelOfEarlierVersions() {
        PlacementPlan plan = PlacementPlan.parse(TEXT.replace("level core", "level cpu"));
        assertThat(plan.level()).isEqualTo(AffinityLevel.PACKAGE);
        assertThat(plan.toText()).contains("\nlevel package\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    berth-plan 1         | berth-plan 2         | plan line 1: plan version '2' is not 1
                    berth-plan 1         | berth-plan           | plan line 1: plan version '' is not 1
                    berth-plan 1         | berth-plan  1        | plan line 1: plan version ' 1' is not 1
                    berth-plan 1         | hello                | plan line 1: 'hello' stands where 'berth-plan' should
                    level core           | level socket         | plan line 2: unknown affinity level 'socket': choose one of none, numa, package, l3, core, pu
                    level core           | level CORE           | plan line 2: unknown affinity level 'CORE'
                    memory bind          | memory near          | plan line 3: unknown memory mode 'near': choose one of local, bind, prefer, interleave, weighted, bind-balance, prefer-balance
                    allowed 0-15         | allowed 0-           | plan line 4: '0-' is not a list
                    allowed 0-15         | allowed 0-999999     | plan line 4: '0-999999' is not a list
                    allowed 0-15         | allowed 9-3          | plan line 4:
                    allowed 0-15         | allowed 0-7          | slot 0 has CPUs 8 outside the allowed set 0-7
                    oversubscribed yes   | oversubscribed maybe | plan line 5: 'maybe' is neither yes nor no
                    oversubscribed yes   | colour red           | plan line 5: 'colour' stands where 'oversubscribed' should
                    rule role=gc-1 glob= | rule glob= role=gc-1 | plan line 9: 'role=' is missing or out of order
                    rule role=gc-1 glob= | rule role=io glob=x  | thread rule 'x' hands out role 'io', which no slot has
                    rule role=gc-1 glob= | rule role=a/b glob=x | plan line 9: role 'a/b' is not a word
                    rule role=gc-1 glob= | rule role=gc-1       | plan line 9: the line ends after 'role='
                    rule role=gc-1 glob= | gremlin              | plan line 9: 'gremlin' is unknown or out of order here
                    slot index=0         | slot index=1         | slot 1 stands at position 0
                    slot index=0         | slot index=00        | plan line 10: '00' is not a plain number
                    slot index=0         | slot index=-1        | plan line 10: '-1' is not a plain number
                    worker=1             | worker=2             | worker 1 has no slot
                    worker=1             | worker=999999999     | slot 2 belongs to worker 999999999
                    cpus=1,9             | cpus=                | plan line 11: slot 1 needs a finite set of CPUs, at least one
                    cpus=1,9             | cpus=99999999999     | plan line 11: '99999999999' is not a list
                    reason=core          | raison=core          | plan line 10: 'reason=' is missing or out of order
                    """)
    void saysWhatIsWrongAndWhere(String before, String after, String message) {
        String broken = TEXT.replace(before, after);
        assertThat(broken).isNotEqualTo(TEXT);
        assertThatThrownBy(() -> PlacementPlan.parse(broken))
                .isInstanceOf(PlacementException.class)
                .hasMessageStartingWith("plan")
                .hasMessageContaining(message)
                .hasMessageNotContaining("\n");
    }

    @Test
    void saysWhereATextEndsTooEarly() {
        assertThatThrownBy(() -> PlacementPlan.parse(""))
                .isInstanceOf(PlacementException.class)
                .hasMessage("plan: the text ends where 'berth-plan' is expected");
        assertThatThrownBy(() -> PlacementPlan.parse("berth-plan 1\nlevel core\n"))
                .isInstanceOf(PlacementException.class)
                .hasMessage("plan: the text ends where 'memory' is expected");
        assertThatThrownBy(() -> PlacementPlan.parse(TEXT.substring(0, TEXT.indexOf("slot"))))
                .isInstanceOf(PlacementException.class)
                .hasMessage("plan: a plan needs at least one slot");
    }

    @Test
    void carriageReturnsAreNamedAsWhatTheyAre() {
        assertThatThrownBy(() -> PlacementPlan.parse(TEXT.replace("\n", "\r\n")))
                .isInstanceOf(PlacementException.class)
                .hasMessageContaining("plan version '1?' is not 1");
    }

    /** Whatever happens to a plan on its way, it is either read as a plan that writes itself back, or refused in one line. */
    @Test
    void survivesRandomDamage() {
        long seed = Long.getLong("berth.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        int read = 0;
        for (int i = 0; i < 20_000; i++) {
            String damaged = Damage.some(TEXT, random);
            try {
                PlacementPlan plan = PlacementPlan.parse(damaged);
                read++;
                assertThat(PlacementPlan.parse(plan.toText()))
                        .as("seed %s, text %s", seed, damaged)
                        .isEqualTo(plan);
            } catch (PlacementException refused) {
                assertThat(refused)
                        .as("seed %s, text %s", seed, damaged)
                        .hasMessageStartingWith("plan")
                        .hasMessageNotContainingAny("\n", "\r", "null");
            } catch (RuntimeException wrong) {
                throw new AssertionError("seed " + seed + ", text " + damaged, wrong);
            }
        }
        assertThat(read).as("plans that survived, seed %s", seed).isBetween(100, 19_000);
    }
}

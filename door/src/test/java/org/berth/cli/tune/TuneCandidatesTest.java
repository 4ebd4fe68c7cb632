package org.berth.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.berth.binding.discovery.Discovery;
import org.berth.cli.compare.arms.UserArm;
import org.berth.placement.OrderedLevel;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.junit.jupiter.api.Test;

final class TuneCandidatesTest {
    private static TuneCandidates candidates(Topology machine, Integer... threads) {
        return TuneCandidates.of(machine, OrderedLevel.ALL, List.of(threads), List.of());
    }

    private static List<String> lines(TuneCandidates candidates) {
        return candidates.list().stream()
                .map(one -> one.name() + " " + one.options() + " " + one.cpus().orElseThrow())
                .toList();
    }

    @Test
    void aServerRacesItsPartsItsCoresAndSmt() {
        // PU 2n and 2n+1 are of one core.
        TuneCandidates candidates = candidates(Discovery.synthetic("pack:2 [numa] l3:1 core:4 pu:2"));
        assertThat(lines(candidates))
                .containsExactly(
                        "none --level none 0-15",
                        "numa --domain numa 0-7",
                        "core-2 --level core --threads 2 0-3",
                        // Each thread on a core of its own, in both packages; no-smt has the same CPUs.
                        "pu-8 --level pu --threads 8 0,2,4,6,8,10,12,14",
                        "pu-4 --level pu --threads 4 0,2,4,6",
                        "pu-2 --level pu --threads 2 0,2");
        assertThat(candidates.dropped())
                .containsExactly(
                        "package: same as numa on this machine (CPUs 0-7)",
                        "l3-pack: same as numa on this machine (CPUs 0-7)",
                        "l3-spread: same as numa on this machine (CPUs 0-7)",
                        "core-4: same as numa on this machine (CPUs 0-7)",
                        "no-smt: same as pu-8 on this machine (CPUs 0,2,4,6,8,10,12,14)");
    }

    /** The same number of cores, in one L3 cache and from all of them in turn. */
    @Test
    void severalCachesRaceFilledAndSpreadOver() {
        assertThat(lines(candidates(Discovery.synthetic("pack:1 [numa] l3:2 core:4 pu:1"))))
                .contains("l3-pack --domain l3 0-3", "l3-spread --level core-spread --threads 4 0-1,4-5");
    }

    @Test
    void countsOfOnesOwnReplaceThoseOfTheMachine() {
        assertThat(lines(candidates(Discovery.synthetic("pack:1 core:4 pu:1"), 3, 1)))
                .containsExactly(
                        "none --level none 0-3",
                        "core-3 --level core --threads 3 0-2",
                        "core-1 --level core --threads 1 0");
    }

    @Test
    void onlyCpusThatMayBeUsed() {
        Topology machine = Discovery.synthetic("pack:2 core:4 pu:2").withAllowed(CpuSet.range(8, 11), NodeSet.full());
        assertThat(lines(candidates(machine)))
                .containsExactly(
                        "none --level none 8-11",
                        "core-1 --level core --threads 1 8-9",
                        "pu-2 --level pu --threads 2 8,10",
                        "pu-1 --level pu --threads 1 8");
    }

    @Test
    void oneCpuLeavesNothingToTune() {
        assertThat(candidates(Discovery.synthetic("pack:1 core:1 pu:1")).list()).hasSize(1);
    }

    @Test
    void theLineIsOneForAShell() {
        Topology machine = Discovery.synthetic("pack:1 core:4 pu:1");
        TuneCandidate candidate = RunCandidate.of(
                UserArm.parse("x=A='b c' --level core --threads 2"),
                machine,
                List.of("my program", "-j{cpucount}"),
                Optional.empty());
        assertThat(candidate.line()).isEqualTo("A='b c' berth run --level core --threads 2 -- 'my program' -j2");
    }
}

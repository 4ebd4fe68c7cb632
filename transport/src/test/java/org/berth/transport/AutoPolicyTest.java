package org.berth.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.binding.Discovery;
import org.berth.binding.LocalMachine;
import org.berth.binding.SlotBinder;
import org.berth.placement.AffinityLevel;
import org.berth.placement.DevicePolicy;
import org.berth.placement.PlacementPolicies;
import org.berth.placement.PlacementRequest;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.transport.WakeupCosts.Distance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The policy that the engine chooses itself. */
final class AutoPolicyTest {
    private static AutoPolicy.Facts facts(WaitMode mode, long near, long far, int nearCores, int cores) {
        Map<Distance, Long> nanos = new EnumMap<>(Distance.class);
        if (near > 0) {
            nanos.put(Distance.NEAR, near);
        }
        if (far > 0) {
            nanos.put(Distance.FAR, far);
        }
        return new AutoPolicy.Facts(new WakeupCosts(nanos), mode, nearCores, cores, 2);
    }

    @ParameterizedTest
    @CsvSource({
        // wait, near, far, near cores, cores, bytes, policy
        "EVENT, 5000, 12000, 8, 16, 200, o2acs",
        "EVENT, 5000, 12000, 2, 16, 200, o2ntc",
        "EVENT, 5000, 5100, 8, 16, 200, none",
        "EVENT, 5000, 0, 8, 8, 200, none",
        "EVENT, 5000, 12000, 8, 16, 100000, o2ocs",
        "EVENT, 5000, 0, 8, 8, 100000, o2ocs",
        "HYBRID, 5000, 12000, 2, 16, 100000, o2occ",
        "SPIN, 5000, 12000, 8, 16, 200, o2ocs",
        "SPIN, 5000, 12000, 2, 16, 200, o2occ",
        "SPIN, 5000, 0, 2, 2, 200, none",
        "EVENT, 5000, 0, 2, 2, 100000, none",
        "EVENT, 0, 0, 1, 1, 100000, none",
        "EVENT, 0, 9000, 1, 16, 100, none",
    })
    void followsCostsAndSizes(WaitMode mode, long near, long far, int nearCores, int cores, long bytes, String policy) {
        AutoPolicy.Choice choice = AutoPolicy.choose(facts(mode, near, far, nearCores, cores), bytes);
        assertThat(choice.policy().map(DevicePolicy::word).orElse("none")).isEqualTo(policy);
        assertThat(choice.reason()).isNotBlank();
    }

    @Test
    void pairsAreAsFarAsTheirNames() {
        Topology two = Discovery.synthetic("pack:2 [numa] core:2 pu:2");
        assertThat(WakeupCosts.pairs(two, CpuSet.range(4, 7)))
                .isEqualTo(Map.of(
                        Distance.SAME_CPU, List.of(4, 4),
                        Distance.SAME_CORE, List.of(4, 5),
                        Distance.NEAR, List.of(4, 6),
                        Distance.FAR, List.of(4, 0)));
        Topology one = Discovery.synthetic("pack:1 core:2 pu:1");
        assertThat(WakeupCosts.pairs(one, one.cpuSet()))
                .isEqualTo(Map.of(Distance.SAME_CPU, List.of(0, 0), Distance.NEAR, List.of(0, 1)));
        assertThat(WakeupCosts.pairs(one, CpuSet.empty())).isEmpty();
    }

    @Test
    void thisMachineIsMeasured() {
        LocalMachine machine = LocalMachine.open();
        CpuSet before = machine.binder().threadCpus();
        CpuSet allowed = machine.topology().allowedCpuSet();
        WakeupCosts costs = WakeupCosts.measure(machine.topology(), machine.binder(), allowed);
        assertThat(costs.nanos().keySet())
                .isEqualTo(WakeupCosts.pairs(machine.topology(), allowed).keySet());
        assertThat(costs.nanos().values()).allSatisfy(nanos -> assertThat(nanos).isPositive());
        assertThat(costs.toString()).startsWith("wake-ups cost ").contains("µs on the same CPU");
        assertThat(machine.binder().threadCpus()).isEqualTo(before);
    }

    /** Sizes that stay change the policy after two looks; the thread then has the mask of the new one. */
    @Test
    void aChangeOfSizesMovesTheThread() {
        LocalMachine machine = LocalMachine.open();
        Topology topology = machine.topology();
        assumeTrue(topology.allowedCpuSet().size() > 1, "one CPU: there is one place only");
        CpuSet before = machine.binder().threadCpus();
        List<DevicePolicy> asked = new ArrayList<>();
        Counters counters = new Counters();
        AutoPlaces places = new AutoPlaces("moves", facts(WaitMode.EVENT, 5000, 0, 8, 8), counters, policy -> {
            asked.add(policy);
            return SlotBinder.of(
                    machine.binder(),
                    PlacementPolicies.byLevel().plan(topology, PlacementRequest.of(AffinityLevel.PU, 1, 2)));
        });
        places.bind();
        assertThat(machine.binder().threadCpus()).isEqualTo(before);

        long now = System.nanoTime();
        now = second(places, counters, now, 1 << 20);
        assertThat(places.policy()).as("after one look").isEmpty();
        now = second(places, counters, now, 1 << 20);
        assertThat(places.policy()).isEqualTo(Optional.of(DevicePolicy.O2OCS));
        assertThat(asked).containsExactly(DevicePolicy.O2OCS);
        places.bind();
        assertThat(machine.binder().threadCpus().size()).isEqualTo(1);

        now = second(places, counters, now, 100);
        second(places, counters, now, 100);
        assertThat(places.policy()).isEmpty();
        places.bind();
        assertThat(machine.binder().threadCpus()).isEqualTo(before);
    }

    private static long second(AutoPlaces places, Counters counters, long nowNanos, long messageBytes) {
        counters.messagesSent.add(2000);
        counters.bytesSent.add(2000 * messageBytes);
        long later = nowNanos + 2_000_000_000L;
        places.look(later);
        return later;
    }
}

package org.berth.cli.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.arguments.MemoryArgument;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.OrderedLevel;
import org.berth.placement.PlacementPolicy;
import org.berth.placement.PlacementRequest;
import org.berth.placement.ThreadRule;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/**
 * The values of {@link PlacementOptions}, checked as far as that is possible without a machine.
 *
 * @param level none with a policy, which does not use it
 * @param device a policy near a device, instead of a level
 * @param cpus only these CPUs; the set may have an open end
 * @param near only the CPUs near this device
 * @param rules thread names that get single slots
 */
public record Placement(
        OrderedLevel level,
        Optional<DeviceChoice> device,
        Optional<CpuSet> cpus,
        Optional<String> near,
        MemoryArgument memory,
        List<ThreadRule> rules) {
    public Placement {
        rules = List.copyOf(rules);
    }

    /** A level on all allowed CPUs, with the kernel's memory policy. */
    public static Placement of(AffinityLevel level) {
        return of(OrderedLevel.of(level));
    }

    /** A level in this order on all allowed CPUs, with the kernel's memory policy. */
    public static Placement of(OrderedLevel level) {
        return new Placement(
                level,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                MemoryArgument.of(MemoryMode.LOCAL),
                List.of());
    }

    /** The same on these CPUs only. */
    public Placement withCpus(CpuSet only) {
        return new Placement(level, device, Optional.of(only), near, memory, rules);
    }

    /** The same with another use of memory. */
    public Placement withMemory(MemoryArgument other) {
        return new Placement(level, device, cpus, near, other, rules);
    }

    /** The same on the CPUs near a device only. */
    public Placement withNear(String name) {
        return new Placement(level, device, cpus, Optional.of(name), memory, rules);
    }

    /** The policy that makes the plan. */
    public PlacementPolicy policy() {
        return device.map(choice -> PlacementPolicies.nearDevice(choice.policy(), choice.hardwareThreads()))
                .orElseGet(PlacementPolicies::byLevel);
    }

    /** The request for a machine; a usage error when the machine does not have what is named. */
    public PlacementRequest request(Topology topology, int workers, int threadsPerWorker) {
        PlacementRequest request = PlacementRequest.of(level.level(), workers, threadsPerWorker)
                .withLevel(level)
                .withMemory(memory.mode(), memory.place(topology))
                .withRules(rules);
        return Arguments.within(request, cpus, near, topology);
    }

    /** The options that give the same placement. */
    public List<String> options() {
        List<String> words = new ArrayList<>();
        if (device.isPresent()) {
            words.addAll(List.of("--policy", device.get().policy().word()));
            if (device.get().hardwareThreads() > 0) {
                words.addAll(List.of(
                        "--hardware-threads", Integer.toString(device.get().hardwareThreads())));
            }
        } else {
            words.addAll(List.of("--level", level.word()));
        }
        near.ifPresent(name -> words.addAll(List.of("--near", name)));
        cpus.ifPresent(set -> words.addAll(List.of("--cpus", set.toString())));
        if (memory.given() || memory.mode() != MemoryMode.LOCAL) {
            words.addAll(List.of("--memory", memory.text()));
        }
        rules.forEach(rule -> words.addAll(List.of("--rule", rule.glob())));
        return words;
    }
}

package org.berth.spark.threads;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.berth.observation.Reading;
import org.berth.placement.AffinityLevel;
import org.berth.placement.DevicePolicy;
import org.berth.placement.PlacementException;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.Slot;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/**
 * The slots of each role, which its threads take in turn; threads of a role without slots are not bound. A pure function.
 *
 * @param cpus the slots by role
 * @param notes requests that could not be met, one line each
 */
record ServiceSlots(Map<ServiceRole, List<CpuSet>> cpus, List<String> notes) {
    /** Service threads would queue on fewer than an eighth of the domain's CPUs, so they then get all of it. */
    private static final int MIN_FRACTION = 8;

    /** @param card the network card, which the topology may lack, for instance in a container */
    static ServiceSlots of(
            Topology topology, CpuSet domain, List<CpuSet> taskSlots, ServiceSettings settings, Reading<String> card) {
        List<String> notes = new ArrayList<>();
        CpuSet spare = spare(domain, taskSlots);
        CpuSet network = nearCard(topology, domain, card, notes).orElse(spare);
        Map<ServiceRole, List<CpuSet>> cpus = new EnumMap<>(ServiceRole.class);
        for (ServiceRole role : ServiceRole.values()) {
            CpuSet usual = role.needsAllOfTheDomain() ? domain : role.usesNetwork() ? network : spare;
            ServiceTarget target = settings.target(role);
            List<CpuSet> sets = switch (target.kind()) {
                case OFF -> List.of();
                case AUTO -> List.of(usual);
                case DOMAIN -> List.of(domain);
                case SLOT -> backwards(taskSlots, domain);
                case CPUS -> List.of(allowed(topology, target.cpus(), usual, settings.settingOf(role), notes));
                case POLICY -> policy(topology, Objects.requireNonNull(target.policy()), card, usual, notes);
            };
            if (!sets.isEmpty()) {
                cpus.put(role, sets);
            }
        }
        List<CpuSet> starters = cpus.getOrDefault(ServiceRole.DISPATCHER, List.of(domain));
        if (taskSlots.isEmpty() && !starters.equals(List.of(domain))) {
            notes.add("dispatcher threads start those of tasks: tasks without a slot of their own will run on CPUs "
                    + starters.get(0));
        }
        return new ServiceSlots(Map.copyOf(cpus), notes.stream().distinct().toList());
    }

    /** The CPUs of the domain that are in no task slot, or all of it when those are too few. */
    private static CpuSet spare(CpuSet domain, List<CpuSet> taskSlots) {
        CpuSet rest = domain;
        for (CpuSet slot : taskSlots) {
            rest = rest.minus(slot);
        }
        return rest.isEmpty() || rest.size() * MIN_FRACTION < domain.size() ? domain : rest;
    }

    /** The CPUs near the card when they are outside the domain but in the same package. */
    private static Optional<CpuSet> nearCard(
            Topology topology, CpuSet domain, Reading<String> card, List<String> notes) {
        Optional<TopologyObject> device = card.value().flatMap(topology::device);
        if (device.isEmpty()) {
            card.value()
                    .ifPresent(name -> notes.add("this machine does not say where the network card " + name
                            + " is: network threads stay in the domain"));
            return Optional.empty();
        }
        CpuSet near = topology.locality(device.get()).cpus();
        if (near.intersects(domain)) {
            return Optional.empty();
        }
        String where = "the network card " + card.orElse("") + " is near CPUs " + near;
        boolean together = topology.objectsIntersecting(domain, ObjectType.PACKAGE).stream()
                .anyMatch(socket ->
                        socket.cpuSet().containsAll(domain) && socket.cpuSet().containsAll(near));
        if (!together) {
            notes.add(where + ", in another package than the domain: network threads stay in the domain");
            return Optional.empty();
        }
        CpuSet usable = near.intersection(topology.allowedCpuSet());
        if (usable.isEmpty()) {
            notes.add(where + ", which this process may not use: network threads stay in the domain");
            return Optional.empty();
        }
        return Optional.of(usable);
    }

    private static CpuSet allowed(Topology topology, CpuSet wanted, CpuSet usual, String setting, List<String> notes) {
        CpuSet cpus = wanted.intersection(topology.allowedCpuSet());
        if (!cpus.equals(wanted)) {
            notes.add(setting + ": this process may not use CPUs " + wanted.minus(cpus)
                    + (cpus.isEmpty() ? ", so these threads are placed as with auto" : ""));
        }
        return cpus.isEmpty() ? usual : cpus;
    }

    /** Tasks take the first free slot, so the last one is the least used. */
    private static List<CpuSet> backwards(List<CpuSet> taskSlots, CpuSet domain) {
        List<CpuSet> sets = new ArrayList<>();
        for (int i = taskSlots.size() - 1; i >= 0; i--) {
            sets.add(taskSlots.get(i));
        }
        return sets.isEmpty() ? List.of(domain) : sets;
    }

    private static List<CpuSet> policy(
            Topology topology, DevicePolicy policy, Reading<String> card, CpuSet usual, List<String> notes) {
        String reason = "no network card is known (" + card.reason() + "), name one by " + ServiceSettings.NETWORK_CARD;
        if (card.value().isPresent()) {
            PlacementRequest request = PlacementRequest.of(
                            AffinityLevel.NONE, 1, topology.allowedCpuSet().size())
                    .withNearDevice(card.orElse(""));
            try {
                PlacementPlan plan = PlacementPolicies.nearDevice(policy, 0).plan(topology, request);
                return plan.slots().stream().map(Slot::cpus).distinct().toList();
            } catch (PlacementException e) {
                reason = String.valueOf(e.getMessage());
            }
        }
        notes.add("policy " + policy.word() + " is not possible: " + reason + "; CPUs " + usual + " instead");
        return List.of(usual);
    }
}

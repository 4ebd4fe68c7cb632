package org.berth.spark.threads;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.berth.placement.AffinityLevel;
import org.berth.placement.DevicePolicy;
import org.berth.placement.PlacementException;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementPolicies;
import org.berth.placement.PlacementRequest;
import org.berth.placement.Slot;
import org.berth.topology.CpuSet;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;

/**
 * The CPUs of each role: its threads take the sets of a role in turn; a role that is not there is left alone. Pure.
 *
 * @param cpus by role
 * @param notes what could not be had as asked, one line each
 */
record ServicePlaces(Map<ServiceRole, List<CpuSet>> cpus, List<String> notes) {
    /** So many of the domain's CPUs must be left by the tasks; fewer would be a queue for all service threads. */
    private static final int LEAST_SHARE = 8;

    /** Names the network card only when it is one of the machine's, as in a container it may not be. */
    static ServicePlaces of(
            Topology topology, CpuSet domain, List<CpuSet> taskSlots, ServiceSettings settings, Optional<String> card) {
        List<String> notes = new ArrayList<>();
        CpuSet spare = spare(domain, taskSlots);
        CpuSet network = nearCard(topology, domain, card, notes).orElse(spare);
        Map<ServiceRole, List<CpuSet>> cpus = new EnumMap<>(ServiceRole.class);
        for (ServiceRole role : ServiceRole.values()) {
            CpuSet usual = role.needsAllOfTheDomain() ? domain : role.usesNetwork() ? network : spare;
            ServicePlace place = settings.place(role);
            List<CpuSet> sets = switch (place.kind()) {
                case OFF -> List.of();
                case AUTO -> List.of(usual);
                case DOMAIN -> List.of(domain);
                case SLOT -> backwards(taskSlots, domain);
                case CPUS -> List.of(allowed(topology, place.cpus(), usual, role, notes));
                case POLICY -> policy(topology, Objects.requireNonNull(place.policy()), card, usual, notes);
            };
            if (!sets.isEmpty()) {
                cpus.put(role, sets);
            }
        }
        List<CpuSet> starters = cpus.getOrDefault(ServiceRole.DISPATCHER, List.of(domain));
        if (taskSlots.isEmpty() && !starters.equals(List.of(domain))) {
            notes.add("dispatcher threads start those of tasks: tasks without a place of their own will be on CPUs "
                    + starters.get(0));
        }
        return new ServicePlaces(Map.copyOf(cpus), notes.stream().distinct().toList());
    }

    /** What the tasks leave of the domain, or all of it when that is too little for anybody. */
    private static CpuSet spare(CpuSet domain, List<CpuSet> taskSlots) {
        CpuSet rest = domain;
        for (CpuSet slot : taskSlots) {
            rest = rest.minus(slot);
        }
        return rest.isEmpty() || rest.size() * LEAST_SHARE < domain.size() ? domain : rest;
    }

    /** The CPUs near the card, when those are in another part of the package that the domain is in. */
    private static Optional<CpuSet> nearCard(
            Topology topology, CpuSet domain, Optional<String> card, List<String> notes) {
        Optional<TopologyObject> device = card.flatMap(topology::device);
        if (device.isEmpty()) {
            card.ifPresent(name -> notes.add("this machine does not say where the network card " + name
                    + " is: threads of the network stay in the domain"));
            return Optional.empty();
        }
        CpuSet near = topology.locality(device.get()).cpus();
        if (near.intersects(domain)) {
            return Optional.empty();
        }
        String where = "the network card " + card.get() + " is near CPUs " + near;
        boolean together = topology.objects(ObjectType.PACKAGE).stream()
                .anyMatch(socket ->
                        socket.cpuSet().containsAll(domain) && socket.cpuSet().containsAll(near));
        if (!together) {
            notes.add(where + ", in another package than the domain: threads of the network stay in the domain");
            return Optional.empty();
        }
        CpuSet usable = near.intersection(topology.allowedCpuSet());
        if (usable.isEmpty()) {
            notes.add(where + ", which this process may not use: threads of the network stay in the domain");
            return Optional.empty();
        }
        return Optional.of(usable);
    }

    private static CpuSet allowed(
            Topology topology, CpuSet wanted, CpuSet usual, ServiceRole role, List<String> notes) {
        CpuSet cpus = wanted.intersection(topology.allowedCpuSet());
        if (!cpus.equals(wanted)) {
            notes.add(ServiceSettings.THREADS + "." + role.word() + ": this process may not use CPUs "
                    + wanted.minus(cpus) + (cpus.isEmpty() ? ", so they are on CPUs " + usual : ""));
        }
        return cpus.isEmpty() ? usual : cpus;
    }

    /** Tasks take the first free slot, so the last one is the least busy. */
    private static List<CpuSet> backwards(List<CpuSet> taskSlots, CpuSet domain) {
        List<CpuSet> sets = new ArrayList<>();
        for (int i = taskSlots.size() - 1; i >= 0; i--) {
            sets.add(taskSlots.get(i));
        }
        return sets.isEmpty() ? List.of(domain) : sets;
    }

    private static List<CpuSet> policy(
            Topology topology, DevicePolicy policy, Optional<String> card, CpuSet usual, List<String> notes) {
        String reason = "no network card is known, name one by " + ServiceSettings.NETWORK_CARD;
        if (card.isPresent()) {
            PlacementRequest request = PlacementRequest.of(
                            AffinityLevel.NONE, 1, topology.allowedCpuSet().size())
                    .withNearDevice(card.get());
            try {
                PlacementPlan plan = PlacementPolicies.nearDevice(policy, 0).plan(topology, request);
                return plan.slots().stream().map(Slot::cpus).distinct().toList();
            } catch (PlacementException e) {
                reason = String.valueOf(e.getMessage());
            }
        }
        notes.add("policy " + policy.word() + " cannot be had: " + reason + "; CPUs " + usual + " instead");
        return List.of(usual);
    }
}

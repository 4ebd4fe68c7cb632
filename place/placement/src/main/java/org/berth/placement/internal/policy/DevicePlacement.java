package org.berth.placement.internal.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.berth.placement.AffinityLevel;
import org.berth.placement.DevicePolicy;
import org.berth.placement.PlacementException;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementPolicy;
import org.berth.placement.PlacementRequest;
import org.berth.placement.internal.parts.CpuChoice;
import org.berth.placement.internal.parts.HostPart;
import org.berth.text.ForeignText;
import org.berth.topology.CpuSet;
import org.berth.topology.DeviceLocality;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/**
 * The policy of {@link DevicePolicy}.
 *
 * @param hardwareThreads N, or 0 for the machine's default
 */
public record DevicePlacement(DevicePolicy policy, int hardwareThreads) implements PlacementPolicy {
    @Override
    public PlacementPlan plan(Topology topology, PlacementRequest request) {
        PlanAssembly.requireTaskRules(request);
        String name = request.nearDevice()
                .orElseThrow(() ->
                        new PlacementException("policy " + policy.word() + " needs a device: name one, such as eth0"));
        DeviceLocality device = UsableCpus.locality(topology, name);
        UsableCpus usable = policy.staysNear()
                ? UsableCpus.of(topology, request)
                : new UsableCpus(UsableCpus.everywhere(topology, request).cpus(), UsableCpus.nearness(topology, name));
        CpuSet near = device.cpus().intersection(usable.cpus());
        HardwareThreads perThread =
                HardwareThreads.of(topology, near.isEmpty() ? usable.cpus() : near, hardwareThreads);
        Domains domains = new Domains(topology, usable.cpus());

        List<String> notes = new ArrayList<>();
        notes.add("policy " + policy.word() + ": " + policy.meaning() + "; " + where(topology, name, device));
        if (near.isEmpty()) {
            notes.add("no CPU near " + ForeignText.clean(name) + " may be used: every slot is away from it");
        }
        if (policy.countsHardwareThreads()) {
            notes.add(perThread.note());
        }
        List<CpuChoice> rests = new ArrayList<>();
        List<CpuChoice> full = choices(topology, domains.packages(), perThread.count(), rests, notes);
        // So that no thread shares CPUs while others are free, however few these are.
        List<CpuChoice> choices = Stream.of(full, rests)
                .flatMap(group -> group.stream()
                        .map(choice -> Rated.of(choice, device, topology))
                        .sorted(Comparator.comparing(Rated::remoteness))
                        .map(rated -> rated.explained(policy, ForeignText.clean(name))))
                .toList();
        notes.addAll(domains.notes());
        notes.addAll(FastCores.notes(topology, usable.cpus(), AffinityLevel.NONE));
        // Threads of all workers take these in turn: cores near a device are for all of them.
        CpuChooser chooser =
                (worker, thread) -> choices.get((worker * request.threadsPerWorker() + thread) % choices.size());
        return PlanAssembly.of(topology, request, policy.level(perThread.count()), usable, chooser, notes);
    }

    private List<CpuChoice> choices(
            Topology topology, List<HostPart> domains, int count, List<CpuChoice> rests, List<String> notes) {
        return switch (policy) {
            case O2ACS -> List.of(CpuChoice.anywhereIn(domains.size() == 1 ? domains.get(0) : together(domains)));
            case O2OCS, O2OCC ->
                domains.stream()
                        .flatMap(domain -> domain.cores().stream().map(core -> CpuChoice.core(core, domain)))
                        .toList();
            case O2NTS, O2NTC -> groups(topology, domains, count, rests, notes);
        };
    }

    /** First groups of all cores before second ones: PUs of one core are distributed last. */
    private static List<CpuChoice> groups(
            Topology topology, List<HostPart> domains, int count, List<CpuChoice> rests, List<String> notes) {
        Map<Integer, List<CpuChoice>> choicesByRank = new TreeMap<>();
        for (HostPart domain : domains) {
            PuGroups groups = new PuGroups(topology.root(), domain.cpus(), count);
            for (PuGroups.Group group : groups.groups()) {
                List<CpuChoice> alike =
                        group.rest() ? rests : choicesByRank.computeIfAbsent(group.rank(), key -> new ArrayList<>());
                alike.add(CpuChoice.group(group.pus(), count, domain));
            }
            if (!groups.incomplete().isEmpty()) {
                notes.add(domain.label() + ": fewer than " + count + " usable PUs lie together at "
                        + HostPart.pus(groups.incomplete()) + ", and a thread there gets no more");
            }
            if (!groups.leftOver().isEmpty()) {
                notes.add(
                        domain.label() + ": " + HostPart.pus(groups.leftOver()) + " in smaller groups, taken last, as "
                                + "groups of " + count + " do not fill what lies together");
            }
        }
        return choicesByRank.values().stream().flatMap(List::stream).toList();
    }

    private static HostPart together(List<HostPart> domains) {
        CpuSet cpus = domains.stream().map(HostPart::cpus).reduce(CpuSet.empty(), CpuSet::union);
        return new HostPart("all that is near", List.of(), cpus, List.of());
    }

    /** "ib0 is near package L#1". */
    private static String where(Topology topology, String name, DeviceLocality device) {
        List<TopologyObject> packages = topology.objectsIntersecting(device.cpus(), ObjectType.PACKAGE);
        String near = packages.isEmpty()
                ? "this machine"
                : HostPart.label(
                        "package",
                        packages.stream().map(TopologyObject::logicalIndex).toList());
        boolean whole = packages.stream().allMatch(socket -> device.cpus().containsAll(socket.cpuSet()));
        String part = whole ? "" : device.near() + " (" + HostPart.pus(device.cpus()) + "), a part of ";
        return ForeignText.clean(name + " is near " + part + near);
    }

    /** A choice and how far it is from the device, which is costly to find out. */
    private record Rated(CpuChoice choice, Remoteness remoteness) {
        static Rated of(CpuChoice choice, DeviceLocality device, Topology topology) {
            return new Rated(choice, Remoteness.of(choice.cpus, device, topology));
        }

        CpuChoice explained(DevicePolicy policy, String name) {
            String distance = remoteness.distance() > 0 ? " (distance " + remoteness.distance() + ")" : "";
            String where = remoteness.away() ? ", away from " + name + distance : ", near " + name;
            return choice.explained(policy.word() + ": ", where);
        }
    }
}

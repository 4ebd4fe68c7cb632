package org.berth.placement.internal.dynamic;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.berth.observation.internal.devices.DeviceInterrupts;
import org.berth.observation.internal.devices.Interrupt;
import org.berth.observation.internal.devices.InterruptMap;
import org.berth.placement.internal.parts.Core;
import org.berth.placement.internal.parts.HostPart;
import org.berth.placement.internal.policy.Domains;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/**
 * Which interrupts to move so that those of disks and those of network adapters are handled on different packages, as
 * "Dynamic core affinity for high-performance file upload on HDFS" recommends. A pure function; moves nothing.
 * Immutable.
 *
 * <p>The networks' package is the one that costs least: a disk that would have to leave its own package counts twice,
 * as disk I/O is the more sensitive, an adapter once. Disks stay on their package unless it is the networks'. In a
 * package, interrupts take one PU of each core in turn. A machine with one package is divided by cores.
 *
 * @param moves what to move; empty when all is where it should be
 * @param notes what was found and decided, for the user
 * @since 0.1.0
 */
public record InterruptSpread(List<InterruptMove> moves, List<String> notes) {
    /** Copies the lists. */
    public InterruptSpread {
        moves = List.copyOf(moves);
        notes = List.copyOf(notes);
    }

    /**
     * Spreads the interrupts of all disks and adapters of a machine; interrupts that only signal a device's state are
     * left alone. */
    public static InterruptSpread of(Topology topology, InterruptMap map) {
        List<DeviceInterrupts> disks = of(map, DeviceInterrupts.Kind.DISK);
        List<DeviceInterrupts> networks = of(map, DeviceInterrupts.Kind.NETWORK);
        if (disks.isEmpty() || networks.isEmpty()) {
            String missing = disks.isEmpty() ? "disk" : "network adapter";
            return new InterruptSpread(
                    List.of(), List.of("no " + missing + " has interrupts of its own: there is nothing to keep apart"));
        }
        List<HostPart> packages = new Domains(topology, topology.cpuSet()).packages();
        List<String> notes = new ArrayList<>();
        Parts parts = packages.size() > 1 ? parts(packages, disks, networks, notes) : halves(packages.get(0), notes);
        if (parts.network.isEmpty()) {
            return new InterruptSpread(List.of(), notes);
        }
        List<InterruptMove> moves = new ArrayList<>();
        Set<Integer> done = new TreeSet<>();
        Dealer toNetwork = new Dealer(topology, parts.network);
        for (DeviceInterrupts network : networks) {
            toNetwork.deal(network, parts.networkLabel, done, moves);
        }
        for (DeviceInterrupts disk : disks) {
            HostPart domain = parts.domainOf(disk);
            parts.dealer(topology, domain).deal(disk, domain.label(), done, moves);
        }
        if (moves.isEmpty()) {
            notes.add("all interrupts are where they should be");
        }
        return new InterruptSpread(moves, notes);
    }

    private static List<DeviceInterrupts> of(InterruptMap map, DeviceInterrupts.Kind kind) {
        return map.devices().stream()
                .filter(device -> device.kind() == kind && !device.interrupts().isEmpty())
                .toList();
    }

    private static Parts parts(
            List<HostPart> packages,
            List<DeviceInterrupts> disks,
            List<DeviceInterrupts> networks,
            List<String> notes) {
        HostPart best = packages.get(0);
        long least = Long.MAX_VALUE;
        for (HostPart candidate : packages) {
            long cost = 2 * disks.stream().filter(disk -> isAt(disk, candidate)).count()
                    + networks.stream()
                            .filter(network -> isElsewhere(network, candidate))
                            .count();
            if (cost < least) {
                best = candidate;
                least = cost;
            }
        }
        HostPart network = best;
        List<HostPart> others = packages.stream()
                .filter(candidate -> !candidate.equals(network))
                .toList();
        notes.add("network interrupts go to " + network.label() + ", those of disks to "
                + (others.size() == 1 ? others.get(0).label() : "the others"));
        return new Parts(network.cpus(), network.label(), others, new HashMap<>());
    }

    /** One package: at least other cores. */
    private static Parts halves(HostPart whole, List<String> notes) {
        int cores = whole.cores().size();
        if (cores < 2) {
            notes.add("one core handles everything: nothing can be kept apart");
            return new Parts(CpuSet.empty(), "", List.of(), new HashMap<>());
        }
        notes.add("one package only: disks and network adapters get different cores of it");
        CpuSet first = cpus(whole.cores().subList(0, cores / 2));
        CpuSet second = cpus(whole.cores().subList(cores / 2, cores));
        HostPart disks = new HostPart("the first half of the cores", List.of(), first, List.of());
        return new Parts(second, "the second half of the cores", List.of(disks), new HashMap<>());
    }

    private static CpuSet cpus(List<Core> cores) {
        return cores.stream().map(Core::cpus).reduce(CpuSet.empty(), CpuSet::union);
    }

    private static boolean isAt(DeviceInterrupts device, HostPart domain) {
        return !device.localCpus().isEmpty() && domain.cpus().containsAll(device.localCpus());
    }

    /** Unknown is nowhere in particular. */
    private static boolean isElsewhere(DeviceInterrupts device, HostPart domain) {
        return !device.localCpus().isEmpty() && !device.localCpus().intersects(domain.cpus());
    }

    private record Parts(CpuSet network, String networkLabel, List<HostPart> disks, Map<HostPart, Dealer> dealers) {
        HostPart domainOf(DeviceInterrupts disk) {
            return disks.stream()
                    .filter(domain -> isAt(disk, domain))
                    .findFirst()
                    .orElse(disks.get(0));
        }

        Dealer dealer(Topology topology, HostPart domain) {
            return dealers.computeIfAbsent(domain, key -> new Dealer(topology, key.cpus()));
        }
    }

    /** Gives one hardware thread of each core in turn. */
    private static final class Dealer {
        private final CpuSet part;
        private final int[] cpus;
        private int next;

        Dealer(Topology topology, CpuSet part) {
            this.part = part;
            int[] one = topology.onePuPerCore(part, 0).toArray();
            this.cpus = one.length == 0 ? part.toArray() : one;
        }

        /** An interrupt that is in its part already stays there. */
        void deal(DeviceInterrupts device, String label, Set<Integer> done, List<InterruptMove> moves) {
            for (Interrupt interrupt : device.interrupts()) {
                if (interrupt.control() || !done.add(interrupt.number())) {
                    continue;
                }
                if (interrupt.effective().isEmpty() || !part.containsAll(interrupt.effective())) {
                    CpuSet to = CpuSet.of(cpus[next++ % cpus.length]);
                    moves.add(new InterruptMove(
                            device.name(),
                            interrupt,
                            to,
                            device.kind() == DeviceInterrupts.Kind.DISK
                                    ? "a disk's, to " + label
                                    : "a network adapter's, to " + label));
                }
            }
        }
    }
}

package org.berth.placement.internal.dynamic;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.observation.internal.load.LoadSnapshot;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * Chooses a core for each thread when it starts to serve a disk and a network peer, by the cores that handle the
 * interrupts of both and by the load: the policies of {@link DynamicPolicy} as a pure step. The classes are found once;
 * a decision takes 0.03 us when the disk's core is idle and 0.9 us when all of 128 cores must be checked.
 *
 * <p>Decisions that the paper leaves open:
 *
 * <ul>
 * <li>A core is a physical one with all of its usable PUs, and idle when all of them are.
 *   <li>A device with many queues has a set of interrupt-handling cores; a core's relation is the nearest one to any of
 *       them. Where the network's set has every usable core, none is [NS]: give the core of the single connection then.
 *   <li>Of several idle cores of a class the least loaded one is taken (in steps of 5 %), then in turn; in [DS] those
 * near the       disk itself come first. The choice follows from load and {@link DynamicState} alone.
 *   <li>Every core has a class by the disk, so [NC], [NM] and [NN] decide only where the disk's cores are unknown.
 *   <li>When nothing is idle, or the load is unknown, the thread may run on every usable core that is not [NS]: the
 * kernel       then knows better where there is room.
 *   <li>[NS] wins over [DS] on a core that is both.
 * </ul>
 *
 * <p>Immutable, for any thread. Threads that decide at once agree on the state by compare and set:
 *
 * <pre>{@code
 * DynamicState before = state.get(); // an AtomicReference
 * Decision decision = placement.decide(monitor.snapshot(), before);
 * // if state.compareAndSet(before, decision.next()) fails, decide again
 * }</pre>
 *
 * @since 0.1.0
 */
public final class DynamicPlacement {
    /** Shares of idle CPUs differ by noise. */
    private static final double LOAD_STEP = 0.05;

    private static final List<AffinityClass> ORDER = List.of(
            AffinityClass.DS,
            AffinityClass.DC,
            AffinityClass.DM,
            AffinityClass.DN,
            AffinityClass.NC,
            AffinityClass.NM,
            AffinityClass.NN);

    private final Topology topology;
    private final DynamicPolicy policy;
    private final InterruptReference disk;
    private final List<ServiceCore> cores;
    private final List<String> notes;
    private final List<Step> steps = new ArrayList<>();
    /** The CPUs of a thread for which no core in particular is chosen. */
    private final CpuSet anywhere;

    private record Step(AffinityClass kind, List<ServiceCore> cores) {}

    private DynamicPlacement(
            Topology topology, DynamicPolicy policy, InterruptReference disk, InterruptReference network) {
        this.topology = topology;
        this.policy = policy;
        this.disk = disk;
        CoreClasses classes = new CoreClasses(topology, disk, network);
        this.cores = List.copyOf(classes.cores());
        List<String> said = new ArrayList<>(classes.notes());
        for (AffinityClass kind : ORDER) {
            List<ServiceCore> members =
                    cores(kind).stream().filter(core -> !core.avoided()).toList();
            // Interrupts of many queues: those on the disk's own node before the rest.
            for (boolean near : kind == AffinityClass.DS ? new boolean[] {true, false} : new boolean[] {true}) {
                List<ServiceCore> part = kind == AffinityClass.DS
                        ? members.stream()
                                .filter(core -> core.nearDisk() == near)
                                .toList()
                        : members;
                if (!part.isEmpty()) {
                    steps.add(new Step(kind, part));
                }
            }
        }
        this.anywhere = anywhere(said);
        this.notes = List.copyOf(said);
    }

    /**
     * Places threads of a process that may use the allowed CPUs of a machine.
     *
     * @param topology with all CPUs that take interrupts, also those that this process may not use, as far as they are
     * to     count ({@code INCLUDE_DISALLOWED} of the discovery)
     * @param disk of the volume that the threads write to or read from
     * @param network of the route to the peers, or of one connection
     */
    public static DynamicPlacement of(
            Topology topology, DynamicPolicy policy, InterruptReference disk, InterruptReference network) {
        return new DynamicPlacement(topology, policy, disk, network);
    }

    /**
     * The same for a connection whose packets are known to be handled on one CPU (SO_INCOMING_CPU). Finds the classes
     * anew, which takes longer than a decision: keep one for each CPU.
     */
    public DynamicPlacement forConnection(int incomingCpu) {
        return new DynamicPlacement(topology, policy, disk, InterruptReference.ofCpus(CpuSet.of(incomingCpu)));
    }

    /** The policy. */
    public DynamicPolicy policy() {
        return policy;
    }

    /** All usable cores with their classes, in logical order. */
    public List<ServiceCore> cores() {
        return cores;
    }

    /** The cores of one class, in logical order. */
    public List<ServiceCore> cores(AffinityClass kind) {
        return cores.stream().filter(core -> core.classes().contains(kind)).toList();
    }

    /** Facts about the machine that are unknown, and steps that the policy cannot take here. */
    public List<String> notes() {
        return notes;
    }

    /**
     * Decides where the next thread goes.
     *
     * @param load how busy the CPUs are; only the policy {@link DynamicPolicy#INTERRUPT} looks at it
     * @param state {@link DynamicState#start}, or the last decision's
     */
    public Decision decide(LoadSnapshot load, DynamicState state) {
        DynamicState now = state.at(load);
        if (policy == DynamicPolicy.INTERRUPT) {
            CpuSet taken = now.all();
            for (Step step : steps) {
                ServiceCore core = best(step.cores(), load, taken, now.turn());
                if (core != null) {
                    return new Decision(
                            core.cpus(), Optional.of(core), Optional.of(step.kind()), now.with(core.cpus()));
                }
            }
        }
        return new Decision(anywhere, Optional.empty(), Optional.empty(), now);
    }

    private static @Nullable ServiceCore best(
            List<ServiceCore> candidates, LoadSnapshot load, CpuSet taken, long turn) {
        ServiceCore best = null;
        long least = Long.MAX_VALUE;
        int size = candidates.size();
        int from = (int) Math.floorMod(turn, (long) size);
        for (int i = 0; i < size; i++) {
            int at = from + i;
            ServiceCore core = candidates.get(at < size ? at : at - size);
            CpuSet cpus = core.cpus();
            if (load.idle().containsAll(cpus) && !taken.intersects(cpus)) {
                long steps = loadSteps(cpus, load);
                if (steps < least) {
                    best = core;
                    least = steps;
                }
            }
        }
        return best;
    }

    private static long loadSteps(CpuSet cpus, LoadSnapshot load) {
        double most = 0;
        for (int cpu = cpus.first(); cpu >= 0; cpu = cpus.next(cpu)) {
            most = Math.max(most, load.share(cpu));
        }
        return (long) (most / LOAD_STEP);
    }

    private CpuSet anywhere(List<String> said) {
        CpuSet usable = cores.stream().map(ServiceCore::cpus).reduce(CpuSet.empty(), CpuSet::union);
        return switch (policy) {
            case NONE -> CpuSet.empty();
            case INTERRUPT ->
                cores.stream()
                        .filter(core -> !core.avoided())
                        .map(ServiceCore::cpus)
                        .reduce(CpuSet.empty(), CpuSet::union);
            case NODE -> {
                CpuSet near = nearDisk();
                if (near.isEmpty()) {
                    said.add("the disk's memory node is not known: threads are left to the kernel");
                } else if (!near.intersects(usable)) {
                    said.add("no CPU of the disk's memory node may be used here: threads are left to the kernel");
                }
                yield near.intersection(usable);
            }
        };
    }

    /** The CPUs that the kernel names; where it names none or all, the node of the interrupts. */
    private CpuSet nearDisk() {
        CpuSet local = disk.localCpus().intersection(topology.cpuSet());
        boolean tells = !local.isEmpty() && !local.containsAll(topology.cpuSet());
        CpuSet handling = disk.handlingCpus().intersection(topology.cpuSet());
        return tells || handling.isEmpty() ? local : topology.cpusNear(topology.nodesOf(handling));
    }
}

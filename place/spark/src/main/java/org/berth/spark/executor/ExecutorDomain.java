package org.berth.spark.executor;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.berth.binding.Binder;
import org.berth.binding.BoundScope;
import org.berth.binding.LiveProcess;
import org.berth.binding.LocalMachine;
import org.berth.binding.errors.BindingException;
import org.berth.binding.leases.Lease;
import org.berth.binding.leases.LeaseRecord;
import org.berth.binding.leases.Leases;
import org.berth.binding.records.BindingRecords;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.internal.host.HostDivision;
import org.berth.spark.settings.AffinitySettings;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * The domain of an executor: it is leased, the whole process is bound to it, and it follows the cpuset when that
 * changes. One thread at a time may change it; any thread may read it.
 */
final class ExecutorDomain implements AutoCloseable {
    private static final long PID = ProcessHandle.current().pid();

    /** Executors of an application start together, so the first looks count most; the caller comes once a second. */
    private static final int FIRST_LOOKS = 20;

    /** Later one call in five looks: reading all leases of a host is not free. */
    private static final int LOOKS_FOR_OTHERS = 5;

    private static final String SHARED =
            "there are more executors than domains on this host: others have leased the CPUs of this one's, so it is not bound";

    private final AffinitySettings settings;
    private final Optional<CpuSet> granted;
    private final String name;
    private final InitialBinding initial;
    private final Deque<BoundScope> scopes = new ArrayDeque<>();
    private final List<String> notes = new CopyOnWriteArrayList<>();
    private volatile LocalMachine machine;
    private volatile Binder binder;
    private volatile HostDivision division;
    private volatile CpuSet cpus;
    private @Nullable Lease lease;
    private @Nullable CpuSet seen;
    private boolean left;
    private volatile boolean shared;
    private int looks;

    /**
     * The binding of the process when the plugin started.
     *
     * @param agent whether the agent has bound it at its start and follows the cpuset
     * @param cpuset all that the kernel would have allowed; null when that is not known
     */
    private record InitialBinding(
            boolean agent,
            boolean leased,
            CpuSet mask,
            @Nullable CpuSet cpuset) {
        /** A mask that was narrower than the cpuset was set on purpose, and is kept. */
        CpuSet within(CpuSet now) {
            boolean deliberate = cpuset != null && !mask.containsAll(cpuset);
            return deliberate && mask.intersects(now) ? mask.intersection(now) : now;
        }
    }

    private ExecutorDomain(AffinitySettings settings, Optional<CpuSet> granted, String name, LocalMachine machine) {
        this.settings = settings;
        this.granted = granted;
        this.name = name;
        this.machine = machine;
        this.binder = machine.binder();
        boolean agent = OwnProcess.hasAgent();
        CpuSet mask = machine.topology().allowedCpuSet();
        this.seen = agent ? mask : cpuset();
        this.initial = new InitialBinding(agent, agent && OwnProcess.holdsLease(notes), mask, seen);
        this.division = choose(machine.topology());
        this.cpus = mask;
    }

    /**
     * Leases a domain and binds this process to it.
     *
     * @param granted the CPUs that Spark gave the executor
     * @param name of the lease, for people
     * @throws RuntimeException one line, when that is not possible; nothing stays bound then
     */
    static ExecutorDomain open(AffinitySettings settings, Optional<CpuSet> granted, String name) {
        ExecutorDomain domain = new ExecutorDomain(settings, granted, name, LocalMachine.open());
        try {
            domain.settle();
        } catch (RuntimeException e) {
            domain.close();
            throw e;
        }
        return domain;
    }

    private HostDivision choose(Topology topology) {
        OrderedLevel level = settings.level().orElse(OrderedLevel.of(AffinityLevel.PU));
        if (level.level() != AffinityLevel.NONE && granted.isPresent()) {
            return given(topology, level, granted.get());
        }
        boolean auto = settings.level().isEmpty();
        boolean apart = auto && OwnProcess.isInContainerWithoutLedger(notes);
        HostDivision chosen = HostDivision.of(
                topology, settings.level(), demand(topology), initial.agent() || (auto && settings.local()) || apart);
        return apart && chosen.level().level() != AffinityLevel.NONE
                ? new HostDivision(
                        chosen.level(),
                        chosen.domains(),
                        chosen.reason() + "; executors in containers agree only through a shared " + OwnProcess.LEDGER)
                : chosen;
    }

    private static HostDivision given(Topology topology, OrderedLevel level, CpuSet granted) {
        CpuSet possible = granted.intersection(topology.allowedCpuSet());
        if (possible.isEmpty()) {
            throw new IllegalStateException("Spark gave CPUs " + granted + " as " + CpuSlots.NAME
                    + ", and this process may use CPUs " + topology.allowedCpuSet() + " only");
        }
        PlacementPlan domain = HostDivision.plan(topology, level.level(), List.of(possible));
        return new HostDivision(level, domain, "given by Spark as " + CpuSlots.NAME);
    }

    /** In local mode the number of tasks says nothing about hardware threads, so each task may have a whole core. */
    private int demand(Topology topology) {
        AffinityLevel level = settings.level().map(OrderedLevel::level).orElse(AffinityLevel.NONE);
        int cpus = settings.executorCpus();
        return settings.local() ? HostDivision.cpusFor(topology, level, cpus) : cpus;
    }

    private void settle() {
        CpuSet allowed = machine.topology().allowedCpuSet();
        if (division.level().level() == AffinityLevel.NONE) {
            cpus = allowed;
            return;
        }
        cpus = initial.leased() ? allowed : claim();
        shared = isHeldByOthers();
        if (shared) {
            cpus = allowed;
        }
        if (bindsProcess() && (!cpus.equals(allowed) || !scopes.isEmpty())) {
            scopes.push(binder.bindProcess(PID, cpus));
            movePages();
        }
    }

    /** In local mode the JVM belongs to the user, and only the tasks to Spark. An agent has bound the process already. */
    private boolean bindsProcess() {
        return !settings.local() && !initial.agent();
    }

    /**
     * Whether there are more executors than domains of cores, so that another process has leased CPUs of this one's domain. Two
     * executors on one core wait for each other while other cores are idle. A larger lease, such as that of a daemon with a whole
     * node, is not a claim to these cores.
     */
    private boolean isHeldByOthers() {
        Lease held = lease;
        AffinityLevel level = division.level().level();
        boolean cores = level == AffinityLevel.CORE || level == AffinityLevel.PU;
        return held != null
                && cores
                && division.domains().workers() > 1
                && Leases.ofHost().list().stream()
                        .anyMatch(other -> other.cpus().intersects(held.cpus())
                                && other.cpus().size() <= held.cpus().size()
                                && !isOfThisProcess(other));
    }

    /** What 'berth run' or an agent holds for this process or one above it is not another's. */
    private static boolean isOfThisProcess(LeaseRecord other) {
        Optional<ProcessHandle> process = Optional.of(ProcessHandle.current());
        while (process.isPresent()) {
            if (other.isHeldBy(process.get().pid())) {
                return true;
            }
            process = process.get().parent();
        }
        return false;
    }

    /** Whether tasks have no slots, because other executors have the same CPUs. Any thread may call this. */
    boolean isShared() {
        return shared;
    }

    private CpuSet claim() {
        PlacementPlan domains = division.domains();
        try {
            Lease held = Leases.ofHost().claim(domains, false, name);
            lease = held;
            held.warning().filter(line -> !notes.contains(line)).ifPresent(notes::add);
            return domains.workerCpus(held.worker());
        } catch (BindingException e) {
            if (domains.workers() > 1) {
                throw e; // without a lease every executor would take the first domain
            }
            notes.add("others on this host do not see this executor: " + e.getMessage());
            return domains.workerCpus(0);
        }
    }

    /** Migrates the pages that the JVM touched before it was bound. */
    private void movePages() {
        Topology topology = machine.topology();
        NodeSet near = topology.nodesOf(cpus).intersection(topology.allowedNodeSet());
        NodeSet far = topology.allowedNodeSet().minus(near);
        if (near.isEmpty() || far.isEmpty()) {
            return;
        }
        try {
            long left = LiveProcess.of(PID, BindingRecords.ofUser()).movePages(far, near);
            if (left > 0) {
                notes.add("some pages could not be moved to nodes " + near + ": they are in use, or there is no room");
            }
        } catch (BindingException e) {
            notes.add("the pages that were there before stay: " + e.getMessage());
        }
    }

    /**
     * Reads the CPUs that this process may use, and moves a lease whose CPUs others use who do not see it.
     *
     * @return the CPUs, for {@link #follow}; empty when they have not changed, the lease has not moved, and others have not come
     *     to share it or gone
     * @throws RuntimeException one line, when the kernel does not report them
     */
    Optional<CpuSet> changed() {
        CpuSet former = seen;
        if (former == null) {
            return Optional.empty();
        }
        CpuSet now = initial.agent() ? binder.threadCpus((int) PID) : binder.cpusetCpus();
        Lease held = lease;
        // While others are seen to have the same CPUs, the process is not bound to the lease, and moving it would gain
        // nothing.
        left = now.equals(former) && held != null && !shared && held.leaveCrowd();
        boolean changed = !now.equals(former) || left;
        looks++;
        if (!changed && (looks < FIRST_LOOKS || looks % LOOKS_FOR_OTHERS == 0)) {
            changed = isHeldByOthers() != shared;
        }
        return changed ? Optional.of(now) : Optional.empty();
    }

    /**
     * Leases a domain among the CPUs that this process may use now; keeps the former one when that is possible. Binds to the domain of
     * a lease that has moved.
     *
     * @return a line for the log
     * @throws RuntimeException one line, when that is not possible; threads then stay where the kernel put them
     */
    String follow(CpuSet now) {
        Lease held = lease;
        if (left && held != null) {
            CpuSet crowded = cpus;
            rebind(held.cpus());
            movePages();
            return "processes that do not see this executor's lease use CPUs " + crowded + ": now on CPUs " + cpus;
        }
        CpuSet former = seen;
        if (former != null && former.equals(now) && held != null) {
            shared = !shared;
            cpus = shared ? machine.topology().allowedCpuSet() : held.cpus();
            if (bindsProcess()) {
                scopes.push(binder.bindProcess(PID, cpus));
                if (!shared) {
                    movePages();
                }
            }
            return shared
                    ? SHARED + ": now on CPUs " + cpus
                    : "no other process has leased CPUs of this executor's domain any more: now on CPUs " + cpus;
        }
        seen = now;
        machine = LocalMachine.openWithin(initial.agent() ? now : initial.within(now));
        binder = machine.binder();
        CpuSet before = cpus;
        division = choose(machine.topology());
        if (keeps(before)) {
            rebind(before);
        } else {
            closeLease();
            settle();
        }
        return "the CPUs that this process may use changed from " + former + " to " + now + ": now on CPUs " + cpus;
    }

    /** Whether it still is one of the domains, and no other process got a lease on it while there were fewer. */
    private boolean keeps(CpuSet former) {
        Lease held = lease;
        return held != null
                && division.domains().slots().stream()
                        .anyMatch(slot -> slot.cpus().equals(former))
                && Leases.ofHost().list().stream()
                        .noneMatch(other ->
                                !other.equals(held.record()) && other.cpus().intersects(former));
    }

    private void rebind(CpuSet former) {
        cpus = former;
        if (!scopes.isEmpty()) {
            scopes.push(binder.bindProcess(PID, cpus));
        }
    }

    private @Nullable CpuSet cpuset() {
        try {
            return binder.cpusetCpus();
        } catch (BindingException e) {
            notes.add("changes of the cpuset are not followed: " + e.getMessage());
            return null;
        }
    }

    /** The level of the tasks' slots; at level none nothing is bound. */
    AffinityLevel level() {
        return division.level().level();
    }

    /** That level, and in which order tasks take its L3 caches. */
    OrderedLevel orderedLevel() {
        return division.level();
    }

    /** The CPUs of the domain. */
    CpuSet cpus() {
        return cpus;
    }

    /** Binds inside the CPUs that this process may use now. */
    Binder binder() {
        return binder;
    }

    /** The machine as this process may use it now. */
    Topology topology() {
        return machine.topology();
    }

    /** Why this level and this domain, for people. */
    String reason() {
        return shared ? SHARED : division.reason();
    }

    /** What could not be done and why, one line each. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    /** One line: the level, the CPUs and the reason. */
    String sentence() {
        int domains = division.domains().workers();
        String choice = domains > 1 ? ", one of " + domains + " domains" : "";
        String origin = initial.agent() ? ", bound by the agent at the start" : "";
        if (division.level().level() == AffinityLevel.NONE) {
            return (initial.agent() ? "on CPUs " + cpus + origin + "; inside, level none: " : "level none: ")
                    + division.reason();
        }
        return "level " + level().word() + " on CPUs " + cpus + choice + origin + ": "
                + (shared ? SHARED : division.reason());
    }

    private void closeLease() {
        Lease held = lease;
        if (held != null) {
            held.close();
            lease = null;
        }
    }

    /** Restores the former masks of all threads, and ends the lease. */
    @Override
    public void close() {
        try {
            while (!scopes.isEmpty()) {
                scopes.pop().close();
            }
        } finally {
            closeLease();
        }
    }
}

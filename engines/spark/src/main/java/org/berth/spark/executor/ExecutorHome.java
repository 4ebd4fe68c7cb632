package org.berth.spark.executor;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.berth.binding.Binder;
import org.berth.binding.BindingException;
import org.berth.binding.BindingRecords;
import org.berth.binding.BoundScope;
import org.berth.binding.Lease;
import org.berth.binding.Leases;
import org.berth.binding.LiveProcess;
import org.berth.binding.LocalMachine;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.spark.settings.AffinitySettings;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * The part of its host that an executor has: claimed by a lease, with the whole process bound to it, and followed when
 * the cpuset changes. One thread at a time may change it, any may ask.
 */
final class ExecutorHome implements AutoCloseable {
    private static final long PID = ProcessHandle.current().pid();

    private final AffinitySettings settings;
    private final Optional<CpuSet> granted;
    private final String name;
    private final Birth birth;
    private final Deque<BoundScope> scopes = new ArrayDeque<>();
    private final List<String> notes = new CopyOnWriteArrayList<>();
    private volatile LocalMachine machine;
    private volatile Binder binder;
    private volatile ExecutorShare share;
    private volatile CpuSet cpus;
    private @Nullable Lease lease;
    private @Nullable CpuSet seen;

    /**
     * What the process had when the plugin was started.
     *
     * @param agent whether the agent has bound it from birth and follows the cpuset
     * @param cpuset all that the kernel would have allowed; null when it does not tell
     */
    private record Birth(
            boolean agent,
            boolean leased,
            CpuSet mask,
            @Nullable CpuSet cpuset) {
        /** A mask that was narrower than the cpuset was meant by somebody. */
        CpuSet within(CpuSet now) {
            boolean meant = cpuset != null && !mask.containsAll(cpuset);
            return meant && mask.intersects(now) ? mask.intersection(now) : now;
        }
    }

    private ExecutorHome(AffinitySettings settings, Optional<CpuSet> granted, String name, LocalMachine machine) {
        this.settings = settings;
        this.granted = granted;
        this.name = name;
        this.machine = machine;
        this.binder = machine.binder();
        boolean agent = OwnProcess.hasAgent();
        CpuSet mask = machine.topology().allowedCpuSet();
        this.seen = agent ? mask : cpuset();
        this.birth = new Birth(agent, agent && OwnProcess.holdsLease(notes), mask, seen);
        this.share = choose(machine.topology());
        this.cpus = mask;
    }

    /**
     * Claims a place and binds this process to it.
     *
     * @param granted the CPUs that Spark gave the executor
     * @param name what the lease is called, for people
     * @throws RuntimeException one line, when it cannot be had; nothing stays bound then
     */
    static ExecutorHome open(AffinitySettings settings, Optional<CpuSet> granted, String name) {
        ExecutorHome home = new ExecutorHome(settings, granted, name, LocalMachine.open());
        try {
            home.settle();
        } catch (RuntimeException e) {
            home.close();
            throw e;
        }
        return home;
    }

    private ExecutorShare choose(Topology topology) {
        AffinityLevel level = settings.level().orElse(AffinityLevel.PU);
        if (level != AffinityLevel.NONE && granted.isPresent()) {
            return given(topology, level, granted.get());
        }
        boolean auto = settings.level().isEmpty();
        boolean apart = auto && OwnProcess.isInContainerWithoutLedger();
        ExecutorShare chosen = ExecutorShare.of(
                topology, settings.level(), demand(topology), birth.agent() || (auto && settings.local()) || apart);
        return apart && chosen.level() != AffinityLevel.NONE
                ? new ExecutorShare(
                        chosen.level(),
                        chosen.parts(),
                        chosen.reason() + "; executors in containers agree only through a shared " + OwnProcess.LEDGER)
                : chosen;
    }

    private static ExecutorShare given(Topology topology, AffinityLevel level, CpuSet granted) {
        CpuSet possible = granted.intersection(topology.allowedCpuSet());
        if (possible.isEmpty()) {
            throw new IllegalStateException("Spark gave CPUs " + granted + " as " + CpuSlots.NAME
                    + ", and this process may use CPUs " + topology.allowedCpuSet() + " only");
        }
        PlacementPlan part = ExecutorShare.plan(topology, level, List.of(possible));
        return new ExecutorShare(level, part, "given by Spark as " + CpuSlots.NAME);
    }

    /** In local mode nobody has counted hardware threads as cores, and a task may have a core. */
    private int demand(Topology topology) {
        AffinityLevel level = settings.level().orElse(AffinityLevel.NONE);
        boolean byCore = level == AffinityLevel.CORE || level == AffinityLevel.PU;
        int widest = settings.local() && byCore
                ? CoreUnits.cores(topology, topology.allowedCpuSet()).stream()
                        .mapToInt(List::size)
                        .max()
                        .orElse(1)
                : 1;
        return settings.executorCpus() * widest;
    }

    private void settle() {
        CpuSet allowed = machine.topology().allowedCpuSet();
        if (share.level() == AffinityLevel.NONE) {
            cpus = allowed;
            return;
        }
        cpus = birth.leased() ? allowed : claim();
        // In local mode the JVM is the user's, and the tasks alone are Spark's. Where the agent is, it has bound all.
        if (!settings.local() && !birth.agent() && (!cpus.equals(allowed) || !scopes.isEmpty())) {
            scopes.push(binder.bindProcess(PID, cpus));
            movePages();
        }
    }

    private CpuSet claim() {
        PlacementPlan parts = share.parts();
        try {
            lease = Leases.ofHost().claim(parts, false, name);
            return parts.workerCpus(lease.worker());
        } catch (BindingException e) {
            if (parts.workers() > 1) {
                throw e; // half an agreement would put every executor on the first part
            }
            notes.add("others on this host do not see this executor: " + e.getMessage());
            return parts.workerCpus(0);
        }
    }

    /** What the JVM has touched before it was bound. */
    private void movePages() {
        Topology topology = machine.topology();
        NodeSet near = topology.nodesNear(cpus).intersection(topology.allowedNodeSet());
        NodeSet far = topology.allowedNodeSet().minus(near);
        if (near.isEmpty() || far.isEmpty()) {
            return;
        }
        try {
            long left = LiveProcess.of(PID, BindingRecords.temporary()).movePages(far, near);
            if (left > 0) {
                notes.add(left + " pages could not be moved to nodes " + near);
            }
        } catch (BindingException e) {
            notes.add("the pages that were there before stay: " + e.getMessage());
        }
    }

    /**
     * Looks whether the CPUs that this process may use have changed.
     *
     * @return what they are now, for {@link #follow}; empty when nothing has changed
     * @throws RuntimeException one line, when the kernel does not tell
     */
    Optional<CpuSet> changed() {
        CpuSet former = seen;
        if (former == null) {
            return Optional.empty();
        }
        CpuSet now = birth.agent() ? binder.threadCpus((int) PID) : binder.cpusetCpus();
        return now.equals(former) ? Optional.empty() : Optional.of(now);
    }

    /**
     * Takes a place among the CPUs that this process may use now; its own when that is still there.
     *
     * @return what has happened, for the log
     * @throws RuntimeException one line, when none can be had; threads then stay where the kernel put them
     */
    String follow(CpuSet now) {
        CpuSet former = seen;
        seen = now;
        machine = LocalMachine.openWithin(birth.agent() ? now : birth.within(now));
        binder = machine.binder();
        CpuSet before = cpus;
        share = choose(machine.topology());
        if (keeps(before)) {
            rebind(before);
        } else {
            closeLease();
            settle();
        }
        return "the CPUs that this process may use changed from " + former + " to " + now + ": now on CPUs " + cpus;
    }

    /** Whether it is one of the parts still, and nobody was pushed into it while there were fewer. */
    private boolean keeps(CpuSet former) {
        Lease held = lease;
        return held != null
                && share.parts().slots().stream().anyMatch(slot -> slot.cpus().equals(former))
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

    /** Tightness of the tasks' places; level none: nothing is bound. */
    AffinityLevel level() {
        return share.level();
    }

    /** The CPUs of this executor. */
    CpuSet cpus() {
        return cpus;
    }

    /** Binds inside what this process may use now. */
    Binder binder() {
        return binder;
    }

    /** The machine as this process may use it now. */
    Topology topology() {
        return machine.topology();
    }

    /** Why so, for people. */
    String reason() {
        return share.reason();
    }

    /** What could not be done, and why; one line each. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    /** One line: where this executor is and why. */
    String sentence() {
        String parts = share.parts().workers() > 1 ? ", one of " + share.parts().workers() + " parts" : "";
        String origin = birth.agent() ? ", bound by the agent from birth" : "";
        if (share.level() == AffinityLevel.NONE) {
            return (birth.agent() ? "on CPUs " + cpus + origin + "; inside, level none: " : "level none: ")
                    + share.reason();
        }
        return "level " + share.level().word() + " on CPUs " + cpus + parts + origin + ": " + share.reason();
    }

    private void closeLease() {
        Lease held = lease;
        if (held != null) {
            held.close();
            lease = null;
        }
    }

    /** Gives all threads back what they had, and the place to others. */
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

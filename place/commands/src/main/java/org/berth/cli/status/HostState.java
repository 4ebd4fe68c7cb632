package org.berth.cli.status;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.berth.binding.errors.BindingException;
import org.berth.binding.leases.LeaseRecord;
import org.berth.binding.leases.Leases;
import org.berth.binding.records.BindingRecords;
import org.berth.cli.bind.LiveState;
import org.berth.cli.run.LeaseHolders;
import org.berth.cli.shared.FileOwner;
import org.berth.cli.shared.TargetMachine;
import org.berth.observation.NoSuchProcessException;
import org.berth.observation.ObservationException;
import org.berth.observation.ProcessStatus;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.SystemFiles;
import org.berth.observation.internal.jvm.AgentMark;
import org.berth.observation.internal.jvm.AgentRules;
import org.berth.observation.internal.process.ControlGroupLimits;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.observation.memory.MemorySnapshot;
import org.berth.observation.memory.ProcessMemoryPolicy;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/** What is read once for all processes, and the state of each of them. */
final class HostState {
    private final Path root;
    private final Topology topology;
    private final CpuSet online;
    private final BindingRecords records;
    private final List<LeaseRecord> leases;
    /** Names of users by number, as they are met. */
    private final Map<Long, String> users = new HashMap<>();
    /** Why traces of bindings may be missing. */
    private final Set<String> missing = new TreeSet<>();

    private HostState(Path root) {
        this.root = root;
        // Processes may use CPUs that the cpuset of this one hides.
        this.topology = TargetMachine.wholeLive().topology();
        this.online =
                new SystemFiles(root).cpuList("sys/devices/system/cpu/online").orElse(topology.allowedCpuSet());
        this.records = BindingRecords.ofUser();
        this.leases = leases();
    }

    static HostState read(Path root) {
        return new HostState(root);
    }

    private List<LeaseRecord> leases() {
        try {
            return Leases.ofHost().list();
        } catch (BindingException e) {
            missing.add("leases are not known: " + e.getMessage());
            return List.of();
        }
    }

    /** Is empty when the process has ended meanwhile. */
    Optional<ProcessState> of(ProcessFacts process) {
        NodeSet near = topology.nodesOf(process.cpus());
        Map<CpuSet, Integer> masks = LiveState.count(process.masks());
        Reading<String> policy = ProcessMemoryPolicy.of(process.pid(), root);
        Optional<LeaseRecord> lease = LeaseHolders.leaseOf(process, leases);
        BoundBy boundBy = BoundBy.of(new BoundBy.Traces(
                isRecorded(process),
                agent(process),
                lease.isPresent(),
                process.cpus(),
                masks.size(),
                ControlGroupLimits.of(Long.toString(process.pid()), root).cpus(),
                online,
                policy));
        try {
            // The only slow part: the kernel walks all pages, for a third of a second where a heap has 64 GiB.
            Reading<MemorySnapshot> memory = memory(process.pid());
            return process.lives()
                    ? Optional.of(new ProcessState(process, user(process), masks, near, policy, memory, lease, boundBy))
                    : Optional.empty();
        } catch (NoSuchProcessException ended) {
            return Optional.empty();
        }
    }

    private static Reading<MemorySnapshot> memory(long pid) {
        try {
            return Reading.of(MemorySnapshot.of(pid));
        } catch (NoSuchProcessException ended) {
            throw ended;
        } catch (ObservationException e) {
            return Reading.refused(new Refusal(String.valueOf(e.getMessage()), ""));
        }
    }

    private boolean isRecorded(ProcessFacts process) {
        try {
            return records.find((int) process.pid(), process.startTime()).isPresent();
        } catch (BindingException e) {
            missing.add("records of 'berth bind' are not known: " + e.getMessage());
            return false;
        }
    }

    /** An agent that was attached to a running JVM has bound nothing before the start, and has rules. */
    private Reading<Boolean> agent(ProcessFacts process) {
        Reading<Boolean> mark = AgentMark.of(process, root);
        return mark.orElse(false) || mark.refusal().isPresent()
                ? mark
                : AgentRules.of(process.pid(), root).map(rules -> true);
    }

    private String user(ProcessFacts process) {
        Optional<Long> number = ProcessStatus.read(process.pid()).value().flatMap(ProcessStatus::effectiveUserId);
        if (number.isEmpty()) {
            return "-";
        }
        // The folder is root's where the process may not be traced.
        FileOwner.of(root.resolve("proc/" + process.pid()))
                .filter(owner -> owner.user() == number.get())
                .ifPresent(owner -> users.putIfAbsent(owner.user(), owner.name()));
        return users.getOrDefault(number.get(), number.get().toString());
    }

    /** One line for all processes whose memory is not known, and one for what is missing of all. */
    List<String> notes(List<ProcessState> processes) {
        List<String> notes = new ArrayList<>(missing);
        List<Refusal> unread = processes.stream()
                .flatMap(one -> one.memory().refusal().stream())
                .toList();
        if (!unread.isEmpty()) {
            String others = unread.size() == 1 ? "" : " (and of " + Words.count(unread.size() - 1L, "other") + ")";
            notes.add(unread.get(0) + others);
        }
        return notes;
    }
}

package org.berth.binding;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.NativeBridge;
import org.berth.binding.internal.ids.JavaThreadIds;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.observation.ProcessStatus;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;
import org.berth.placement.MemoryMode;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/** Finds out what this process can do by doing it in a way that changes nothing. */
final class CapabilityProbe {
    private static final int PROBE_BYTES = 16384;

    private static final long CAP_SYS_ADMIN = 1L << 21;
    private static final long CAP_PERFMON = 1L << 38;

    private final SystemFiles files = SystemFiles.LIVE;
    private final List<Capability> found = new ArrayList<>();

    private CapabilityProbe() {}

    static BindingCapabilities probe(Topology topology, boolean thisMachine) {
        CapabilityProbe probe = new CapabilityProbe();
        probe.discovery(thisMachine);
        if (thisMachine) {
            probe.attempt("native library", () -> "loaded from " + NativeLibrary.load());
        } else {
            probe.add("native library", false, "the machine shown is not the one that this process runs on");
        }
        probe.nativeCalls(topology);
        if (thisMachine) {
            probe.wholeMachine(topology);
        }
        probe.severalNodes(topology);
        probe.exactMigrationCount();
        probe.perfEvents();
        return new BindingCapabilities(probe.found);
    }

    private void discovery(boolean thisMachine) {
        add("discovery", true, thisMachine ? "hwloc, of this machine" : "hwloc, of a recorded machine");
    }

    private void wholeMachine(Topology topology) {
        CpuSet allowed = topology.allowedCpuSet();
        // In a cpuset hwloc shows only what the cpuset has; the kernel's own list is the same for everybody.
        Reading<CpuSet> online = files.cpuList("sys/devices/system/cpu/online");
        CpuSet missing = online.orElse(topology.cpuSet()).minus(allowed);
        String all = "CPUs " + allowed;
        add(
                "all cpus",
                missing.isEmpty() && online.value().isPresent(),
                missing.isEmpty()
                        ? online.fold(
                                known -> all,
                                absent -> all + "; whether there are more is not known: " + absent,
                                refusal -> all + "; whether there are more is not known: " + refusal)
                        : "a cpuset or an inherited mask allows CPUs " + allowed + " and withholds " + missing);
    }

    private void nativeCalls(Topology topology) {
        NodeSet nodes = topology.allowedNodeSet();
        nativeCall("cpu binding", () -> {
            ThreadMasks.set(0, ThreadMasks.get(0));
            return "sched_setaffinity works";
        });
        nativeCall("thread ids", JavaThreadIds::way);
        nativeCall("memory policy", () -> {
            MemoryPolicies.set(MemoryPolicies.get());
            return "set_mempolicy works";
        });
        policy("weighted interleave", MemoryMode.WEIGHTED, nodes);
        policy("balancing under bind", MemoryMode.BIND_BALANCE, nodes);
        nativeCall("page query", () -> {
            ByteBuffer buffer = ByteBuffer.allocateDirect(PROBE_BYTES);
            MemoryPolicies.pageNodes(NativeBridge.directBufferAddress(buffer), PROBE_BYTES, PROBE_BYTES);
            return "move_pages works";
        });
        nativeCall("page migration", () -> {
            int left = NativeBridge.migratePages(0, nodes.toLongs(), nodes.toLongs());
            if (left < 0) {
                throw BindingException.ofErrno(
                        "move", "the pages of this process", "", -left, MemoryPolicies.hint(-left));
            }
            return "migrate_pages works";
        });
    }

    /** Tries it on a page that no other thread uses. */
    private void policy(String name, MemoryMode mode, NodeSet nodes) {
        nativeCall(name, () -> {
            RangeMemory.allocate(1, new MemoryPolicy(mode, nodes)).close();
            return "mbind takes the memory mode " + mode.word();
        });
    }

    /** On another machine each call is missing for the same reason, which is reported once. */
    private void nativeCall(String name, Supplier<String> attempt) {
        if (found.get(1).available()) {
            attempt(name, attempt);
        } else {
            add(name, false, "the native library is not loaded");
        }
    }

    private void severalNodes(Topology topology) {
        int nodes = topology.allowedNodeSet().size();
        add(
                "several memory nodes",
                nodes > 1,
                nodes > 1
                        ? "nodes " + topology.allowedNodeSet()
                        : "this process may use one node only (" + topology.allowedNodeSet()
                                + "), so memory policies change nothing");
    }

    private void exactMigrationCount() {
        add(
                "exact migration count",
                files.read("proc/self/sched"),
                "/proc/PID/task/TID/sched has nr_migrations",
                absent -> "the kernel has no /proc/PID/sched (CONFIG_SCHED_DEBUG); moves are counted in samples");
    }

    private void perfEvents() {
        String name = "perf events";
        Reading<Integer> level = files.number("proc/sys/kernel/perf_event_paranoid");
        if (level.orElse(0) <= 1) {
            add(
                    name,
                    level,
                    "kernel.perf_event_paranoid is " + level.orElse(0),
                    absent -> "the kernel has no perf_event_open: " + absent);
            return;
        }
        boolean privileged = privileged();
        String why = privileged
                ? ", and this process has CAP_PERFMON or CAP_SYS_ADMIN"
                : "; above 1 only a process with CAP_PERFMON or CAP_SYS_ADMIN may count events of the kernel";
        add(name, privileged, "kernel.perf_event_paranoid is " + level.orElse(0) + why);
    }

    /**
     * Perf events ask for capabilities of the host: root of a user namespace, which maps fewer ids, has none of them.
     */
    private boolean privileged() {
        String ids = files.read("proc/self/uid_map").orElse("");
        long effective = ProcessStatus.read(ProcessHandle.current().pid())
                .value()
                .flatMap(status -> status.field("CapEff"))
                .map(digits -> Long.parseUnsignedLong(digits, 16))
                .orElse(0L);
        return ids.matches("0\\s+0\\s+4294967295") && (effective & (CAP_PERFMON | CAP_SYS_ADMIN)) != 0;
    }

    private void attempt(String name, Supplier<String> attempt) {
        try {
            add(name, true, attempt.get());
        } catch (BindingException e) {
            add(name, false, String.valueOf(e.getMessage()));
        }
    }

    /** What the existence of a kernel file shows. */
    private void add(String name, Reading<?> reading, String there, Function<String, String> absent) {
        add(
                name,
                reading.value().isPresent(),
                reading.fold(value -> there, absent, refusal -> "not known: " + refusal));
    }

    private void add(String name, boolean available, String reason) {
        found.add(new Capability(name, available, reason));
    }
}

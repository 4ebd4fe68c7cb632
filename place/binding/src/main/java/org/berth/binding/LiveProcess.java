package org.berth.binding;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.berth.binding.discovery.Discovery;
import org.berth.binding.discovery.DiscoveryOptions;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.binding.internal.NativeBridge;
import org.berth.binding.internal.ids.ProcessIdentity;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.binding.records.BindingRecord;
import org.berth.binding.records.BindingRecords;
import org.berth.observation.ProcessStatus;
import org.berth.topology.CpuSet;
import org.berth.topology.FailureKind;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;

/**
 * A running process that is bound from outside: the masks of its threads, and its present pages. Policies for new pages
 * belong to each thread alone, so no other process can set them (set_mempolicy(2)).
 *
 * <p>It never gets more than it inherited: what its threads may use together now, or did when it was first bound, see
 * {@link BindingRecords}. Identified by PID and start time, so that a reused PID is another process. Not thread-safe:
 * one thread at a time.
 *
 * @since 0.1.0
 */
public final class LiveProcess {
    private static final int MOST_MOVES = 5;

    private final int pid;
    private final ProcessIdentity process;
    private final BindingRecords records;

    private LiveProcess(ProcessIdentity process, BindingRecords records) {
        this.pid = process.pid();
        this.process = process;
        this.records = records;
    }

    /**
     * The process of that id, whose former masks are kept in the records.
     *
     * @throws BindingException when there is none (ESRCH), it is a thread of the kernel (EINVAL), or the native library cannot be loaded
     */
    public static LiveProcess of(long pid, BindingRecords records) {
        ProcessIdentity process = ProcessIdentity.of(pid, CpuSet.empty());
        if (process.isOfKernel()) {
            throw BindingException.ofReason(
                    "bind",
                    "process " + pid,
                    Errno.EINVAL,
                    "it is a thread of the kernel, and those that it starts later would inherit its mask");
        }
        NativeLibrary.load();
        return new LiveProcess(process, records);
    }

    /** The process id, as seen from here. */
    public int pid() {
        return pid;
    }

    /**
     * The masks of its threads as the kernel has them now, by thread id (sched_getaffinity(2)).
     *
     * @throws BindingException when it has ended (ESRCH)
     */
    public SortedMap<Integer, CpuSet> masks() {
        SortedMap<Integer, CpuSet> masks = new TreeMap<>();
        for (int tid : ProcessBinding.threads(pid, CpuSet.empty())) {
            try {
                masks.put(tid, ThreadMasks.get(tid));
            } catch (BindingException e) {
                if (e.errno() != Errno.ESRCH) { // it has ended
                    throw e;
                }
            }
        }
        process.require("read the masks of");
        return Collections.unmodifiableSortedMap(masks);
    }

    /**
     * The machine as the process may use it: its control group's cpuset, and of that what its threads had together when
     * they were first bound, or have now when nothing is recorded.
     *
     * @throws BindingException when hwloc shows another machine, or the process has ended
     */
    public Topology topology() {
        Discovery.Snapshot snapshot =
                Discovery.liveSnapshot(DiscoveryOptions.defaults().asSeenBy(pid));
        if (!snapshot.thisMachine()) {
            throw BindingException.of(
                    FailureKind.UNAVAILABLE,
                    "bind",
                    "process " + pid,
                    "",
                    "hwloc shows another machine than this one",
                    "discover it without OBEY_ENVIRONMENT");
        }
        Topology allowed = TopologyXml.parse(snapshot.xml()).withAllowed(inherited(), allowedNodes());
        process.require("read the machine of");
        return allowed;
    }

    /** The record that {@link #bind} has made of it; empty when it was not bound from here, or by another user. */
    public Optional<BindingRecord> record() {
        return records.find(pid, process.startTime());
    }

    private CpuSet inherited() {
        return record().map(BindingRecord::cpus)
                .orElseGet(() -> masks().values().stream().reduce(CpuSet.empty(), CpuSet::union));
    }

    private NodeSet allowedNodes() {
        try {
            // A kernel without NUMA has no such line, and one node.
            return ProcessStatus.of(Path.of("/proc/" + pid))
                    .field("Mems_allowed_list")
                    .map(NodeSet::parseList)
                    .orElseGet(NodeSet::full);
        } catch (IOException e) {
            throw BindingException.of(
                    FailureKind.GONE,
                    "read",
                    "/proc/" + pid + "/status",
                    String.valueOf(e.getMessage()),
                    "has it ended?",
                    e);
        }
    }

    /**
     * Binds every thread, until no new one appears, and reads each back; those that are named get CPUs of their own. What
     * they had before is recorded first, so that {@link #unbind} can give it back; a second bind keeps that record.
     *
     * @param cpus of all other threads, and of those that these start
     * @param single CPUs of single threads by thread id; threads that have ended meanwhile are left out
     * @throws BindingException when a CPU is not one that it inherited, when the record cannot be written, or when the
     *     kernel refuses (EPERM: it belongs to another user); nothing stays bound then
     */
    public void bind(CpuSet cpus, Map<Integer, CpuSet> single) {
        process.require("bind");
        CpuSet all = single.values().stream().reduce(cpus, CpuSet::union);
        CpuSet inherited = inherited();
        if (cpus.isEmpty() || !inherited.containsAll(all)) {
            throw BindingException.of(
                    FailureKind.NOT_ALLOWED,
                    "bind",
                    "process " + pid,
                    "CPUs " + all,
                    cpus.isEmpty()
                            ? "no CPU is given"
                            : "CPUs " + all.minus(inherited) + " are not among those that it inherited",
                    "it may use CPUs " + inherited);
        }
        Optional<BindingRecord> known = record();
        BindingRecord record = known.orElseGet(this::present);
        records.write(record);
        try {
            ProcessBinding binding = ProcessBinding.bind(process, cpus, single);
            if (known.isEmpty()) {
                records.write(record.with(binding.before()));
            }
        } catch (BindingException e) {
            if (known.isEmpty()) {
                records.remove(record);
            }
            throw e;
        }
    }

    /**
     * Restores the recorded mask of each thread, and gives threads that were started since that of the leader; reads
     * each back, and deletes the record.
     *
     * @return the CPUs that its threads may use together then
     * @throws BindingException when nothing is recorded, the kernel refuses, or the cpuset has become smaller
     */
    public CpuSet unbind() {
        process.require("unbind");
        BindingRecord record = record().orElseThrow(() -> BindingException.of(
                FailureKind.UNAVAILABLE,
                "unbind",
                "process " + pid,
                "",
                "its previous masks are unknown",
                "only a 'bind' of the same user can be undone"));
        Map<Integer, CpuSet> own = new LinkedHashMap<>();
        for (int tid : masks().keySet()) {
            CpuSet cpus = record.threads().get(key(tid));
            if (cpus != null) {
                own.put(tid, cpus);
            }
        }
        ProcessBinding.bind(process, record.leader(), own);
        records.remove(record);
        return own.values().stream().reduce(record.leader(), CpuSet::union);
    }

    /**
     * Lets every thread use all that the cpuset of the process allows, as the kernel has it, and deletes the record.
     *
     * @return the CPUs that it may use then
     * @throws BindingException when the kernel refuses
     */
    public CpuSet widen() {
        CpuSet before = ThreadMasks.get(pid);
        process.require("widen");
        // The kernel takes away what the cpuset does not have (sched_setaffinity(2)).
        ThreadMasks.set(pid, ThreadMasks.possible());
        CpuSet cpus = ThreadMasks.get(pid);
        try {
            ProcessBinding.bind(process, cpus, Map.of());
        } catch (BindingException e) {
            if (process.lives()) {
                ThreadMasks.set(pid, before);
            }
            throw e;
        }
        record().ifPresent(records::remove);
        return cpus;
    }

    /**
     * Moves the pages that are on some nodes to others (migrate_pages(2)): those of the process alone, and with
     * CAP_SYS_NICE also those that it shares. Asked again while fewer pages remain, for pages that were in use.
     *
     * <p>One node is emptied after the other. Its pages go to one of the others, in turn, and to the next one only when that has no
     * room. To fill some nodes before others, call this for those first.
     *
     * @param from nodes to leave; those that are also among {@code to} keep their pages
     * @return pages that could not be moved, as the kernel counts them; it does not count them where there is no room, and one stands
     *     for them
     * @throws BindingException when the kernel refuses (EPERM: it belongs to another user; EINVAL: the nodes are not in
     *     its cpuset), or cannot
     */
    public long movePages(NodeSet from, NodeSet to) {
        if (to.isEmpty()) {
            throw new IllegalArgumentException("no node to move pages to");
        }
        long left = 0;
        int turn = 0;
        for (int source : from.minus(to).toArray()) {
            left += empty(source, to.toArray(), turn++);
        }
        return left;
    }

    /** One call with several nodes on each side maps them by their position, whatever room they have. */
    private long empty(int source, int[] to, int turn) {
        long left = Long.MAX_VALUE;
        for (int i = 0; i < to.length && left > 0; i++) {
            left = movePages(source, to[(turn + i) % to.length]);
        }
        return left;
    }

    private long movePages(int from, int to) {
        long left = Long.MAX_VALUE;
        for (int move = 0; move < MOST_MOVES && left > 0; move++) {
            int owner = memoryOwner();
            process.require("move the pages of");
            int result = NativeBridge.migratePages(
                    owner, NodeSet.of(from).toLongs(), NodeSet.of(to).toLongs());
            process.require("move the pages of");
            if (result == -Errno.ENOMEM) { // the node is full
                return left == Long.MAX_VALUE ? 1 : left;
            }
            if (result < 0) {
                throw BindingException.ofErrno(
                        "move", "the pages of process " + pid, "nodes " + to, -result, moveHint(-result));
            }
            if (result >= left) {
                break;
            }
            left = result;
        }
        return left;
    }

    /**
     * A living thread: the kernel does not find the memory of a process through an ended one, and the first may have
     * ended.
     */
    private int memoryOwner() {
        for (int tid : ProcessBinding.threads(pid, CpuSet.empty())) {
            try {
                if (!ProcessStatus.of(Path.of("/proc/" + pid + "/task/" + tid)).hasEnded()) {
                    return tid;
                }
            } catch (IOException ended) {
                // The next one then.
            }
        }
        return pid;
    }

    private static String moveHint(int errno) {
        return errno == Errno.EPERM
                ? "only its own user or root (CAP_SYS_NICE) may, and only where no seccomp filter forbids migrate_pages"
                : MemoryPolicies.hint(errno);
    }

    private BindingRecord present() {
        Map<Integer, CpuSet> masks = masks();
        CpuSet leader = masks.get(pid);
        if (leader == null) {
            throw ProcessIdentity.noSuchProcess(pid, CpuSet.empty());
        }
        return new BindingRecord(pid, process.startTime(), leader, keyed(masks));
    }

    private Map<String, CpuSet> keyed(Map<Integer, CpuSet> masks) {
        Map<String, CpuSet> keyed = new TreeMap<>();
        masks.forEach((tid, cpus) -> keyed.put(key(tid), cpus));
        return keyed;
    }

    private String key(int tid) {
        return ProcessBinding.key(pid, tid);
    }
}

package org.berth.binding;

import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.binding.internal.NativeBridge;
import org.berth.binding.internal.ids.JavaThreadIds;
import org.berth.binding.internal.ids.PlatformThreads;
import org.berth.topology.CpuSet;
import org.berth.topology.FailureKind;
import org.berth.topology.NodeSet;

/**
 * Binds threads, processes and memory of this machine, never outside what the process was allowed when the
 * {@link LocalMachine} was opened.
 *
 * <p>A request outside that is refused before any system call. Every other failure carries the kernel's errno.
 * Thread-safe. Operations on the calling thread are refused in a virtual thread, because they would affect its carrier,
 * and with it whatever runs there next.
 *
 * @since 0.1.0
 */
public final class Binder {
    private final CpuSet allowedCpus;
    private final NodeSet allowedNodes;
    private final List<CpuSet> cores;

    /** @param cores the allowed CPUs of each core */
    Binder(CpuSet allowedCpus, NodeSet allowedNodes, List<CpuSet> cores) {
        this.allowedCpus = allowedCpus;
        this.allowedNodes = allowedNodes;
        this.cores = cores;
    }

    List<CpuSet> cores() {
        return cores;
    }

    /**
     * The kernel's id of the calling thread (gettid(2)), as in /proc/self/task.
     *
     * @throws BindingException when the thread is virtual
     */
    public int currentThreadId() {
        PlatformThreads.requirePlatform("read", "the kernel id of the calling thread");
        return NativeBridge.currentThreadId();
    }

    /**
     * The kernel's id of a living Java platform thread, as in /proc/self/task. Exact: it is read from the JVM's own
     * structures (the table that HotSpot exports for its serviceability agent), in about a microsecond; where a JVM
     * does not export them, from the list of Thread.print, which stops all threads for about a millisecond. The
     * capability "thread ids" says which.
     *
     * @throws BindingException when the thread is virtual, has not been started or has ended, or this JVM does not tell
     */
    public int threadId(Thread thread) {
        return JavaThreadIds.of(thread);
    }

    /**
     * Operating system index of the CPU that the calling thread, also a virtual one, runs on now (sched_getcpu(3),
     * {@code hwloc_get_last_cpu_location}).
     *
     * @throws BindingException when the kernel does not tell
     */
    public int currentCpu() {
        int cpu = NativeBridge.currentCpu();
        if (cpu < 0) {
            throw BindingException.ofErrno("read", "the CPU of the calling thread", "", -cpu, "");
        }
        return cpu;
    }

    /**
     * Operating system index of the CPU on which the kernel handled the last packet that came for a connection: the CPU
     * of
     * the adapter's queue, or the one to which RPS passed it on. For a connection to the same host it is the CPU that
     * the sender ran on. One system call, 0.2 us in all
     * (SO_INCOMING_CPU, <a href="https://man7.org/linux/man-pages/man7/socket.7.html">socket(7)</a>).
     *
     * @return empty when no packet has come yet
     * @throws BindingException when the channel is closed or not the JDK's own, or the kernel is older than 3.19
     */
    public OptionalInt incomingCpu(SocketChannel channel) {
        int cpu = NativeBridge.incomingCpu(channel);
        if (cpu < 0 && cpu != -Errno.ENODATA) {
            throw BindingException.ofErrno(
                    "read", "the CPU that handles the packets of " + channel, "", -cpu, "SO_INCOMING_CPU");
        }
        return cpu < 0 ? OptionalInt.empty() : OptionalInt.of(cpu);
    }

    /**
     * Binds the calling thread: one check in Java and one system call, sched_setaffinity(2); not read back
     * ({@code hwloc_set_cpubind}).
     *
     * @throws BindingException when the thread is virtual, a CPU is not allowed or the kernel refuses
     */
    public void setThreadCpus(CpuSet cpus) {
        setThreadCpus(0, cpus);
    }

    /**
     * Binds any thread that the kernel permits (the same user, or CAP_SYS_NICE); not read back ({@code
     * hwloc_set_thread_cpubind}, {@code hwloc_linux_set_tid_cpubind}).
     *
     * @param tid kernel id; 0 is the calling thread
     * @throws BindingException when the calling thread is meant and virtual, a CPU is not allowed or the kernel refuses
     */
    public void setThreadCpus(int tid, CpuSet cpus) {
        if (tid == 0) {
            PlatformThreads.requirePlatform("bind", ThreadMasks.name(0));
        }
        requireAllowed(cpus, tid);
        ThreadMasks.set(tid, cpus);
    }

    /**
     * The calling thread's mask as the kernel has it (sched_getaffinity(2), {@code hwloc_get_cpubind}).
     *
     * @throws BindingException when the thread is virtual
     */
    public CpuSet threadCpus() {
        return threadCpus(0);
    }

    /**
     * Any thread's mask; 0 is the calling thread ({@code hwloc_get_thread_cpubind}, {@code
     * hwloc_linux_get_tid_cpubind}).
     */
    public CpuSet threadCpus(int tid) {
        if (tid == 0) {
            PlatformThreads.requirePlatform("read", "the CPU mask of the calling thread");
        }
        return ThreadMasks.get(tid);
    }

    /**
     * The CPUs that the cpuset of this process has at this moment and that are online, whatever its threads are bound
     * to;
     * not narrowed to what was allowed when the machine was opened. The calling thread has a mask of all CPUs for the
     * time
     * of three system calls, which moves it nowhere: the kernel cuts the mask, and no file tells in every container.
     *
     * @throws BindingException when the kernel refuses, as under a seccomp filter
     */
    public CpuSet cpusetCpus() {
        PlatformThreads.requirePlatform("look beyond the mask of", "the calling thread");
        CpuSet own = ThreadMasks.get(0);
        ThreadMasks.set(0, ThreadMasks.possible());
        try {
            return ThreadMasks.get(0);
        } finally {
            ThreadMasks.set(0, own);
        }
    }

    /**
     * The CPUs that some thread of a process may use ({@code hwloc_get_proc_cpubind}).
     *
     * @throws BindingException when there is no such process, or it may not be inspected
     */
    public CpuSet processCpus(long pid) {
        return ProcessCpus.allowed(pid);
    }

    /**
     * The CPU that a thread of any process runs on or ran on last ({@code hwloc_linux_get_tid_last_cpu_location}).
     *
     * @throws BindingException when there is no such thread, or it may not be inspected
     */
    public int lastCpu(int tid) {
        return ProcessCpus.lastOfThread(tid);
    }

    /**
     * The CPUs that the threads of a process run on or ran on last ({@code hwloc_get_proc_last_cpu_location}).
     *
     * @throws BindingException when there is no such process, or it may not be inspected */
    public CpuSet lastCpus(long pid) {
        return ProcessCpus.last(pid);
    }

    /**
     * Binds the calling thread and verifies it ({@code hwloc_set_cpubind}); closing restores its mask. Any thread may
     * close; when the bound one has ended there is nothing to restore.
     *
     * @throws BindingException when a CPU is not allowed, the kernel refuses, or it narrowed the set
     */
    public BoundScope bindThread(CpuSet cpus) {
        PlatformThreads.requirePlatform("bind", "the calling thread");
        requireAllowed(cpus, 0);
        return ThreadBinding.bind(Thread.currentThread(), currentThreadId(), cpus);
    }

    /**
     * Binds the calling thread and verifies it, unless the kernel reports this mask already; nothing restores the
     * former one. For a thread that changes its slot with each piece of work: a thread that stays costs one read of the
     * mask, one that moves a read, sched_setaffinity(2) and a read, where {@link #bindThread(CpuSet)} would have a
     * scope, too.
     *
     * @return whether it had another mask
     * @throws BindingException when the thread is virtual, a CPU is not allowed, the kernel refuses, or it narrowed the
     *     set; the thread then keeps its former mask
     */
    public boolean moveThread(CpuSet cpus) {
        PlatformThreads.requirePlatform("bind", "the calling thread");
        requireAllowed(cpus, 0);
        return ThreadBinding.move(cpus);
    }

    /**
     * Runs a task with the calling thread bound to these CPUs, and restores its mask afterwards. A thread that the task starts
     * inherits the CPUs, and keeps them.
     *
     * @throws BindingException as {@link #bindThread(CpuSet)}; the task has not run then
     */
    public void runBound(CpuSet cpus, Runnable task) {
        BoundScope bound = bindThread(cpus);
        try (bound) {
            task.run();
        }
    }

    /**
     * Calls a task with the calling thread bound to these CPUs, and restores its mask afterwards, as {@link #runBound}.
     *
     * @throws BindingException as {@link #bindThread(CpuSet)}; the task has not run then
     * @throws Exception that of the task
     */
    public <T> T callBound(CpuSet cpus, Callable<T> task) throws Exception {
        BoundScope bound = bindThread(cpus);
        try (bound) {
            return task.call();
        }
    }

    /**
     * Binds any living Java platform thread and verifies it; closing restores its mask if it still lives. The caller
     * must make sure that it does not end meanwhile ({@code hwloc_set_thread_cpubind}).
     *
     * @throws BindingException when a CPU is not allowed, the kernel refuses or narrowed the set, or as {@link
     * #threadId}
     */
    public BoundScope bindThread(Thread thread, CpuSet cpus) {
        PlatformThreads.requirePlatform(thread, "bind", "thread " + thread.getName());
        requireAllowed(cpus, "thread " + thread.getName());
        return ThreadBinding.bind(thread, threadId(thread), cpus);
    }

    /**
     * Binds every thread of a process, again and again until no new one appears; each is read back. Closing gives the
     * old masks back to those that still live; a thread started meanwhile gets the mask that the leader had
     * ({@code hwloc_set_proc_cpubind}).
     *
     * @throws BindingException when a CPU is not allowed, there is no such process (ESRCH), or it belongs to another
     *     user (EPERM); nothing stays bound then
     */
    public BoundScope bindProcess(long pid, CpuSet cpus) {
        requireAllowed(cpus, "process " + pid);
        return ProcessBinding.scope(pid, cpus);
    }

    /**
     * The calling thread's policy for new pages (get_mempolicy(2), {@code hwloc_get_membind}).
     *
     * @throws BindingException when the thread is virtual or the kernel refuses, as under a seccomp filter
     */
    public MemoryPolicy memoryPolicy() {
        PlatformThreads.requirePlatform("read", "the memory policy of the calling thread");
        return MemoryPolicies.get().named();
    }

    /**
     * Sets where the calling thread's new pages go (set_mempolicy(2)) and verifies it; the pages that are there already
     * stay. Only the same thread may close the scope: the kernel has no call for the policy of another one
     * ({@code hwloc_set_membind}).
     *
     * @throws BindingException when a node is not allowed or the kernel refuses
     */
    public BoundScope bindMemory(MemoryPolicy policy) {
        PlatformThreads.requirePlatform("bind", "new memory of the calling thread");
        requireAllowed(policy, "new memory of the calling thread");
        return MemoryPolicies.bind(policy);
    }

    /**
     * Does the same as {@link #bindRange(MemoryRange, MemoryPolicy, boolean)} for a direct buffer, from index 0 to the
     * capacity.
     *
     * @throws IllegalArgumentException when the buffer is not direct
     */
    public void bindRange(ByteBuffer direct, MemoryPolicy policy, boolean move) {
        bindRange(MemoryRange.of(direct), policy, move);
    }

    /**
     * Sets where the pages of a range go (mbind(2)); only pages that lie wholly inside are touched
     * ({@code hwloc_set_area_membind}).
     *
     * @param move also move the pages that are there already; fails when one cannot be moved
     * @throws BindingException when the range holds no whole page, a node is not allowed or the kernel refuses
     */
    public void bindRange(MemoryRange range, MemoryPolicy policy, boolean move) {
        requireAllowed(policy, range.toString());
        if (RangeMemory.bind(range, policy, move) == 0) {
            throw BindingException.of(
                    FailureKind.INVALID,
                    "bind",
                    range.toString(),
                    policy.toString(),
                    "it holds no whole page",
                    "allocate more, or align it with ByteBuffer.alignedSlice");
        }
    }

    /**
     * The policy that all pages of a range have (get_mempolicy(2) of each, {@code hwloc_get_area_membind}).
     *
     * @throws BindingException when pages have different ones (EXDEV), or the kernel refuses
     */
    public MemoryPolicy rangePolicy(MemoryRange range) {
        return RangeMemory.policy(range);
    }

    /**
     * Does the same as {@link #pageNodes(MemoryRange)} for a direct buffer; IllegalArgumentException for any other
     * buffer. */
    public int[] pageNodes(ByteBuffer direct) {
        return pageNodes(MemoryRange.of(direct));
    }

    /**
     * Returns the NUMA node of every page that the range touches, or -errno: -2 (ENOENT) for a page that was not
     * written yet (move_pages(2), {@code hwloc_get_area_memlocation}).
     *
     * @throws BindingException when the kernel refuses, as under a seccomp filter
     */
    public int[] pageNodes(MemoryRange range) {
        return RangeMemory.pageNodes(range);
    }

    /**
     * The nodes that the written pages of a range are on ({@code hwloc_get_area_memlocation}).
     *
     * @throws BindingException when the kernel refuses, as under a seccomp filter
     */
    public NodeSet rangeNodes(MemoryRange range) {
        return NodeSet.of(Arrays.stream(pageNodes(range))
                .filter(node -> node >= 0)
                .distinct()
                .toArray());
    }

    /**
     * New memory of zeros outside the heap whose pages go where the policy says, from the first touch on
     * ({@code hwloc_alloc_membind}, {@code hwloc_alloc_membind_policy}). Closing it gives the pages back ({@code
     * hwloc_free}); until then it counts against {@code -XX:MaxDirectMemorySize}, as {@link NativeMemory} tells.
     *
     * @throws BindingException when a node is not allowed, the limit is reached even after a collection of garbage,
     * memory is     short, or the kernel refuses
     * @throws IllegalArgumentException when the size is not positive
     */
    public NativeMemory allocate(long sizeBytes, MemoryPolicy policy) {
        requireAllowed(policy, "new memory of " + sizeBytes + " bytes");
        return RangeMemory.allocate(sizeBytes, policy);
    }

    private void requireAllowed(CpuSet cpus, int tid) {
        if (cpus.isEmpty() || !allowedCpus.containsAll(cpus)) {
            throw refused(ThreadMasks.name(tid), cpus);
        }
    }

    void requireAllowed(CpuSet cpus, String target) {
        if (cpus.isEmpty() || !allowedCpus.containsAll(cpus)) {
            throw refused(target, cpus);
        }
    }

    private BindingException refused(String target, CpuSet cpus) {
        String reason =
                cpus.isEmpty() ? "no CPU is given" : "CPUs " + cpus.minus(allowedCpus) + " are not allowed here";
        return BindingException.of(
                cpus.isEmpty() ? FailureKind.INVALID : FailureKind.NOT_ALLOWED,
                "bind",
                target,
                "CPUs " + cpus,
                reason,
                "this process may use CPUs " + allowedCpus);
    }

    private void requireAllowed(MemoryPolicy policy, String target) {
        if (!allowedNodes.containsAll(policy.nodes())) {
            throw BindingException.of(
                    FailureKind.NOT_ALLOWED,
                    "bind",
                    target,
                    policy.toString(),
                    "nodes " + policy.nodes().minus(allowedNodes) + " are not allowed here",
                    "this process may use memory of nodes " + allowedNodes);
        }
    }
}

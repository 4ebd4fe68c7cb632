package org.berth.binding;

import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.berth.binding.errors.BindingException;
import org.berth.topology.CpuSet;
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
public interface Binder {
    /**
     * A binder that binds nothing, for a program that runs on where there is no {@link LocalMachine}: its scopes change nothing, what
     * only the kernel knows is a BindingException of the kind UNAVAILABLE, and so is memory on a node. Each processor that the JVM
     * counts is an allowed core. The first one is a warning of {@link System.Logger}, unless {@link LocalMachine#tryOpen()} has said
     * why.
     */
    static Binder none() {
        return UnboundMachine.because("this program asks for a binder that binds nothing")
                .binder();
    }

    /** The CPUs to which it binds, by their kernel numbers. */
    CpuSet allowedCpus();

    /** The memory nodes to which it binds. */
    NodeSet allowedNodes();

    /** The allowed CPUs of each core. */
    List<CpuSet> allowedCores();

    /**
     * The kernel's id of the calling thread (gettid(2)), as in /proc/self/task.
     *
     * @throws BindingException when the thread is virtual
     */
    int currentThreadId();

    /**
     * The kernel's id of a living Java platform thread, as in /proc/self/task. Exact: it is read from the JVM's own
     * structures (the table that HotSpot exports for its serviceability agent), in about a microsecond; where a JVM
     * does not export them, from the list of Thread.print, which stops all threads for about a millisecond. The
     * capability "thread ids" says which.
     *
     * @throws BindingException when the thread is virtual, has not been started or has ended, or this JVM does not tell
     */
    int threadId(Thread thread);

    /**
     * Operating system index of the CPU that the calling thread, also a virtual one, runs on now (sched_getcpu(3),
     * {@code hwloc_get_last_cpu_location}).
     *
     * @throws BindingException when the kernel does not tell
     */
    int currentCpu();

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
    OptionalInt incomingCpu(SocketChannel channel);

    /**
     * Binds the calling thread: one check in Java and one system call, sched_setaffinity(2); not read back
     * ({@code hwloc_set_cpubind}).
     *
     * @throws BindingException when the thread is virtual, a CPU is not allowed or the kernel refuses
     */
    default void setThreadCpusUnverified(CpuSet cpus) {
        setThreadCpusUnverified(0, cpus);
    }

    /**
     * Binds any thread that the kernel permits (the same user, or CAP_SYS_NICE); not read back ({@code
     * hwloc_set_thread_cpubind}, {@code hwloc_linux_set_tid_cpubind}).
     *
     * @param tid kernel id; 0 is the calling thread
     * @throws BindingException when the calling thread is meant and virtual, a CPU is not allowed or the kernel refuses
     */
    void setThreadCpusUnverified(int tid, CpuSet cpus);

    /**
     * The calling thread's mask as the kernel has it (sched_getaffinity(2), {@code hwloc_get_cpubind}).
     *
     * @throws BindingException when the thread is virtual
     */
    default CpuSet threadCpus() {
        return threadCpus(0);
    }

    /**
     * Any thread's mask; 0 is the calling thread ({@code hwloc_get_thread_cpubind}, {@code
     * hwloc_linux_get_tid_cpubind}).
     */
    CpuSet threadCpus(int tid);

    /**
     * The CPUs that the cpuset of this process has at this moment and that are online, whatever its threads are bound
     * to;
     * not narrowed to what was allowed when the machine was opened. The calling thread has a mask of all CPUs for the
     * time
     * of three system calls, which moves it nowhere: the kernel cuts the mask, and no file tells in every container.
     *
     * @throws BindingException when the kernel refuses, as under a seccomp filter
     */
    CpuSet cpusetCpus();

    /**
     * The CPUs that some thread of a process may use ({@code hwloc_get_proc_cpubind}).
     *
     * @throws BindingException when there is no such process, or it may not be inspected
     */
    CpuSet processCpus(long pid);

    /**
     * The CPU that a thread of any process runs on or ran on last ({@code hwloc_linux_get_tid_last_cpu_location}).
     *
     * @throws BindingException when there is no such thread, or it may not be inspected
     */
    int lastCpu(int tid);

    /**
     * The CPUs that the threads of a process run on or ran on last ({@code hwloc_get_proc_last_cpu_location}).
     *
     * @throws BindingException when there is no such process, or it may not be inspected */
    CpuSet lastCpus(long pid);

    /**
     * Binds the calling thread and verifies it ({@code hwloc_set_cpubind}); closing restores its mask. Any thread may
     * close; when the bound one has ended there is nothing to restore.
     *
     * @throws BindingException when a CPU is not allowed, the kernel refuses, or it narrowed the set
     */
    BoundScope bindThread(CpuSet cpus);

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
    boolean bindThreadForGood(CpuSet cpus);

    /**
     * Runs a task with the calling thread bound to these CPUs, and restores its mask afterwards. A thread that the task starts
     * inherits the CPUs, and keeps them.
     *
     * @throws BindingException as {@link #bindThread(CpuSet)}; the task has not run then
     */
    default void runBound(CpuSet cpus, Runnable task) {
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
    default <T> T callBound(CpuSet cpus, Callable<T> task) throws Exception {
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
    BoundScope bindThread(Thread thread, CpuSet cpus);

    /**
     * Binds every thread of a process, again and again until no new one appears; each is read back. Closing gives the
     * old masks back to those that still live; a thread started meanwhile gets the mask that the leader had
     * ({@code hwloc_set_proc_cpubind}).
     *
     * @throws BindingException when a CPU is not allowed, there is no such process (ESRCH), or it belongs to another
     *     user (EPERM); nothing stays bound then
     */
    BoundScope bindProcess(long pid, CpuSet cpus);

    /**
     * The calling thread's policy for new pages (get_mempolicy(2), {@code hwloc_get_membind}).
     *
     * @throws BindingException when the thread is virtual or the kernel refuses, as under a seccomp filter
     */
    MemoryPolicy memoryPolicy();

    /**
     * Sets where the calling thread's new pages go (set_mempolicy(2)) and verifies it; the pages that are there already
     * stay. Only the same thread may close the scope: the kernel has no call for the policy of another one
     * ({@code hwloc_set_membind}).
     *
     * @throws BindingException when a node is not allowed or the kernel refuses
     */
    BoundScope bindMemory(MemoryPolicy policy);

    /**
     * Does the same as {@link #bindRange(MemoryRange, MemoryPolicy, boolean)} for a direct buffer, from index 0 to the
     * capacity.
     *
     * @throws IllegalArgumentException when the buffer is not direct
     */
    default void bindRange(ByteBuffer direct, MemoryPolicy policy, boolean move) {
        bindRange(MemoryRange.of(direct), policy, move);
    }

    /**
     * Sets where the pages of a range go (mbind(2)); only pages that lie wholly inside are touched
     * ({@code hwloc_set_area_membind}).
     *
     * @param move also move the pages that are there already; fails when one cannot be moved
     * @throws BindingException when the range holds no whole page, a node is not allowed or the kernel refuses
     */
    void bindRange(MemoryRange range, MemoryPolicy policy, boolean move);

    /**
     * The policy that all pages of a range have (get_mempolicy(2) of each, {@code hwloc_get_area_membind}).
     *
     * @throws BindingException when pages have different ones (EXDEV), or the kernel refuses
     */
    MemoryPolicy rangePolicy(MemoryRange range);

    /**
     * Does the same as {@link #pageNodes(MemoryRange)} for a direct buffer; IllegalArgumentException for any other
     * buffer. */
    default int[] pageNodes(ByteBuffer direct) {
        return pageNodes(MemoryRange.of(direct));
    }

    /**
     * Returns the NUMA node of every page that the range touches, or -errno: -2 (ENOENT) for a page that was not
     * written yet (move_pages(2), {@code hwloc_get_area_memlocation}).
     *
     * @throws BindingException when the kernel refuses, as under a seccomp filter
     */
    int[] pageNodes(MemoryRange range);

    /**
     * The nodes that the written pages of a range are on ({@code hwloc_get_area_memlocation}).
     *
     * @throws BindingException when the kernel refuses, as under a seccomp filter
     */
    default NodeSet rangeNodes(MemoryRange range) {
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
    NativeMemory allocate(long sizeBytes, MemoryPolicy policy);

    /**
     * New memory of zeros outside the heap, on the nodes near a CPU while they have free pages, as {@link #allocate}.
     *
     * @param cpu its kernel number
     * @throws BindingException when the CPU is not allowed, or as {@link #allocate}
     */
    NativeMemory allocateNear(int cpu, long sizeBytes);
}

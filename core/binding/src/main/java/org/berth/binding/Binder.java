package org.berth.binding;

import java.nio.ByteBuffer;
import org.berth.binding.internal.NativeBridge;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * Binds threads, processes and memory of this machine, never outside of what the process was allowed when the
 * {@link LocalMachine} was opened.
 *
 * <p>A request outside is refused before any system call. Every other failure carries the kernel's errno. Thread-safe;
 * "the calling thread" is the platform thread, so a virtual thread must not call it: it would bind its carrier.
 */
public final class Binder {
    private static final int BIND_STRICT = 1;
    private static final int BIND_MOVE = 2;

    /** The smallest page of all supported architectures, so never too few for the answer. */
    private static final int SMALLEST_PAGE_BYTES = 4096;

    private final CpuSet allowedCpus;
    private final NodeSet allowedNodes;

    Binder(CpuSet allowedCpus, NodeSet allowedNodes) {
        this.allowedCpus = allowedCpus;
        this.allowedNodes = allowedNodes;
    }

    /** The kernel's id of the calling thread (gettid(2)), as in /proc/self/task. */
    public int currentThreadId() {
        return NativeBridge.currentThreadId();
    }

    /** Operating system index of the CPU that the calling thread runs on now (sched_getcpu(3)). */
    public int currentCpu() {
        int cpu = NativeBridge.currentCpu();
        if (cpu < 0) {
            throw BindingException.ofErrno("read", "the CPU of the calling thread", "", -cpu, "");
        }
        return cpu;
    }

    /**
     * Binds the calling thread: one check in Java and one system call, sched_setaffinity(2); not read back.
     *
     * @throws BindingException when a CPU is not allowed or the kernel refuses
     */
    public void setThreadCpus(CpuSet cpus) {
        setThreadCpus(0, cpus);
    }

    /**
     * Binds any thread of which the kernel lets us (the same user, or CAP_SYS_NICE); not read back.
     *
     * @param tid kernel id; 0 is the calling thread
     * @throws BindingException when a CPU is not allowed or the kernel refuses
     */
    public void setThreadCpus(int tid, CpuSet cpus) {
        requireAllowed(cpus, tid);
        ThreadMasks.set(tid, cpus);
    }

    /** The calling thread's mask as the kernel has it (sched_getaffinity(2)). */
    public CpuSet threadCpus() {
        return ThreadMasks.get(0);
    }

    /** Any thread's mask; 0 is the calling thread. */
    public CpuSet threadCpus(int tid) {
        return ThreadMasks.get(tid);
    }

    /**
     * Binds the calling thread and verifies it; closing restores its mask. Any thread may close; when the bound one has
     * ended there is nothing to restore.
     *
     * @throws BindingException when a CPU is not allowed, the kernel refuses, or it narrowed the set
     */
    public BoundScope bindThread(CpuSet cpus) {
        PlatformThreads.requirePlatform("bind", "the calling thread");
        requireAllowed(cpus, 0);
        Thread owner = Thread.currentThread();
        int tid = currentThreadId();
        CpuSet before = ThreadMasks.get(0);
        try {
            ThreadMasks.setVerified(0, cpus);
        } catch (BindingException e) {
            ThreadMasks.set(0, before);
            throw e;
        }
        // A dead thread's tid may already name another one.
        return new BoundScope(() -> {
            if (owner == Thread.currentThread()) {
                ThreadMasks.set(0, before);
            } else if (owner.isAlive()) {
                ThreadMasks.set(tid, before);
            }
        });
    }

    /**
     * Binds every thread of a process, again and again until no new one appears; each is read back. Closing gives the
     * old masks back to those that still live; a thread started meanwhile gets the mask that the leader had.
     *
     * @throws BindingException when a CPU is not allowed, there is no such process (ESRCH), or it belongs to another
     *     user (EPERM); nothing stays bound then
     */
    public BoundScope bindProcess(long pid, CpuSet cpus) {
        requireAllowed(cpus, "process " + pid);
        ProcessBinding binding = ProcessBinding.bind(pid, cpus);
        return new BoundScope(binding::restore);
    }

    /**
     * The calling thread's policy for new pages (get_mempolicy(2)).
     *
     * @throws BindingException when the kernel refuses, as under a seccomp filter
     */
    public MemoryPolicy memoryPolicy() {
        return MemoryPolicies.get().named();
    }

    /**
     * Sets where the calling thread's new pages go (set_mempolicy(2)) and verifies it; the pages that are there already
     * stay. Only the same thread may close the scope: the kernel has no call for the policy of another one.
     *
     * @throws BindingException when a node is not allowed or the kernel refuses
     */
    public BoundScope bindMemory(MemoryPolicy policy) {
        PlatformThreads.requirePlatform("bind", "new memory of the calling thread");
        requireAllowed(policy, "new memory of the calling thread");
        MemoryPolicies.Raw before = MemoryPolicies.get();
        MemoryPolicies.set(MemoryPolicies.raw(policy));
        MemoryPolicy now = MemoryPolicies.get().named();
        if (!now.equals(policy)) {
            MemoryPolicies.set(before);
            throw BindingException.of(
                    "bind",
                    "new memory of the calling thread",
                    policy.toString(),
                    "the kernel made it " + now,
                    "the cpuset has changed, or the kernel is older than 5.15 and prefers one node only");
        }
        Thread owner = Thread.currentThread();
        return new BoundScope(() -> {
            if (owner != Thread.currentThread()) {
                throw BindingException.of(
                        "restore",
                        "the memory policy of thread " + owner.getName(),
                        "",
                        "thread " + Thread.currentThread().getName() + " closed it",
                        "close it in the thread that was bound");
            }
            MemoryPolicies.set(before);
        });
    }

    /**
     * Sets where the pages of a direct buffer go (mbind(2)), from index 0 to the capacity; only pages that lie wholly
     * inside are touched.
     *
     * @param move also move the pages that are there already; fails when one cannot be moved
     * @throws BindingException when the buffer holds no whole page, a node is not allowed or the kernel refuses
     * @throws IllegalArgumentException when the buffer is not direct
     */
    public void bindRange(ByteBuffer direct, MemoryPolicy policy, boolean move) {
        String target = "a direct buffer of " + direct.capacity() + " bytes";
        requireAllowed(policy, target);
        int pages = NativeBridge.bindRange(
                address(direct),
                direct.capacity(),
                MemoryPolicies.mode(policy.mode()),
                policy.nodes().toLongs(),
                move ? BIND_STRICT | BIND_MOVE : 0);
        if (pages < 0) {
            throw BindingException.ofErrno("bind", target, policy.toString(), -pages, MemoryPolicies.hint(-pages));
        }
        if (pages == 0) {
            throw BindingException.of(
                    "bind",
                    target,
                    policy.toString(),
                    "it holds no whole page",
                    "allocate more, or align it with ByteBuffer.alignedSlice");
        }
    }

    /**
     * For every page that the direct buffer touches, the NUMA node it is on, or -errno: -2 (ENOENT) for a page that
     * nobody has written yet (move_pages(2)).
     *
     * @throws BindingException when the kernel refuses, as under a seccomp filter
     * @throws IllegalArgumentException when the buffer is not direct
     */
    public int[] pageNodes(ByteBuffer direct) {
        int mostPages = direct.capacity() / SMALLEST_PAGE_BYTES + 2;
        return MemoryPolicies.pageNodes(address(direct), direct.capacity(), mostPages);
    }

    private static long address(ByteBuffer direct) {
        long address = direct.isDirect() ? NativeBridge.directBufferAddress(direct) : 0;
        if (address == 0) {
            throw new IllegalArgumentException("only a direct buffer has pages of its own, not " + direct);
        }
        return address;
    }

    private void requireAllowed(CpuSet cpus, int tid) {
        if (cpus.isEmpty() || !allowedCpus.containsAll(cpus)) {
            throw refused(ThreadMasks.name(tid), cpus);
        }
    }

    private void requireAllowed(CpuSet cpus, String target) {
        if (cpus.isEmpty() || !allowedCpus.containsAll(cpus)) {
            throw refused(target, cpus);
        }
    }

    private BindingException refused(String target, CpuSet cpus) {
        String reason =
                cpus.isEmpty() ? "no CPU is given" : "CPUs " + cpus.minus(allowedCpus) + " are not allowed here";
        return BindingException.of("bind", target, "CPUs " + cpus, reason, "this process may use CPUs " + allowedCpus);
    }

    private void requireAllowed(MemoryPolicy policy, String target) {
        if (!allowedNodes.containsAll(policy.nodes())) {
            throw BindingException.of(
                    "bind",
                    target,
                    policy.toString(),
                    "nodes " + policy.nodes().minus(allowedNodes) + " are not allowed here",
                    "this process may use memory of nodes " + allowedNodes);
        }
    }
}

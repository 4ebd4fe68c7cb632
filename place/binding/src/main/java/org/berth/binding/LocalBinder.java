package org.berth.binding;

import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.OptionalInt;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.binding.internal.NativeBridge;
import org.berth.binding.internal.ids.JavaThreadIds;
import org.berth.binding.internal.ids.PlatformThreads;
import org.berth.placement.MemoryMode;
import org.berth.topology.CpuSet;
import org.berth.topology.FailureKind;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/** Binds by the native library. Immutable. */
final class LocalBinder implements Binder {
    private final Topology topology;
    private final CpuSet allowedCpus;
    private final NodeSet allowedNodes;
    private final List<CpuSet> cores;

    LocalBinder(Topology topology) {
        this.topology = topology;
        this.allowedCpus = topology.allowedCpuSet();
        this.allowedNodes = topology.allowedNodeSet();
        this.cores = topology.allowedCores();
    }

    @Override
    public CpuSet allowedCpus() {
        return allowedCpus;
    }

    @Override
    public NodeSet allowedNodes() {
        return allowedNodes;
    }

    @Override
    public List<CpuSet> allowedCores() {
        return cores;
    }

    @Override
    public int currentThreadId() {
        PlatformThreads.requirePlatform("read", "the kernel id of the calling thread");
        return NativeBridge.currentThreadId();
    }

    @Override
    public int threadId(Thread thread) {
        return JavaThreadIds.of(thread);
    }

    @Override
    public int currentCpu() {
        int cpu = NativeBridge.currentCpu();
        if (cpu < 0) {
            throw BindingException.ofErrno("read", "the CPU of the calling thread", "", -cpu, "");
        }
        return cpu;
    }

    @Override
    public OptionalInt incomingCpu(SocketChannel channel) {
        int cpu = NativeBridge.incomingCpu(channel);
        if (cpu < 0 && cpu != -Errno.ENODATA) {
            throw BindingException.ofErrno(
                    "read", "the CPU that handles the packets of " + channel, "", -cpu, "SO_INCOMING_CPU");
        }
        return cpu < 0 ? OptionalInt.empty() : OptionalInt.of(cpu);
    }

    @Override
    public void setThreadCpusUnverified(int tid, CpuSet cpus) {
        if (tid == 0) {
            PlatformThreads.requirePlatform("bind", ThreadMasks.name(0));
        }
        requireAllowed(cpus, tid);
        ThreadMasks.set(tid, cpus);
    }

    @Override
    public CpuSet threadCpus(int tid) {
        if (tid == 0) {
            PlatformThreads.requirePlatform("read", "the CPU mask of the calling thread");
        }
        return ThreadMasks.get(tid);
    }

    @Override
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

    @Override
    public CpuSet processCpus(long pid) {
        return ProcessCpus.allowed(pid);
    }

    @Override
    public int lastCpu(int tid) {
        return ProcessCpus.lastOfThread(tid);
    }

    @Override
    public CpuSet lastCpus(long pid) {
        return ProcessCpus.last(pid);
    }

    @Override
    public BoundScope bindThread(CpuSet cpus) {
        PlatformThreads.requirePlatform("bind", "the calling thread");
        requireAllowed(cpus, 0);
        return ThreadBinding.bind(Thread.currentThread(), currentThreadId(), cpus);
    }

    @Override
    public boolean bindThreadForGood(CpuSet cpus) {
        PlatformThreads.requirePlatform("bind", "the calling thread");
        requireAllowed(cpus, 0);
        return ThreadBinding.move(cpus);
    }

    @Override
    public BoundScope bindThread(Thread thread, CpuSet cpus) {
        PlatformThreads.requirePlatform(thread, "bind", "thread " + thread.getName());
        requireAllowed(cpus, "thread " + thread.getName());
        return ThreadBinding.bind(thread, threadId(thread), cpus);
    }

    @Override
    public BoundScope bindProcess(long pid, CpuSet cpus) {
        requireAllowed(cpus, "process " + pid);
        return ProcessBinding.scope(pid, cpus);
    }

    @Override
    public MemoryPolicy memoryPolicy() {
        PlatformThreads.requirePlatform("read", "the memory policy of the calling thread");
        return MemoryPolicies.get().named();
    }

    @Override
    public BoundScope bindMemory(MemoryPolicy policy) {
        PlatformThreads.requirePlatform("bind", "new memory of the calling thread");
        requireAllowed(policy, "new memory of the calling thread");
        return MemoryPolicies.bind(policy);
    }

    @Override
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

    @Override
    public MemoryPolicy rangePolicy(MemoryRange range) {
        return RangeMemory.policy(range);
    }

    @Override
    public int[] pageNodes(MemoryRange range) {
        return RangeMemory.pageNodes(range);
    }

    @Override
    public NativeMemory allocateNear(int cpu, long sizeBytes) {
        CpuSet one = CpuSet.of(cpu);
        requireAllowed(one, "memory near CPU " + cpu);
        NodeSet near = topology.nodesOf(one).intersection(allowedNodes);
        return allocate(sizeBytes, near.isEmpty() ? MemoryPolicy.local() : new MemoryPolicy(MemoryMode.PREFER, near));
    }

    @Override
    public NativeMemory allocate(long sizeBytes, MemoryPolicy policy) {
        requireAllowed(policy, "new memory of " + sizeBytes + " bytes");
        return RangeMemory.allocate(sizeBytes, policy);
    }

    /** The name of the thread is needed for a refusal only. */
    private void requireAllowed(CpuSet cpus, int tid) {
        if (cpus.isEmpty() || !allowedCpus.containsAll(cpus)) {
            requireAllowed(cpus, ThreadMasks.name(tid));
        }
    }

    private void requireAllowed(CpuSet cpus, String target) {
        BindingException.requireAllowed(cpus, allowedCpus, target);
    }

    private void requireAllowed(MemoryPolicy policy, String target) {
        BindingException.requireAllowed(policy.nodes(), allowedNodes, policy.toString(), target);
    }
}

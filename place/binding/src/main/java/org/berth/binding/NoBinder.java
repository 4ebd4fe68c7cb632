package org.berth.binding;

import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.OptionalInt;
import org.berth.binding.errors.BindingException;
import org.berth.topology.CpuSet;
import org.berth.topology.FailureKind;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/** Binds nothing: {@link Binder#none()}. */
final class NoBinder implements Binder {
    private final Topology topology;

    NoBinder(Topology topology) {
        this.topology = topology;
    }

    private static BindingException unknown(String what) {
        return BindingException.of(FailureKind.UNAVAILABLE, "read", what, "", "nothing is bound here", "");
    }

    private static BoundScope nothing() {
        return BoundScope.of(() -> {});
    }

    @Override
    public CpuSet allowedCpus() {
        return topology.allowedCpuSet();
    }

    @Override
    public NodeSet allowedNodes() {
        return topology.allowedNodeSet();
    }

    @Override
    public List<CpuSet> allowedCores() {
        return topology.allowedCores();
    }

    @Override
    public int currentThreadId() {
        throw unknown("the kernel id of the calling thread");
    }

    @Override
    public int threadId(Thread thread) {
        throw unknown("the kernel id of a thread");
    }

    @Override
    public int currentCpu() {
        throw unknown("the CPU of the calling thread");
    }

    @Override
    public OptionalInt incomingCpu(SocketChannel channel) {
        return OptionalInt.empty();
    }

    @Override
    public void setThreadCpusUnverified(int tid, CpuSet cpus) {}

    @Override
    public CpuSet threadCpus(int tid) {
        throw unknown("the CPU mask of a thread");
    }

    @Override
    public CpuSet cpusetCpus() {
        throw unknown("the cpuset");
    }

    @Override
    public CpuSet processCpus(long pid) {
        throw unknown("the CPUs of a process");
    }

    @Override
    public int lastCpu(int tid) {
        throw unknown("the CPU of a thread");
    }

    @Override
    public CpuSet lastCpus(long pid) {
        throw unknown("the CPUs of a process");
    }

    @Override
    public BoundScope bindThread(CpuSet cpus) {
        return nothing();
    }

    @Override
    public boolean bindThreadForGood(CpuSet cpus) {
        return false;
    }

    @Override
    public BoundScope bindThread(Thread thread, CpuSet cpus) {
        return nothing();
    }

    @Override
    public BoundScope bindProcess(long pid, CpuSet cpus) {
        return nothing();
    }

    @Override
    public MemoryPolicy memoryPolicy() {
        throw unknown("the memory policy of the calling thread");
    }

    @Override
    public BoundScope bindMemory(MemoryPolicy policy) {
        return nothing();
    }

    @Override
    public void bindRange(ByteBuffer direct, MemoryPolicy policy, boolean move) {}

    @Override
    public void bindRange(MemoryRange range, MemoryPolicy policy, boolean move) {}

    @Override
    public MemoryPolicy rangePolicy(MemoryRange range) {
        throw unknown("the memory policy of " + range);
    }

    @Override
    public int[] pageNodes(ByteBuffer direct) {
        throw unknown("the nodes of a buffer");
    }

    @Override
    public int[] pageNodes(MemoryRange range) {
        throw unknown("the nodes of " + range);
    }

    @Override
    public NativeMemory allocateNear(int cpu, long sizeBytes) {
        return allocate(sizeBytes, MemoryPolicy.local());
    }

    @Override
    public NativeMemory allocate(long sizeBytes, MemoryPolicy policy) {
        throw BindingException.of(
                FailureKind.UNAVAILABLE,
                "allocate",
                sizeBytes + " bytes",
                policy.toString(),
                "nothing is bound here",
                "use ByteBuffer.allocateDirect");
    }
}

package org.berth.testing;

import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.WeakHashMap;
import org.berth.binding.Binder;
import org.berth.binding.BoundScope;
import org.berth.binding.MemoryPolicy;
import org.berth.binding.MemoryRange;
import org.berth.binding.NativeMemory;
import org.berth.binding.errors.BindingException;
import org.berth.topology.CpuSet;
import org.berth.topology.FailureKind;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/** Records instead of binding. Thread-safe: all is guarded by itself. */
final class FakeBinder implements Binder {
    private final Topology topology;
    private final Map<Thread, CpuSet> threads = Collections.synchronizedMap(new WeakHashMap<>());
    private final Map<Thread, MemoryPolicy> memory = Collections.synchronizedMap(new WeakHashMap<>());
    private final Map<String, CpuSet> names = new HashMap<>();
    private final Map<Long, CpuSet> processes = new HashMap<>();
    private final List<Map.Entry<String, CpuSet>> history = new ArrayList<>();
    private Optional<FailureKind> refusal = Optional.empty();

    FakeBinder(Topology topology) {
        this.topology = topology;
    }

    synchronized void refuse(Optional<FailureKind> kind) {
        refusal = kind;
    }

    synchronized CpuSet bound(String thread) {
        CpuSet cpus = names.get(thread);
        if (cpus == null) {
            throw new IllegalArgumentException("nobody has tried to bind a thread called \"" + thread
                    + "\"; threads with a try are " + new TreeSet<>(names.keySet()));
        }
        return cpus;
    }

    synchronized List<Map.Entry<String, CpuSet>> history() {
        return List.copyOf(history);
    }

    private synchronized void require(CpuSet cpus, String target) {
        if (refusal.isPresent()) {
            throw BindingException.of(refusal.get(), "bind", target, "CPUs " + cpus, "the test refuses it", "");
        }
        BindingException.requireAllowed(cpus, allowedCpus(), target);
    }

    private void require(MemoryPolicy policy, String target) {
        BindingException.requireAllowed(policy.nodes(), allowedNodes(), policy.toString(), target);
    }

    private static BindingException unknown(String what) {
        return BindingException.of(
                FailureKind.UNAVAILABLE,
                "read",
                what,
                "",
                "a fake machine has no kernel",
                "use a real one for this test");
    }

    private CpuSet set(Thread thread, CpuSet cpus) {
        tried(thread);
        require(cpus, "thread " + thread.getName());
        return recorded(thread, cpus);
    }

    private synchronized void tried(Thread thread) {
        names.putIfAbsent(thread.getName(), ofProcess());
    }

    private synchronized CpuSet recorded(Thread thread, CpuSet cpus) {
        CpuSet former = threads.put(thread, cpus);
        names.put(thread.getName(), cpus);
        history.add(Map.entry(thread.getName(), cpus));
        return former == null ? ofProcess() : former;
    }

    /** What a thread of this process has that is not bound itself. */
    private CpuSet ofProcess() {
        return processCpus(ProcessHandle.current().pid());
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
        return threadId(Thread.currentThread());
    }

    @Override
    public int threadId(Thread thread) {
        return (int) thread.getId();
    }

    /** The first CPU of the thread's mask. */
    @Override
    public int currentCpu() {
        return threadCpus().first();
    }

    @Override
    public OptionalInt incomingCpu(SocketChannel channel) {
        return OptionalInt.empty();
    }

    @Override
    public void setThreadCpusUnverified(int tid, CpuSet cpus) {
        set(tid == 0 ? Thread.currentThread() : thread(tid), cpus);
    }

    private static Thread thread(int tid) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(one -> one.getId() == tid)
                .findFirst()
                .orElseThrow(() -> BindingException.of(
                        FailureKind.GONE, "bind", "thread " + tid, "", "there is no such thread", ""));
    }

    @Override
    public CpuSet threadCpus() {
        return threads.getOrDefault(Thread.currentThread(), ofProcess());
    }

    @Override
    public CpuSet threadCpus(int tid) {
        return tid == 0 ? threadCpus() : threads.getOrDefault(thread(tid), ofProcess());
    }

    @Override
    public CpuSet cpusetCpus() {
        return allowedCpus();
    }

    @Override
    public synchronized CpuSet processCpus(long pid) {
        return processes.getOrDefault(pid, allowedCpus());
    }

    @Override
    public int lastCpu(int tid) {
        return threadCpus(tid).first();
    }

    @Override
    public CpuSet lastCpus(long pid) {
        return processCpus(pid);
    }

    @Override
    public BoundScope bindThread(CpuSet cpus) {
        return bindThread(Thread.currentThread(), cpus);
    }

    @Override
    public boolean bindThreadForGood(CpuSet cpus) {
        return !set(Thread.currentThread(), cpus).equals(cpus);
    }

    @Override
    public BoundScope bindThread(Thread thread, CpuSet cpus) {
        CpuSet former = set(thread, cpus);
        return BoundScope.of(() -> recorded(thread, former));
    }

    @Override
    public synchronized BoundScope bindProcess(long pid, CpuSet cpus) {
        require(cpus, "process " + pid);
        CpuSet former = processCpus(pid);
        Map<Thread, CpuSet> formerThreads = Map.copyOf(threads);
        Map<String, CpuSet> formerNames = Map.copyOf(names);
        process(pid, cpus, Map.of());
        if (pid == ProcessHandle.current().pid()) {
            names.replaceAll((name, mask) -> cpus);
        }
        return BoundScope.of(() -> {
            process(pid, former, formerThreads);
            names.putAll(formerNames);
        });
    }

    /** A process is bound by binding all its threads. */
    private synchronized void process(long pid, CpuSet cpus, Map<Thread, CpuSet> own) {
        processes.put(pid, cpus);
        history.add(Map.entry("process " + pid, cpus));
        if (pid == ProcessHandle.current().pid()) {
            threads.clear();
            threads.putAll(own);
        }
    }

    @Override
    public MemoryPolicy memoryPolicy() {
        return memory.getOrDefault(Thread.currentThread(), MemoryPolicy.local());
    }

    @Override
    public BoundScope bindMemory(MemoryPolicy policy) {
        require(policy, "new memory of the calling thread");
        Thread owner = Thread.currentThread();
        MemoryPolicy former = memoryPolicy();
        memory.put(owner, policy);
        return BoundScope.of(() -> memory.put(owner, former));
    }

    @Override
    public void bindRange(ByteBuffer direct, MemoryPolicy policy, boolean move) {
        require(policy, "a buffer");
    }

    @Override
    public void bindRange(MemoryRange range, MemoryPolicy policy, boolean move) {
        require(policy, range.toString());
    }

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
    public NativeMemory allocate(long sizeBytes, MemoryPolicy policy) {
        throw BindingException.of(
                FailureKind.UNAVAILABLE,
                "allocate",
                sizeBytes + " bytes",
                policy.toString(),
                "a fake machine has no memory",
                "use a real one for this test");
    }

    @Override
    public NativeMemory allocateNear(int cpu, long sizeBytes) {
        return allocate(sizeBytes, MemoryPolicy.local());
    }
}

package org.berth.microbenchmarks;

import static org.lwjgl.util.hwloc.HWLoc.*;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.openhft.affinity.Affinity;
import org.berth.binding.Binder;
import org.berth.binding.BoundScope;
import org.berth.binding.LocalMachine;
import org.berth.binding.SlotBinder;
import org.berth.placement.MemoryMode;
import org.berth.placement.Slot;
import org.berth.topology.CpuSet;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The calling thread's mask. The mask set is the one that the thread already has: the kernel then does all of a binding
 * but moving the thread, which would cost the same with any library. {@code move} takes a CPU that the thread does not
 * run on out of the mask and puts it back; where there is one CPU only, it stays. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BindBenchmark {
    static final int BATCH = 1_000;

    private final Binder binder = LocalMachine.open().binder();
    private final CpuSet cpus = binder.threadCpus();
    private final BitSet bits = cpus.toBitSet();
    private final CpuSet fewerCpus = cpus.size() > 1 ? cpus.minus(CpuSet.of(cpus.last())) : cpus;
    private final HwlocTopology hwloc = HwlocTopology.live();
    private final SlotBinder slots = SlotBinder.of(binder, MemoryMode.LOCAL, List.of(Slot.of(0, cpus)));
    private final Thread other = new Thread(BindBenchmark::waitForEnd, "benchmark-other-thread");
    private long mask;
    private boolean fewer;

    @Setup
    public void allocate() {
        slots.bind();
        other.setDaemon(true);
        other.start();
        mask = hwloc_bitmap_alloc();
        HwlocTopology.check("list_sscanf", hwloc_bitmap_list_sscanf(mask, cpus.toString()));
        HwlocTopology.check("read", BareCalls.readMask(1));
    }

    @TearDown
    public void free() {
        slots.release();
        other.interrupt();
        hwloc_bitmap_free(mask);
        hwloc.close();
    }

    @Benchmark
    public void bindBerth() {
        binder.setThreadCpusUnverified(cpus);
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void bindBare() {
        HwlocTopology.check("sched_setaffinity", BareCalls.setMask(BATCH));
    }

    @Benchmark
    public void bindOpenHft() {
        Affinity.setAffinity(bits);
    }

    @Benchmark
    public void bindHwloc() {
        HwlocTopology.check("set_cpubind", hwloc_set_cpubind(hwloc.handle, mask, HWLOC_CPUBIND_THREAD));
    }

    @Benchmark
    public boolean moveBerth() {
        fewer = !fewer;
        return binder.bindThreadForGood(fewer ? fewerCpus : cpus);
    }

    /** The same by a scope that is dropped. */
    @Benchmark
    public BoundScope moveByScopeBerth() {
        fewer = !fewer;
        return binder.bindThread(fewer ? fewerCpus : cpus);
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int moveBare() {
        int read = BareCalls.readMask(BATCH);
        HwlocTopology.check("sched_setaffinity", BareCalls.setMask(BATCH));
        return read + BareCalls.readMask(BATCH);
    }

    @Benchmark
    public boolean stayBerth() {
        return binder.bindThreadForGood(cpus);
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int stayBare() {
        return BareCalls.readMask(BATCH);
    }

    @Benchmark
    public CpuSet readMaskBerth() {
        return binder.threadCpus();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int readMaskBare() {
        return BareCalls.readMask(BATCH);
    }

    @Benchmark
    public BitSet readMaskOpenHft() {
        return Affinity.getAffinity();
    }

    @Benchmark
    public long readMaskHwloc() {
        HwlocTopology.check("get_cpubind", hwloc_get_cpubind(hwloc.handle, mask, HWLOC_CPUBIND_THREAD));
        return mask;
    }

    /** What a thread asks that is bound already; without a slot it would have to ask the kernel. */
    @Benchmark
    public Slot askSlotAgainBerth() {
        return slots.bind();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int askSlotAgainBare() {
        return BareCalls.readMask(BATCH);
    }

    @Benchmark
    public int idOfOtherThreadBerth() {
        return binder.threadId(other);
    }

    private static void waitForEnd() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            // The end.
        }
    }
}

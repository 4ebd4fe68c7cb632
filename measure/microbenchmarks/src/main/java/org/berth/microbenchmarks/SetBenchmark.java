package org.berth.microbenchmarks;

import static org.lwjgl.util.hwloc.HWLoc.*;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import org.berth.topology.CpuSet;
import org.lwjgl.system.MemoryUtil;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Sets of 256 CPUs. Ours and java.util.BitSet make a new set where the operation gives one; hwloc writes into one that
 * exists, as C programs do.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SetBenchmark {
    private final CpuSet left = CpuSet.parseList(Workload.LEFT);
    private final CpuSet right = CpuSet.parseList(Workload.RIGHT);
    private final BitSet leftBits = left.toBitSet();
    private final BitSet rightBits = right.toBitSet();
    private String list = Workload.LEFT;
    private int sum;
    private int member = Workload.MEMBER;
    private long leftHandle;
    private long rightHandle;
    private long result;
    private ByteBuffer text = ByteBuffer.allocate(0);

    @Setup
    public void allocate() {
        leftHandle = hwloc_bitmap_alloc();
        rightHandle = hwloc_bitmap_alloc();
        result = hwloc_bitmap_alloc();
        text = MemoryUtil.memAlloc(256);
        HwlocTopology.check("list_sscanf", hwloc_bitmap_list_sscanf(leftHandle, Workload.LEFT));
        HwlocTopology.check("list_sscanf", hwloc_bitmap_list_sscanf(rightHandle, Workload.RIGHT));
    }

    @TearDown
    public void free() {
        hwloc_bitmap_free(leftHandle);
        hwloc_bitmap_free(rightHandle);
        hwloc_bitmap_free(result);
        MemoryUtil.memFree(text);
    }

    @Benchmark
    public CpuSet unionBerth() {
        return left.union(right);
    }

    @Benchmark
    public long unionHwloc() {
        hwloc_bitmap_or(result, leftHandle, rightHandle);
        return result;
    }

    @Benchmark
    public BitSet unionBitSet() {
        BitSet bits = (BitSet) leftBits.clone();
        bits.or(rightBits);
        return bits;
    }

    @Benchmark
    public CpuSet intersectionBerth() {
        return left.intersection(right);
    }

    @Benchmark
    public long intersectionHwloc() {
        hwloc_bitmap_and(result, leftHandle, rightHandle);
        return result;
    }

    @Benchmark
    public BitSet intersectionBitSet() {
        BitSet bits = (BitSet) leftBits.clone();
        bits.and(rightBits);
        return bits;
    }

    @Benchmark
    public CpuSet minusBerth() {
        return left.minus(right);
    }

    @Benchmark
    public long minusHwloc() {
        hwloc_bitmap_andnot(result, leftHandle, rightHandle);
        return result;
    }

    @Benchmark
    public BitSet minusBitSet() {
        BitSet bits = (BitSet) leftBits.clone();
        bits.andNot(rightBits);
        return bits;
    }

    @Benchmark
    public boolean containsBerth() {
        return left.contains(member);
    }

    @Benchmark
    public boolean containsHwloc() {
        return hwloc_bitmap_isset(leftHandle, member);
    }

    @Benchmark
    public boolean containsBitSet() {
        return leftBits.get(member);
    }

    @Benchmark
    public boolean intersectsBerth() {
        return left.intersects(right);
    }

    @Benchmark
    public boolean intersectsHwloc() {
        return hwloc_bitmap_intersects(leftHandle, rightHandle);
    }

    @Benchmark
    public boolean intersectsBitSet() {
        return leftBits.intersects(rightBits);
    }

    @Benchmark
    public int sizeBerth() {
        return left.size();
    }

    @Benchmark
    public int sizeHwloc() {
        return hwloc_bitmap_weight(leftHandle);
    }

    @Benchmark
    public int sizeBitSet() {
        return leftBits.cardinality();
    }

    /** The sum of all members; the set has 163. */
    @Benchmark
    public int iterateBerth() {
        int sum = 0;
        for (int cpu = left.first(); cpu >= 0; cpu = left.next(cpu)) {
            sum += cpu;
        }
        return sum;
    }

    @Benchmark
    public int forEachBerth() {
        sum = 0;
        left.forEachIndex(cpu -> sum += cpu);
        return sum;
    }

    @Benchmark
    public int forEachHwloc() {
        return iterateHwloc();
    }

    /** Its stream is the only way that BitSet has besides nextSetBit. */
    @Benchmark
    public int forEachBitSet() {
        sum = 0;
        leftBits.stream().forEach(cpu -> sum += cpu);
        return sum;
    }

    @Benchmark
    public int iterateHwloc() {
        int sum = 0;
        for (int cpu = hwloc_bitmap_first(leftHandle); cpu >= 0; cpu = hwloc_bitmap_next(leftHandle, cpu)) {
            sum += cpu;
        }
        return sum;
    }

    @Benchmark
    public int iterateBitSet() {
        int sum = 0;
        for (int cpu = leftBits.nextSetBit(0); cpu >= 0; cpu = leftBits.nextSetBit(cpu + 1)) {
            sum += cpu;
        }
        return sum;
    }

    @Benchmark
    public CpuSet parseBerth() {
        return CpuSet.parseList(list);
    }

    @Benchmark
    public long parseHwloc() {
        HwlocTopology.check("list_sscanf", hwloc_bitmap_list_sscanf(result, list));
        return result;
    }

    @Benchmark
    public String printBerth() {
        return left.toString();
    }

    @Benchmark
    public String printHwloc() {
        return MemoryUtil.memASCII(text, hwloc_bitmap_list_snprintf(text, leftHandle));
    }

    /** Another form, and so another amount of text: {0, 1, 2}. */
    @Benchmark
    public String printBitSet() {
        return leftBits.toString();
    }
}

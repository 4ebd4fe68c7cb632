package org.berth.microbenchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lwjgl.util.hwloc.HWLoc.hwloc_bitmap_isset;

import java.lang.reflect.Method;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.berth.oracle.Await;
import org.berth.oracle.ProcStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** A benchmark that does not run, or does something else than its peers, measures nothing. Times are never asserted. */
@Tag("one-jdk")
@Tag("long")
class BenchmarksTest {
    private static final List<Class<?>> BENCHMARKS = List.of(
            SetBenchmark.class,
            LookupBenchmark.class,
            BindBenchmark.class,
            MachineBenchmark.class,
            DynamicBenchmark.class,
            TaskBenchmark.class,
            ContainerBenchmark.class);

    @Test
    void everyBenchmarkRuns() throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include("org\\.berth\\.microbenchmarks\\..*")
                        .forks(0)
                        .addProfiler(ThreadCpuTime.class)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(1))
                        .timeout(new TimeValue(60, TimeUnit.SECONDS))
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true)
                        .build())
                .run();
        long methods = BENCHMARKS.stream()
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Benchmark.class))
                .map(Method::getName)
                .count();
        assertThat(results).hasSize((int) methods);
        Samples samples = new Samples();
        results.forEach(samples::add);
        assertThat(Report.markdown(samples)).contains("| union |", "| pu by os index |", "| bind |", "| discover |");
    }

    @Test
    void setsAgree() {
        SetBenchmark sets = new SetBenchmark();
        sets.allocate();
        try {
            assertThat(sets.unionBerth().toBitSet())
                    .isEqualTo(sets.unionBitSet())
                    .isEqualTo(bits(sets.unionHwloc()));
            assertThat(sets.intersectionBerth().toBitSet())
                    .isEqualTo(sets.intersectionBitSet())
                    .isEqualTo(bits(sets.intersectionHwloc()));
            assertThat(sets.minusBerth().toBitSet())
                    .isEqualTo(sets.minusBitSet())
                    .isEqualTo(bits(sets.minusHwloc()));
            assertThat(sets.parseBerth().toBitSet()).isEqualTo(bits(sets.parseHwloc()));
            assertThat(sets.containsBerth())
                    .isEqualTo(sets.containsBitSet())
                    .isEqualTo(sets.containsHwloc())
                    .isTrue();
            assertThat(sets.intersectsBerth())
                    .isEqualTo(sets.intersectsBitSet())
                    .isEqualTo(sets.intersectsHwloc());
            assertThat(sets.sizeBerth())
                    .isEqualTo(sets.sizeBitSet())
                    .isEqualTo(sets.sizeHwloc())
                    .isEqualTo(163);
            assertThat(sets.iterateBerth()).isEqualTo(sets.iterateBitSet()).isEqualTo(sets.iterateHwloc());
            assertThat(sets.printBerth()).isEqualTo(sets.printHwloc());
        } finally {
            sets.free();
        }
    }

    @Test
    void lookupsAgree() {
        LookupBenchmark lookups = new LookupBenchmark();
        lookups.allocate();
        try {
            assertThat(lookups.puByLogicalIndexBerth().osIndex())
                    .isEqualTo(lookups.puByLogicalIndexHwloc().os_index());
            assertThat(lookups.puByOsIndexBerth().logicalIndex())
                    .isEqualTo(lookups.puByOsIndexHwloc().logical_index());
            assertThat(lookups.parentBerth().logicalIndex())
                    .isEqualTo(lookups.parentHwloc().logical_index());
            assertThat(lookups.packageOfPuBerth().osIndex())
                    .isEqualTo(lookups.packageOfPuHwloc().os_index());
            assertThat(lookups.coveringBerth().logicalIndex())
                    .isEqualTo(lookups.coveringHwloc().logical_index());
            assertThat(lookups.nodesNearBerth().toBitSet()).isEqualTo(bits(lookups.nodesNearHwloc()));
        } finally {
            lookups.free();
        }
    }

    @Test
    void machinesAgree() {
        MachineBenchmark machines = new MachineBenchmark();
        try {
            assertThat(machines.allPus2048Berth()).isEqualTo(machines.allPus2048Hwloc());
            assertThat(machines.write2048Hwloc()).isGreaterThan(1 << 19);
            assertThat(machines.write2048Berth()).hasSizeGreaterThan(1 << 19);
        } finally {
            machines.free();
        }
    }

    @Test
    void theMemoryOfATopologyIsCounted() {
        assertThat(MemoryFootprint.markdown().lines().skip(2))
                .hasSize(3)
                .allSatisfy(
                        row -> assertThat(row).matches("\\| [\\d,]+ PUs \\| [\\d,]+ \\| [\\d,]+ \\| [1-9]\\d* \\|"));
    }

    @Test
    @Timeout(600)
    void masksAgree() throws Exception {
        BindBenchmark binding = new BindBenchmark();
        binding.allocate();
        try {
            BitSet before = binding.readMaskBerth().toBitSet();
            assertThat(binding.readMaskOpenHft()).isEqualTo(before);
            assertThat(bits(binding.readMaskHwloc())).isEqualTo(before);
            assertThat(binding.readMaskBare()).isPositive();
            binding.bindBerth();
            binding.bindBare();
            binding.bindHwloc();
            binding.bindOpenHft();
            assertThat(binding.readMaskBerth().toBitSet()).isEqualTo(before);
            boolean several = before.cardinality() > 1;
            assertThat(binding.stayBerth()).isFalse();
            assertThat(binding.moveBerth()).isEqualTo(several);
            assertThat(binding.readMaskBerth().size()).isEqualTo(Math.max(1, before.cardinality() - 1));
            assertThat(binding.moveBerth()).isEqualTo(several);
            binding.moveBare();
            assertThat(binding.readMaskBerth().toBitSet()).isEqualTo(before);
            assertThat(binding.askSlotAgainBerth().cpus().toBitSet()).isEqualTo(before);
            // A thread takes its name when it first runs.
            long pid = ProcessHandle.current().pid();
            int other = binding.idOfOtherThreadBerth();
            Await.until("its name", () -> ProcStatus.of(pid, other).name(), "benchmark-other"::equals);
        } finally {
            binding.free();
        }
    }

    /** It measures nothing when the plugin has given up; then the mask stays. */
    @Test
    void taskIsBound() {
        BindBenchmark binding = new BindBenchmark();
        TaskBenchmark task = new TaskBenchmark();
        BitSet before = binding.readMaskBerth().toBitSet();
        task.start();
        task.sparkTaskBerth();
        assertThat(binding.readMaskBerth().toBitSet().cardinality()).isEqualTo(1);
        assertThat(task.sparkTaskBare()).isPositive();
        task.stop();
        assertThat(binding.readMaskBerth().toBitSet()).isEqualTo(before);
    }

    @Test
    void containersAreBornInAPlace() throws Exception {
        ContainerBenchmark containers = new ContainerBenchmark();
        assertThat(containers.yarnContainerBerth())
                .hasSize(2)
                .first()
                .asString()
                .contains("berth-exec", "--domain core:1");
        containers.delete();
        assertThat(BirthCosts.markdown(2).lines())
                .hasSize(6)
                .anyMatch(line -> line.matches("\\| ratio \\| [\\d.]+ \\([\\d.]+–[\\d.]+\\) \\|"));
    }

    private static BitSet bits(long bitmap) {
        BitSet bits = new BitSet();
        IntStream.range(0, 4_096).filter(bit -> hwloc_bitmap_isset(bitmap, bit)).forEach(bits::set);
        return bits;
    }
}

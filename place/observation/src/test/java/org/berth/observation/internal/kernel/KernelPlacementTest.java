package org.berth.observation.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.observation.FakeRoot;
import org.berth.observation.Reading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files written by hand, as the sources of the kernel print them: {@code sched_init_debug()} and
 * {@code sched_cache_enable_show()} of 7.2 (kernel/sched/debug.c), {@code scx_attr_state_show()} (kernel/sched/ext.c) and
 * {@code sched_show_numa()}. No kernel at hand has cache-aware scheduling or sched_ext.
 */
class KernelPlacementTest {
    @TempDir
    private Path folder;

    private FakeRoot root() {
        return new FakeRoot(folder);
    }

    @Test
    void readsAKernelWithAllOfThem() throws IOException {
        root().file("proc/sys/kernel/osrelease", "7.2.3")
                .file("proc/sys/kernel/numa_balancing", "1")
                .file(
                        "proc/vmstat",
                        "numa_hit 5\nnuma_hint_faults 812\nnuma_hint_faults_local 4\nnuma_pages_migrated 77")
                .file("sys/kernel/debug/sched/llc_balancing/enabled", "1")
                .file("sys/kernel/debug/sched/llc_balancing/aggr_tolerance", "3")
                .file("sys/kernel/sched_ext/state", "enabled")
                .file("sys/kernel/sched_ext/switch_all", "1")
                .file("sys/kernel/sched_ext/root/ops", "lavd_1.0.20_x86_64");
        KernelPlacement kernel = KernelPlacement.read(folder);
        assertThat(kernel.numaBalancing().mode()).isEqualTo(Reading.of(1));
        assertThat(kernel.numaBalancing().hintFaults()).hasValue(812);
        assertThat(kernel.numaBalancing().pagesMigrated()).hasValue(77);
        assertThat(kernel.cacheAware()).isEqualTo(Reading.of(new CacheAwareScheduling(true, 3)));
        assertThat(kernel.schedExt().scheduler()).contains("lavd_1.0.20_x86_64");
        assertThat(kernel.schedExt().takesAll()).isTrue();
    }

    @Test
    void tellsWhyCacheAwareSchedulingIsNotThere() throws IOException {
        root().file("proc/sys/kernel/osrelease", "7.1.12-generic");
        assertThat(CacheAwareScheduling.read(folder))
                .isEqualTo(Reading.absent("Linux 7.1.12-generic is older than 7.2, which brought it"));
        root().file("proc/sys/kernel/osrelease", "10.0.1");
        Files.createDirectories(folder.resolve("sys/kernel/debug"));
        assertThat(CacheAwareScheduling.read(folder).refusal().orElseThrow().reason())
                .isEqualTo(
                        "there is no /sys/kernel/debug/sched/llc_balancing/enabled, and /sys/kernel/debug is not as the"
                                + " kernel mounts it");
        root().file("sys/kernel/debug/sched/verbose", "N");
        assertThat(CacheAwareScheduling.read(folder))
                .isEqualTo(Reading.absent("there is no /sys/kernel/debug/sched/llc_balancing (CONFIG_SCHED_CACHE)"));
    }

    @Test
    void readsTheModesOfALaterPatchAsWell() throws IOException {
        root().file("sys/kernel/debug/sched/llc_balancing/enabled", "always [advise] never");
        assertThat(CacheAwareScheduling.read(folder).value().orElseThrow().wanted())
                .isTrue();
        root().file("sys/kernel/debug/sched/llc_balancing/enabled", "always advise [never]");
        assertThat(CacheAwareScheduling.read(folder).value().orElseThrow().wanted())
                .isFalse();
    }

    /** An L3 of 8 cores with 2 threads each and 32 MiB, the example of the comments in fair.c. */
    @Test
    void skipsAsFairCDoes() {
        CacheAwareScheduling strict = new CacheAwareScheduling(true, 1);
        long cache = 32L << 20;
        assertThat(strict.mostThreads(16, 2)).isEqualTo(6.4, within(1e-9));
        assertThat(strict.tooManyThreads(6, 16, 2)).isFalse();
        assertThat(strict.tooManyThreads(7, 16, 2)).isTrue();
        assertThat(strict.tooLarge(cache, cache)).isFalse();
        assertThat(strict.tooLarge(cache + 1, cache)).isTrue();
        CacheAwareScheduling most = new CacheAwareScheduling(true, 99);
        // "784GB = (1 + (99 - 1) * 256) * 32MB"
        assertThat(most.tooLarge(784L << 30, cache)).isFalse();
        assertThat(most.tooLarge(785L << 30, cache)).isTrue();
        CacheAwareScheduling all = new CacheAwareScheduling(true, 100);
        assertThat(all.tooManyThreads(1e6, 16, 2)).isFalse();
        assertThat(all.tooLarge(Long.MAX_VALUE, cache)).isFalse();
        CacheAwareScheduling none = new CacheAwareScheduling(true, 0);
        assertThat(none.tooManyThreads(0, 16, 2)).isTrue();
    }

    @Test
    void theSufficientToleranceIsTheSmallest() {
        long cache = 32L << 20;
        assertThat(CacheAwareScheduling.sufficientTolerance(6, 16, 2, 0, cache)).isEqualTo(1);
        assertThat(CacheAwareScheduling.sufficientTolerance(30, 16, 2, 0, cache))
                .isEqualTo(5);
        assertThat(CacheAwareScheduling.sufficientTolerance(1, 16, 2, 8L << 30, cache))
                .isEqualTo(2);
        assertThat(CacheAwareScheduling.sufficientTolerance(1, 16, 2, 1L << 50, cache))
                .isEqualTo(100);
    }

    @Test
    void aProcessIsTheSumOfItsThreads() throws IOException {
        String sched = """
                java (%d, #threads: 2)
                -----
                numa_pages_migrated                          :                    7
                numa_preferred_nid                           :                   -1
                total_numa_faults                            :                 1000
                ext.enabled                                  :                    %d
                """;
        root().file("proc/42/status", "Name:\tjava\nVmRSS:\t  2048 kB")
                .file("proc/42/task/42/sched", sched.formatted(42, 0))
                .file("proc/42/task/43/sched", sched.formatted(43, 1));
        assertThat(ProcessScheduling.of(42, folder).sampledBytes().refusal()).isPresent();
        ByteBuffer auxv = ByteBuffer.allocate(48).order(ByteOrder.nativeOrder());
        auxv.putLong(16).putLong(6).putLong(6).putLong(65536).putLong(0).putLong(0);
        Files.write(folder.resolve("proc/42/auxv"), auxv.array());
        ProcessScheduling process = ProcessScheduling.of(42, folder);
        assertThat(process.sampledBytes()).isEqualTo(Reading.of(2000 * 65536L));
        assertThat(process.numaPagesMigrated()).isEqualTo(14);
        assertThat(process.extThreads()).isEqualTo(Reading.of(1));
        assertThat(process.threads()).isEqualTo(2);
        assertThat(process.residentBytes()).isEqualTo(2048 * 1024);
    }

    @Test
    void readsThisProcess() {
        long pid = ProcessHandle.current().pid();
        ProcessScheduling process = ProcessScheduling.of(pid, Path.of("/"));
        assertThat(process.threads()).isGreaterThan(1);
        assertThat(process.residentBytes()).isGreaterThan(10 << 20);
        long before = ProcessScheduling.cpuNanos(pid, Path.of("/"));
        assertThat(before).isPositive();
        long spun = 0;
        while (ProcessScheduling.cpuNanos(pid, Path.of("/")) == before) {
            spun++;
        }
        assertThat(spun).isNotNegative();
    }
}

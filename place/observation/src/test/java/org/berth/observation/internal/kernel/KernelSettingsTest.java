package org.berth.observation.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.berth.machines.Machines;
import org.berth.observation.FakeRoot;
import org.berth.observation.Reading;
import org.berth.oracle.Machine;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelSettingsTest {
    @Test
    void readsARecordedMachineOfTwoNodes() {
        KernelSettings kernel = KernelSettings.read(Machines.tree("32em64t-2n8c+1mic"));
        assertThat(kernel.onlineCpus()).isEqualTo(Reading.of(CpuSet.range(0, 15)));
        assertThat(kernel.offlineCpus()).isEqualTo(Reading.of(CpuSet.empty()));
        assertThat(kernel.governors().value().orElseThrow())
                .containsExactly(Map.entry("performance (acpi-cpufreq)", CpuSet.range(0, 15)));
        assertThat(kernel.memory().value().orElseThrow()).containsOnlyKeys(0, 1);
        assertThat(kernel.memory().value().orElseThrow().values()).allSatisfy(node -> {
            assertThat(node.totalBytes()).isBetween(15L << 30, 17L << 30);
            assertThat(node.freeBytes()).isPositive().isLessThan(node.totalBytes());
        });
    }

    @Test
    void readsARecordedMachineWithAnOfflineCpu() {
        KernelSettings kernel = KernelSettings.read(Machines.tree("offline-cpu0-node0"));
        assertThat(kernel.onlineCpus()).isEqualTo(Reading.of(CpuSet.range(4, 20)));
        assertThat(kernel.offlineCpus()).isEqualTo(Reading.of(CpuSet.parseList("0-3,21-23")));
        assertThat(kernel.tickless()).isEqualTo(Reading.of(CpuSet.empty()));
        assertThat(kernel.memory().value().orElseThrow()).containsOnlyKeys(1);
    }

    @Test
    void readsWhatKernelsWrite(@TempDir Path folder) throws IOException {
        new FakeRoot(folder)
                .file("sys/devices/system/cpu/present", "0-7")
                .file("sys/devices/system/cpu/online", "0-5")
                .file("sys/devices/system/cpu/isolated", "4-5")
                .file("sys/devices/system/cpu/nohz_full", "  (null)")
                .file("sys/devices/system/cpu/smt/control", "on")
                .file("sys/devices/system/cpu/smt/active", "1")
                .file("proc/sys/vm/zone_reclaim_mode", "3")
                .file("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never")
                .file("proc/12/comm", "bash")
                .file("proc/345/comm", "irqbalance");
        KernelSettings kernel = KernelSettings.read(folder);
        assertThat(kernel.offlineCpus()).isEqualTo(Reading.of(CpuSet.of(6, 7)));
        assertThat(kernel.isolatedCpus()).isEqualTo(Reading.of(CpuSet.of(4, 5)));
        assertThat(kernel.tickless()).isEqualTo(Reading.of(CpuSet.empty()));
        assertThat(kernel.smtControl()).isEqualTo(Reading.of("on"));
        assertThat(kernel.smtActive()).isEqualTo(Reading.of(true));
        assertThat(kernel.zoneReclaimMode()).isEqualTo(Reading.of(3));
        assertThat(kernel.hugePages().transparent()).isEqualTo(Reading.of("madvise"));
        assertThat(kernel.irqbalance()).isEqualTo(Reading.of(true));
    }

    @Test
    void readsThisMachineAsItsFilesAre() throws IOException {
        KernelSettings kernel = KernelSettings.read(Path.of("/"));
        String online =
                Files.readString(Path.of("/sys/devices/system/cpu/online")).strip();
        assertThat(kernel.onlineCpus().value().orElseThrow()).hasToString(online);
        Machine.requireNuma();
        assertThat(kernel.memory().value().orElseThrow()).isNotEmpty();
    }
}

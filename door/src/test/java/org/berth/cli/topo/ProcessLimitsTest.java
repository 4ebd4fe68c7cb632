package org.berth.cli.topo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessLimitsTest {
    @TempDir
    private Path root;

    private void file(String name, String content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content + "\n");
    }

    @Test
    void saysNothingWhenNothingLimits() throws IOException {
        file("sys/devices/system/cpu/online", "0-7");
        file("proc/self/cgroup", "0::/user.slice");
        file("sys/fs/cgroup/user.slice/cpuset.cpus.effective", "0-7");
        assertThat(new ProcessLimits(root).reasons(CpuSet.range(0, 7))).isEmpty();
    }

    @Test
    void namesTheCpusetOfTheControlGroup() throws IOException {
        file("sys/devices/system/cpu/online", "0-7");
        file("proc/self/cgroup", "0::/batch/job7");
        file("sys/fs/cgroup/batch/job7/cpuset.cpus.effective", "4-5");
        assertThat(new ProcessLimits(root).reasons(CpuSet.range(4, 5)))
                .containsExactly("Limited by the cpuset of control group /batch/job7: CPUs 4-5 of 0-7.");
    }

    @Test
    void namesTheMaskInsideTheCpuset() throws IOException {
        file("sys/devices/system/cpu/online", "0-7");
        file("proc/self/cgroup", "0::/batch/job7");
        file("sys/fs/cgroup/batch/cpuset.cpus.effective", "0-3");
        assertThat(new ProcessLimits(root).reasons(CpuSet.of(1)))
                .hasSize(2)
                .satisfies(lines -> assertThat(lines.get(0)).contains("/batch/job7: CPUs 0-3 of 0-7"))
                .satisfies(lines ->
                        assertThat(lines.get(1)).contains("affinity mask").contains("CPUs 1 of 0-3"));
    }

    @Test
    void knowsControlGroupsOfVersionOne() throws IOException {
        file("sys/devices/system/cpu/online", "0-15");
        file("proc/self/cgroup", "12:memory:/docker/abc\n11:cpuset,cpu:/docker/abc\n0::/ignored");
        file("sys/fs/cgroup/cpuset/cpuset.effective_cpus", "8-15");
        assertThat(new ProcessLimits(root).reasons(CpuSet.range(8, 15)))
                .containsExactly("Limited by the cpuset of control group /docker/abc: CPUs 8-15 of 0-15.");
    }

    @Test
    void blamesTheMaskWhenThereAreNoControlGroups() throws IOException {
        file("sys/devices/system/cpu/online", "0-1");
        assertThat(new ProcessLimits(root).reasons(CpuSet.of(0)))
                .singleElement()
                .asString()
                .contains("affinity mask");
    }

    @Test
    void tellsWhatItCannotKnow() throws IOException {
        assertThat(new ProcessLimits(root).reasons(CpuSet.of(0)))
                .singleElement()
                .asString()
                .startsWith(
                        "Whether the machine has more CPUs is not known: there is no /sys/devices/system/cpu/online");
        file("sys/devices/system/cpu/online", "0-1");
        file("proc/self/cgroup", "0::/batch");
        assertThat(new ProcessLimits(root).reasons(CpuSet.of(0)))
                .singleElement()
                .asString()
                .startsWith("Limited to CPUs 0 of 0-1 by an affinity mask or a cpuset; which is not known: ");
    }
}

package org.berth.observation.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.observation.FakeRoot;
import org.berth.observation.Reading;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlGroupLimitsTest {
    @TempDir
    private Path folder;

    private FakeRoot root;

    @BeforeEach
    void prepare() {
        root = new FakeRoot(folder);
    }

    @Test
    void nothingLimitsWhereThereAreNoGroups() {
        ControlGroupLimits limits = ControlGroupLimits.of("7", folder);
        assertThat(limits.cpus()).isInstanceOf(Reading.Absent.class);
        assertThat(limits.unseenQuota()).isEmpty();
        assertThat(limits.quotaCpus()).isEmpty();
    }

    @Test
    void versionTwoTakesTheSmallestQuotaOfAllLevels() throws IOException {
        root.file("proc/7/cgroup", "0::/batch/job7/step")
                .file("sys/fs/cgroup/cgroup.procs", "1")
                .file("sys/fs/cgroup/batch/cpu.max", "150000 100000")
                .file("sys/fs/cgroup/batch/job7/cpu.max", "400000 100000")
                .file("sys/fs/cgroup/batch/job7/step/cpu.max", "max 100000")
                .file("sys/fs/cgroup/cpu.stat", "usage_usec 9")
                .file("sys/fs/cgroup/batch/cpu.stat", "usage_usec 5\nthrottled_usec 0")
                .file("sys/fs/cgroup/batch/job7/cpu.stat", "usage_usec 5\nthrottled_usec 0")
                .file("sys/fs/cgroup/batch/job7/cpuset.cpus.effective", "4-7");
        ControlGroupLimits limits = ControlGroupLimits.of("7", folder);
        assertThat(limits.quotaCpus()).hasValue(1.5);
        assertThat(limits.quotaGroup()).isEqualTo("/batch");
        assertThat(limits.cpus().value()).contains(CpuSet.range(4, 7));
        assertThat(limits.unseenQuota()).isEmpty();
        assertThat(limits.cpusetGroup()).isEqualTo("/batch/job7/step");
        assertThat(ControlGroupLimits.throttleFiles("7", folder))
                .as("of the levels that may have a quota at any time")
                .containsExactly(
                        folder + "/sys/fs/cgroup/batch/job7/cpu.stat", folder + "/sys/fs/cgroup/batch/cpu.stat");
    }

    @Test
    void versionOneHasAHierarchyForEach() throws IOException {
        root.file("proc/7/cgroup", "12:cpuset:/docker/a\n11:cpu,cpuacct:/docker/b\n0::/ignored")
                .file("sys/fs/cgroup/cpuset/docker/a/cpuset.effective_cpus", "0,2")
                .file("sys/fs/cgroup/cpuset/cgroup.procs", "1")
                .file("sys/fs/cgroup/cpu,cpuacct/cgroup.procs", "1")
                .file("sys/fs/cgroup/cpu,cpuacct/docker/b/cpu.stat", "nr_throttled 0\nthrottled_time 0")
                .file("sys/fs/cgroup/cpu,cpuacct/docker/b/cpu.cfs_quota_us", "50000")
                .file("sys/fs/cgroup/cpu,cpuacct/docker/b/cpu.cfs_period_us", "100000")
                .file("sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_quota_us", "-1")
                .file("sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_period_us", "100000");
        ControlGroupLimits limits = ControlGroupLimits.of("7", folder);
        assertThat(limits.quotaCpus()).hasValue(0.5);
        assertThat(limits.quotaGroup()).isEqualTo("/docker/b");
        assertThat(limits.cpus().value()).contains(CpuSet.of(0, 2));
        assertThat(limits.unseenQuota()).isEmpty();
        assertThat(limits.cpusetGroup()).isEqualTo("/docker/a");
        assertThat(ControlGroupLimits.throttleFiles("7", folder))
                .containsExactly(folder + "/sys/fs/cgroup/cpu,cpuacct/docker/b/cpu.stat");
    }

    @Test
    void inAContainerThePathIsOnlyAtTheTop() throws IOException {
        root.file("proc/7/cgroup", "0::/system.slice/docker-abc.scope")
                .file("sys/fs/cgroup/cgroup.procs", "1")
                .file("sys/fs/cgroup/cpuset.cpus.effective", "8-9")
                .file("sys/fs/cgroup/cpu.max", "20000 100000");
        ControlGroupLimits limits = ControlGroupLimits.of("7", folder);
        assertThat(limits.cpus().value()).contains(CpuSet.of(8, 9));
        assertThat(limits.unseenQuota().orElseThrow().reason())
                .isEqualTo("/sys/fs/cgroup does not show all groups above that of the process");
        assertThat(limits.quotaCpus()).hasValue(0.2);
    }

    @Test
    void groupsThatAreNotMountedAreNotKnown() throws IOException {
        root.file("proc/7/cgroup", "0::/batch").file("sys/fs/x", "");
        ControlGroupLimits limits = ControlGroupLimits.of("7", folder);
        assertThat(limits.cpus().refusal()).isPresent();
        assertThat(limits.unseenQuota().orElseThrow().reason())
                .isEqualTo("the process is in control group /batch, and /sys/fs/cgroup has no control groups");
    }

    @Test
    void theMountOfAnotherCgroupNamespaceIsNotRead() throws IOException {
        root.file("proc/7/cgroup", "1:cpu:/\n0::/")
                .file("proc/self/mountinfo", "32 31 0:29 /.. /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu")
                .file("sys/fs/cgroup/cpu/cgroup.procs", "1")
                .file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "1000")
                .file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
        ControlGroupLimits limits = ControlGroupLimits.of("7", folder);
        assertThat(limits.quotaCpus()).isEmpty();
        assertThat(limits.unseenQuota().orElseThrow().reason())
                .startsWith("/sys/fs/cgroup/cpu is not of the cgroup namespace");
    }

    /** A folder in the place of the file refuses to be read, for root too. */
    @Test
    void withoutTheTableOfMountsItIsNotKnownWhatIsAbove() throws IOException {
        root.file("proc/7/cgroup", "0::/batch")
                .file("proc/self/mountinfo/x", "")
                .file("sys/fs/cgroup/cgroup.procs", "1")
                .file("sys/fs/cgroup/batch/cpu.max", "20000 100000");
        ControlGroupLimits limits = ControlGroupLimits.of("7", folder);
        assertThat(limits.quotaCpus()).hasValue(0.2);
        assertThat(limits.unseenQuota().orElseThrow().reason()).contains("mountinfo");
    }

    @Test
    void aNamespaceHidesTheGroupsAboveItsTop() throws IOException {
        root.file("proc/7/cgroup", "0::/")
                .file("sys/fs/cgroup/cgroup.procs", "1")
                .file("sys/fs/cgroup/cpu.max", "max 100000");
        Files.createDirectories(folder.resolve("proc/self/ns"));
        Files.createSymbolicLink(folder.resolve("proc/self/ns/cgroup"), Path.of("cgroup:[4026532999]"));
        assertThat(ControlGroupLimits.of("7", folder).unseenQuota()).isPresent();
    }
}

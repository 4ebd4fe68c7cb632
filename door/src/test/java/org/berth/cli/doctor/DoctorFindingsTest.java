package org.berth.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.berth.binding.Capability;
import org.berth.binding.discovery.Discovery;
import org.berth.machines.Goldens;
import org.berth.machines.Machines;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.internal.devices.InterruptCounts;
import org.berth.observation.internal.devices.InterruptMap;
import org.berth.observation.internal.jvm.AgentRules;
import org.berth.observation.internal.jvm.JvmFlags;
import org.berth.observation.internal.kernel.HugePages;
import org.berth.observation.internal.kernel.KernelPlacement;
import org.berth.observation.internal.kernel.KernelSettings;
import org.berth.observation.internal.kernel.NodeMemory;
import org.berth.observation.internal.kernel.NumaBalancing;
import org.berth.observation.internal.kernel.ProcessScheduling;
import org.berth.observation.internal.kernel.SchedExt;
import org.berth.observation.internal.process.ControlGroupLimits;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.observation.memory.MemoryLocality;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;

/** What is made of facts, on a machine of two nodes with eight cores of two threads each. */
class DoctorFindingsTest {
    private static final Topology MACHINE = TopologyXml.parse(Machines.xml("2x8x2"));
    private static final CpuSet ALL = CpuSet.range(0, 31);

    /** CPUs of the first node. */
    private static final CpuSet FIRST = CpuSet.parseList("0-7,16-23");

    private static final Refusal REFUSAL =
            new Refusal("/sys/a/file cannot be read: EACCES (permission denied)", "run as root");

    private static final ControlGroupLimits FREE = new ControlGroupLimits(
            "", Reading.absent("no control group has a cpuset"), "", OptionalDouble.empty(), Optional.empty());

    @Test
    void aHealthyMachineAndProcess() {
        List<Finding> findings = new ArrayList<>(LimitFindings.of(healthy(), FREE, process(ALL, Map.of(), 0), true));
        findings.addAll(
                LimitFindings.calls(process(ALL, Map.of(), 0), List.of(new Capability("cpu binding", true, "ok"))));
        findings.addAll(MachineFindings.of(healthy(), ALL));
        findings.addAll(KernelFindings.machine(placement(0), MACHINE));
        assertThat(findings).noneMatch(Finding::isWrong);
        Goldens.check("doctor/healthy.txt", DoctorText.render("This machine:", findings, 80));
    }

    @Test
    void everythingThatCanBeWrong() {
        KernelSettings kernel = new KernelSettings(
                Reading.of(CpuSet.range(0, 33)),
                Reading.of(ALL),
                Reading.of(CpuSet.of(3, 12)),
                Reading.of(CpuSet.of(12)),
                Reading.of("on"),
                Reading.of(true),
                Reading.of(1),
                pages(Reading.of("always")),
                Reading.of(new TreeMap<>(Map.of("powersave (acpi-cpufreq)", ALL))),
                Reading.of(new TreeMap<>(
                        Map.of(0, new NodeMemory(32L << 30, 1L << 30), 1, new NodeMemory(32L << 30, 9L << 30)))),
                Reading.of(true));
        ControlGroupLimits limits = new ControlGroupLimits(
                "/batch/job7", Reading.of(CpuSet.range(0, 23)), "/batch", OptionalDouble.of(2.5), Optional.empty());
        Map<Integer, String> names = new TreeMap<>();
        for (int i = 0; i < 23; i++) {
            names.put(5000 + i, "GC Thread#" + i);
        }
        ProcessFacts process = process(FIRST, names, 2);
        JvmFlags flags = JvmFlags.ofVmFlags("-XX:+UseNUMA -XX:ParallelGCThreads=23 -XX:MaxHeapSize=51539607552");
        List<Finding> findings = new ArrayList<>(LimitFindings.of(kernel, limits, process, false));
        findings.addAll(LimitFindings.calls(
                process, List.of(new Capability("memory policy", false, "EPERM (operation not permitted)"))));
        findings.addAll(MachineFindings.of(kernel, process.cpus()));
        ProcessScheduling scheduling =
                new ProcessScheduling(25, 4L << 30, Reading.of(1L << 30), 512, Reading.of(0), OptionalDouble.of(12));
        findings.addAll(KernelFindings.process(placement(1), scheduling, process, Reading.of(ALL), MACHINE));
        findings.add(JvmFindings.masks(process));
        findings.add(JvmFindings.locality(
                process, new MemoryLocality(1L << 30, 4L << 30), NodeSet.of(0), MACHINE.nodeSet()));
        findings.addAll(JvmFindings.of(process, flags, "", kernel, MACHINE));
        findings.add(RuleFindings.of(
                new AgentRules(
                        false,
                        false,
                        List.of(
                                new AgentRules.Rule("worker-*", "slot", 12, true, false),
                                new AgentRules.Rule("ReadStage-*", "slots 0-3", 0, false, true),
                                new AgentRules.Rule("*-epoll-*", "slot", 0, false, false))),
                4242));
        findings.add(InterruptFindings.of(
                List.of(
                        new InterruptCounts.Arrival(
                                41, "PCI-MSIX-0000:00:04.0   1-edge  eth0-rx", 9000, Optional.of(CpuSet.of(2))),
                        new InterruptCounts.Arrival(36, "nvme0q1", 12, Optional.empty())),
                FIRST,
                1.0));
        Goldens.check("doctor/sick.txt", DoctorText.render("java (process 4242):", findings, 100));
        Goldens.check("doctor/sick-narrow.txt", DoctorText.render("java (process 4242):", findings, 60));
        Goldens.check("doctor/sick.json", DoctorJson.render(OptionalInt.of(4242), findings));
    }

    /** No finding may be "ok" about a file that could not be read. */
    @Test
    void nothingThatCouldNotBeRead() {
        ControlGroupLimits limits =
                new ControlGroupLimits("", refused(), "", OptionalDouble.empty(), Optional.of(REFUSAL));
        KernelSettings kernel = new KernelSettings(
                refused(),
                refused(),
                refused(),
                refused(),
                refused(),
                refused(),
                refused(),
                new HugePages(refused(), refused(), refused(), refused()),
                refused(),
                refused(),
                refused());
        ProcessFacts process = new ProcessFacts(
                4242,
                "java",
                List.of("java"),
                Map.of(4242, FIRST),
                Map.of(),
                NodeSet.of(0),
                refused(),
                Map.of(),
                refused(),
                true,
                "1");
        KernelPlacement placement = new KernelPlacement(
                new NumaBalancing(refused(), OptionalLong.empty(), OptionalLong.empty()),
                refused(),
                new SchedExt(refused(), Optional.empty(), false));
        ProcessScheduling scheduling =
                new ProcessScheduling(2, 4L << 30, refused(), 0, refused(), OptionalDouble.of(2));
        List<Finding> findings = new ArrayList<>(LimitFindings.of(kernel, limits, process, true));
        findings.addAll(LimitFindings.calls(process, List.of(new Capability("cpu binding", false, "EPERM"))));
        findings.addAll(MachineFindings.of(kernel, FIRST));
        findings.addAll(KernelFindings.process(placement, scheduling, process, refused(), MACHINE));
        findings.addAll(RuleFindings.of(refused(), 4242));
        findings.addAll(JvmFindings.of(process, JvmFlags.ofArguments(List.of("java")), "-Xrs", kernel, MACHINE));
        findings.add(HugePageFindings.jvm(JvmFlags.ofVmFlags(""), refused(), kernel.hugePages(), NodeSet.of(0)));
        findings.add(DeviceInterruptFindings.shared(MACHINE, new InterruptMap(List.of(), Optional.of(REFUSAL)), false));
        findings.addAll(DataNodeFindings.of(process, refused()));
        Goldens.check("doctor/unread.txt", DoctorText.render("java (process 4242):", findings, 100));
        Goldens.check("doctor/unread.json", DoctorJson.render(OptionalInt.of(4242), findings));
        assertThat(findings)
                .filteredOn(finding -> !finding.check().equals("system-calls")
                        && !finding.check().equals("single-cpu"))
                .allSatisfy(finding -> assertThat(finding.severity()).isEqualTo(Finding.Severity.UNKNOWN));
    }

    private static <T> Reading<T> refused() {
        return Reading.refused(REFUSAL);
    }

    @Test
    void rulesWithoutThreadsAreNoWarningInTheFirstMinute() {
        AgentRules.Rule used = new AgentRules.Rule("a", "slot", 1, true, false);
        AgentRules.Rule optional = new AgentRules.Rule("b", "slot", 0, false, false);
        AgentRules.Rule missed = new AgentRules.Rule("c", "slot", 0, false, true);
        assertThat(RuleFindings.of(new AgentRules(true, false, List.of(used, optional)), 1)
                        .severity())
                .isEqualTo(Finding.Severity.OK);
        assertThat(RuleFindings.of(new AgentRules(true, true, List.of(used, missed)), 1)
                        .severity())
                .isEqualTo(Finding.Severity.INFO);
        assertThat(RuleFindings.of(new AgentRules(true, false, List.of(used, missed)), 1)
                        .severity())
                .isEqualTo(Finding.Severity.WARNING);
    }

    @Test
    void useNumaShouldFitTheNodes() {
        assertThat(numa("-XX:+UseNUMA", FIRST)).isEqualTo(Finding.Severity.WARNING);
        assertThat(numa("-XX:+UseNUMA", ALL)).isEqualTo(Finding.Severity.OK);
        assertThat(numa("-XX:+UseG1GC", ALL)).isEqualTo(Finding.Severity.WARNING);
        assertThat(numa("-XX:+UseG1GC", FIRST)).isEqualTo(Finding.Severity.OK);
        // Nobody knows what a JVM that could not be asked chose by itself.
        JvmFlags commandLine = JvmFlags.ofArguments(List.of("java", "-XX:+UseZGC"));
        assertThat(finding(commandLine, "it was not asked", ALL, "jvm-numa").severity())
                .isEqualTo(Finding.Severity.UNKNOWN);
        assertThat(finding(commandLine, "it was not asked", ALL, "jvm-flags").severity())
                .isEqualTo(Finding.Severity.UNKNOWN);
    }

    @Test
    void useNumaNearSomeOfTheNodesIsInformation() {
        Topology four = Discovery.synthetic("pack:4 [numa] core:1 pu:1");
        Finding finding = JvmFindings.of(
                        process(CpuSet.parseList("0-1"), Map.of(), 0),
                        JvmFlags.ofVmFlags("-XX:+UseNUMA"),
                        "",
                        healthy(),
                        four)
                .stream()
                .filter(each -> each.check().equals("jvm-numa"))
                .findFirst()
                .orElseThrow();
        assertThat(finding.severity()).isEqualTo(Finding.Severity.INFO);
        assertThat(finding.toString()).contains("near nodes 0-1 of 0-3");
    }

    @Test
    void oneCpuMeansTheSerialCollector() {
        CpuSet one = CpuSet.of(4);
        assertThat(finding(JvmFlags.ofVmFlags("-XX:+UseSerialGC"), "", one, "single-cpu")
                        .severity())
                .isEqualTo(Finding.Severity.INFO);
        assertThat(finding(JvmFlags.ofVmFlags("-XX:+UseG1GC"), "", one, "single-cpu")
                        .severity())
                .isEqualTo(Finding.Severity.WARNING);
        assertThat(finding(JvmFlags.ofVmFlags("-XX:+UseG1GC"), "", FIRST, "single-cpu")
                        .severity())
                .isEqualTo(Finding.Severity.OK);
    }

    @Test
    void aMaskThatEveryCommandInheritsIsWorseThanThatOfOneProcess() {
        assertThat(LimitFindings.of(healthy(), FREE, process(FIRST, Map.of(), 0), true))
                .filteredOn(Finding::isWrong)
                .extracting(Finding::check)
                .containsExactly("affinity-mask");
        assertThat(LimitFindings.of(healthy(), FREE, process(FIRST, Map.of(), 0), false))
                .noneMatch(Finding::isWrong);
    }

    @Test
    void powersaveOfAnIntelDriverFollowsTheLoad() {
        KernelSettings kernel = new KernelSettings(
                Reading.of(ALL),
                Reading.of(ALL),
                Reading.of(CpuSet.empty()),
                Reading.of(CpuSet.empty()),
                Reading.absent("no smt/control"),
                Reading.of(false),
                Reading.absent("no zone_reclaim_mode"),
                pages(Reading.absent("no transparent_hugepage")),
                Reading.of(new TreeMap<>(Map.of("powersave (intel_pstate)", ALL))),
                Reading.of(new TreeMap<>()),
                Reading.of(false));
        assertThat(MachineFindings.of(kernel, ALL)).noneMatch(Finding::isWrong);
    }

    private static Finding.Severity numa(String flag, CpuSet cpus) {
        return finding(JvmFlags.ofVmFlags(flag), "", cpus, "jvm-numa").severity();
    }

    private static Finding finding(JvmFlags flags, String missing, CpuSet cpus, String check) {
        return JvmFindings.of(process(cpus, Map.of(), 0), flags, missing, healthy(), MACHINE).stream()
                .filter(finding -> finding.check().equals(check))
                .findFirst()
                .orElseThrow();
    }

    private static KernelPlacement placement(int balancing) {
        return new KernelPlacement(
                new NumaBalancing(Reading.of(balancing), OptionalLong.of(81_234), OptionalLong.of(4_096)),
                Reading.absent("Linux 6.18.1 is older than 7.2, which brought it"),
                new SchedExt(Reading.of("disabled"), Optional.empty(), false));
    }

    private static HugePages pages(Reading<String> mode) {
        return new HugePages(mode, mode.map(set -> "never"), mode, Reading.of(new TreeMap<>()));
    }

    private static KernelSettings healthy() {
        return new KernelSettings(
                Reading.of(ALL),
                Reading.of(ALL),
                Reading.of(CpuSet.empty()),
                Reading.of(CpuSet.empty()),
                Reading.of("on"),
                Reading.of(true),
                Reading.of(0),
                pages(Reading.of("madvise")),
                Reading.of(new TreeMap<>(Map.of("performance (acpi-cpufreq)", ALL))),
                Reading.of(new TreeMap<>(
                        Map.of(0, new NodeMemory(32L << 30, 1L << 30), 1, new NodeMemory(32L << 30, 9L << 30)))),
                Reading.of(false));
    }

    /** Nodes without CPUs are near many, and belong to none. */
    @Test
    void memoryOnlyNodesAreNotThoseOfTheCpus() {
        Topology machine = TopologyXml.parse(Machines.xml("fakeheteromemtiers"));
        JvmFlags flags = JvmFlags.ofVmFlags("-XX:+UseNUMA -XX:MaxHeapSize=2147483648");
        List<String> read =
                JvmFindings.of(process(CpuSet.of(2, 3), Map.of(), 0), flags, "", healthy(), machine).stream()
                        .map(Finding::read)
                        .filter(message -> message.contains("node"))
                        .toList();
        assertThat(read)
                .anyMatch(message -> message.startsWith("UseNUMA is on, but the CPUs are near node 1 only"))
                .anyMatch(message -> message.contains("nodes 1 have "));
        Finding balancing = NumaBalancingFindings.process(
                placement(1),
                new ProcessScheduling(25, 4L << 30, Reading.of(1L << 30), 512, Reading.of(0), OptionalDouble.of(12)),
                process(CpuSet.of(2, 3), Map.of(), 0),
                machine);
        assertThat(balancing.fix()).contains("its CPUs are near node 1:");
    }

    private static ProcessFacts process(CpuSet cpus, Map<Integer, String> names, int seccompMode) {
        Map<Integer, CpuSet> masks = new TreeMap<>(Map.of(4242, cpus, 4243, CpuSet.of(cpus.first())));
        return new ProcessFacts(
                4242,
                "java",
                List.of("java"),
                masks,
                names,
                NodeSet.of(0, 1),
                Reading.of(seccompMode),
                Map.of(),
                Reading.of(true),
                true,
                "1");
    }
}

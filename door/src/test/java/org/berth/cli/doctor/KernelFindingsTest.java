package org.berth.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.berth.binding.discovery.Discovery;
import org.berth.machines.Goldens;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.internal.kernel.CacheAwareScheduling;
import org.berth.observation.internal.kernel.KernelPlacement;
import org.berth.observation.internal.kernel.NumaBalancing;
import org.berth.observation.internal.kernel.ProcessScheduling;
import org.berth.observation.internal.kernel.SchedExt;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.junit.jupiter.api.Test;

/**
 * What the kernel does on its own, on machines and kernels made by hand from the sources that KernelPlacementTest
 * names.
 */
class KernelFindingsTest {
    /** Two nodes of four L3s of 32 MiB, each with eight cores of two threads: half of an EPYC 9004 with one node a socket. */
    private static final Topology EPYC = Discovery.synthetic("pack:2 [numa] l3:4(size=33554432) core:8 pu:2");

    private static final Topology ONE_CACHE = Discovery.synthetic("[numa] l3:1(size=33554432) core:4 pu:2");

    private static final CpuSet ALL = EPYC.cpuSet();
    private static final CpuSet FIRST_NODE = CpuSet.range(0, 63);
    private static final CpuSet FIRST_CACHE = CpuSet.range(0, 15);

    private static final SchedExt NO_EXT = new SchedExt(Reading.absent("no sched_ext"), Optional.empty(), false);
    private static final SchedExt NOT_LOADED = new SchedExt(Reading.of("disabled"), Optional.empty(), false);
    private static final SchedExt LAYERED = new SchedExt(Reading.of("enabled"), Optional.of("layered"), true);
    private static final SchedExt PARTIAL = new SchedExt(Reading.of("enabled"), Optional.of("flash_1.0"), false);

    private static final Reading<CacheAwareScheduling> OLD =
            Reading.absent("Linux 6.18.1 is older than 7.2, which brought it");
    private static final Reading<CacheAwareScheduling> CLOSED = Reading.refused(new Refusal(
            "/sys/kernel/debug/sched/llc_balancing/enabled cannot be read: EACCES (permission denied)", "run as root"));

    @Test
    void everyAnswerForAMachine() {
        Map<String, KernelPlacement> kernels = new TreeMap<>();
        kernels.put("1 old", kernel(Reading.absent("no numa_balancing"), OLD, NO_EXT));
        kernels.put("2 off", kernel(Reading.of(0), aware(false, 1), NOT_LOADED));
        kernels.put("3 on", kernel(Reading.of(1), aware(true, 1), PARTIAL));
        kernels.put("4 tiers", kernel(Reading.of(2), aware(true, 1), NOT_LOADED));
        kernels.put("5 all", kernel(Reading.of(1), aware(true, 100), NOT_LOADED));
        kernels.put("6 ext", kernel(Reading.of(1), aware(true, 1), LAYERED));
        kernels.put("7 closed", kernel(Reading.of(1), CLOSED, NOT_LOADED));
        StringBuilder text = new StringBuilder();
        kernels.forEach((name, kernel) -> text.append(
                DoctorText.render("On two nodes of four L3s, " + name, KernelFindings.machine(kernel, EPYC), 100)));
        kernels.forEach((name, kernel) ->
                text.append(DoctorText.render("On one L3, " + name, KernelFindings.machine(kernel, ONE_CACHE), 100)));
        Goldens.check("doctor/kernel-machine.txt", text.toString());
    }

    @Test
    void everyAnswerForAProcess() {
        KernelPlacement on = kernel(Reading.of(1), aware(true, 1), NOT_LOADED);
        ProcessScheduling busy = scheduling(180, 24L << 30, Reading.of(5L << 30), 0, 40.5);
        ProcessScheduling calm = scheduling(30, 20L << 20, Reading.of(20L << 20), 0, 3);
        StringBuilder text = new StringBuilder();
        append(text, "a busy engine over all CPUs", on, busy, process(ALL, NodeSet.of(0, 1)));
        append(text, "a busy engine near one node", on, busy, process(FIRST_NODE, NodeSet.of(0, 1)));
        append(text, "bound to one L3, memory of one node", on, busy, process(FIRST_CACHE, NodeSet.of(0)));
        append(text, "a small one", on, calm, process(ALL, NodeSet.of(0, 1)));
        append(
                text,
                "not sampled: a policy",
                on,
                scheduling(180, 24L << 30, Reading.of(0L), 0, 3),
                process(FIRST_NODE, NodeSet.of(0, 1)));
        append(
                text,
                "footprint not known",
                on,
                scheduling(
                        180,
                        24L << 30,
                        Reading.refused(new Refusal("/proc/4242/auxv may not be read", "run as root")),
                        0,
                        3),
                process(ALL, NodeSet.of(0, 1)));
        append(
                text,
                "without balancing the size does not count",
                kernel(Reading.of(0), aware(true, 1), NOT_LOADED),
                scheduling(180, 24L << 30, Reading.of(0L), 0, 3),
                process(ALL, NodeSet.of(0, 1)));
        append(
                text,
                "tolerance 0",
                kernel(Reading.of(0), aware(true, 0), NOT_LOADED),
                calm,
                process(ALL, NodeSet.of(0, 1)));
        append(
                text,
                "under scx_layered",
                kernel(Reading.of(1), aware(true, 1), LAYERED),
                scheduling(180, 24L << 30, Reading.of(0L), 180, 40),
                process(FIRST_NODE, NodeSet.of(0, 1)));
        append(
                text,
                "not under a scheduler for others",
                kernel(Reading.of(0), OLD, PARTIAL),
                calm,
                process(ALL, NodeSet.of(0, 1)));
        Goldens.check("doctor/kernel-process.txt", text.toString());
    }

    @Test
    void noneOfThemIsWrong() {
        for (SchedExt ext : List.of(NO_EXT, LAYERED)) {
            KernelPlacement kernel = kernel(Reading.of(1), aware(true, 1), ext);
            assertThat(KernelFindings.machine(kernel, EPYC)).noneMatch(Finding::isWrong);
        }
    }

    @Test
    void unequalCachesCountByTheLargest() {
        // X3D: 96 and 32 MiB. What fits neither is skipped; what fits the larger is not called skipped.
        Topology unequal = Discovery.synthetic("[numa] l3:2(size=100663296) core:8 pu:2");
        KernelPlacement kernel = kernel(Reading.of(1), aware(true, 1), NOT_LOADED);
        ProcessScheduling process = scheduling(30, 90L << 20, Reading.of(90L << 20), 0, 3);
        assertThat(CacheAwareFindings.process(kernel, process, unequal.cpuSet(), unequal)
                        .read())
                .startsWith("it is on and gathers");
    }

    private static void append(
            StringBuilder text,
            String subject,
            KernelPlacement kernel,
            ProcessScheduling scheduling,
            ProcessFacts facts) {
        List<Finding> findings =
                new ArrayList<>(KernelFindings.process(kernel, scheduling, facts, Reading.of(ALL), EPYC));
        text.append(DoctorText.render(subject, findings, 100));
    }

    private static KernelPlacement kernel(Reading<Integer> mode, Reading<CacheAwareScheduling> aware, SchedExt ext) {
        return new KernelPlacement(
                new NumaBalancing(mode, OptionalLong.of(81_234), OptionalLong.of(4_096)), aware, ext);
    }

    private static Reading<CacheAwareScheduling> aware(boolean wanted, int tolerance) {
        return Reading.of(new CacheAwareScheduling(wanted, tolerance));
    }

    private static ProcessScheduling scheduling(
            int threads, long residentBytes, Reading<Long> sampledBytes, int ext, double busy) {
        return new ProcessScheduling(
                threads, residentBytes, sampledBytes, 512, Reading.of(ext), OptionalDouble.of(busy));
    }

    private static ProcessFacts process(CpuSet cpus, NodeSet memory) {
        return new ProcessFacts(
                4242,
                "java",
                List.of("java"),
                Map.of(4242, cpus, 4243, cpus),
                Map.of(),
                memory,
                Reading.of(0),
                Map.of(),
                Reading.of(true),
                true,
                "1");
    }
}

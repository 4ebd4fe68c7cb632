package org.berth.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.observation.internal.kernel.KernelSettings;
import org.berth.topology.CpuSet;

/** Effects of the machine's configuration on placement. A pure function of what was read. */
final class MachineFindings {
    private MachineFindings() {}

    /** @param cpus allowed CPUs of the examined process */
    static List<Finding> of(KernelSettings kernel, CpuSet cpus) {
        List<Finding> findings = new ArrayList<>();
        findings.add(isolated(kernel, cpus));
        findings.add(threadsOfCores(kernel));
        findings.add(offline(kernel));
        findings.add(zoneReclaim(kernel));
        findings.add(HugePageFindings.machine(kernel.hugePages()));
        findings.add(governor(kernel));
        findings.add(Finding.of(
                "irqbalance",
                kernel.irqbalance(),
                runs -> runs
                        ? Finding.info(
                                "irqbalance",
                                "irqbalance runs and moves interrupts between CPUs",
                                "to keep interrupts off bound CPUs, set IRQBALANCE_BANNED_CPULIST")
                        : Finding.ok("irqbalance", "irqbalance does not run: interrupts stay where they are"),
                absent -> Finding.unknown("irqbalance", absent)));
        return findings;
    }

    private static Finding isolated(KernelSettings kernel, CpuSet cpus) {
        return Finding.of(
                "isolated-cpus",
                kernel.isolatedCpus(),
                isolated -> isolated(isolated, kernel.tickless().orElse(CpuSet.empty()), cpus),
                absent -> Finding.unknown("isolated-cpus", absent + " (before Linux 4.2)"));
    }

    private static Finding isolated(CpuSet isolated, CpuSet noTick, CpuSet cpus) {
        String tickless = noTick.isEmpty() ? "" : "; nohz_full: " + noTick;
        if (isolated.isEmpty()) {
            return Finding.ok("isolated-cpus", "no CPU is isolated (/sys/devices/system/cpu/isolated)" + tickless);
        }
        if (isolated.intersects(cpus)) {
            return Finding.warning(
                    "isolated-cpus",
                    "CPUs " + isolated.intersection(cpus) + " are isolated (isolcpus) and allowed here: the"
                            + " scheduler does not balance threads over them, so all stay on the first" + tickless,
                    "bind single threads there (--level pu --rule) and the rest of the process to other CPUs");
        }
        return Finding.info(
                "isolated-cpus",
                "CPUs " + isolated + " are isolated (isolcpus) and not allowed here" + tickless,
                "to use them, start with taskset -c " + isolated + " and one thread for each CPU");
    }

    private static Finding threadsOfCores(KernelSettings kernel) {
        String control = kernel.smtControl().orElse("not reported");
        return Finding.of(
                "smt",
                kernel.smtActive(),
                active -> active
                        ? Finding.info(
                                "smt",
                                "cores have several PUs (smt/control: " + control + ")",
                                "level core gives a thread a whole core, level pu one PU of it")
                        : Finding.ok("smt", "each core has one PU (smt/control: " + control + ")"),
                absent ->
                        Finding.unknown("smt", absent + " (before Linux 4.20); berth topo shows the PUs of each core"));
    }

    private static Finding offline(KernelSettings kernel) {
        return Finding.of(
                "offline-cpus",
                kernel.offlineCpus(),
                offline -> offline.isEmpty()
                        ? Finding.ok(
                                "offline-cpus",
                                "all present CPUs are online: "
                                        + kernel.onlineCpus().orElse(CpuSet.empty()))
                        : Finding.info(
                                "offline-cpus",
                                "CPUs " + offline + " are present but offline",
                                "echo 1 > /sys/devices/system/cpu/cpu" + offline.first() + "/online (as root)"),
                absent -> Finding.unknown("offline-cpus", absent));
    }

    private static Finding zoneReclaim(KernelSettings kernel) {
        String check = "zone-reclaim";
        return Finding.of(
                check,
                kernel.zoneReclaimMode(),
                mode -> mode == 0
                        ? Finding.ok(check, "vm.zone_reclaim_mode is 0")
                        : Finding.of(
                                check,
                                kernel.memory(),
                                nodes -> zoneReclaim(mode, nodes.size()),
                                absent -> zoneReclaim(mode, 1)),
                absent -> Finding.ok(check, absent + ": this kernel has no memory nodes"));
    }

    private static Finding zoneReclaim(int mode, int nodes) {
        return nodes < 2
                ? Finding.ok("zone-reclaim", "vm.zone_reclaim_mode is " + mode + ", with one memory node")
                : Finding.warning(
                        "zone-reclaim",
                        "vm.zone_reclaim_mode is " + mode
                                + ": a full node drops its file cache before the kernel uses another node",
                        "sysctl vm.zone_reclaim_mode=0, unless every process is bound and fits its node");
    }

    private static Finding governor(KernelSettings kernel) {
        return Finding.of(
                "cpu-governor",
                kernel.governors(),
                MachineFindings::governor,
                absent -> Finding.ok("cpu-governor", "the kernel does not set frequencies here (no cpufreq)"));
    }

    private static Finding governor(Map<String, CpuSet> governors) {
        List<String> parts = new ArrayList<>();
        Optional<String> slow = Optional.empty();
        for (Map.Entry<String, CpuSet> governor : governors.entrySet()) {
            parts.add(governor.getKey() + " on CPUs " + governor.getValue());
            // With these drivers "powersave" is the default, and follows the load.
            boolean byHardware = governor.getKey().contains("(intel_pstate)")
                    || governor.getKey().contains("(amd-pstate-epp)");
            if (governor.getKey().startsWith("powersave ") && !byHardware) {
                slow = Optional.of(governor.getKey());
            }
        }
        String read = "frequency governor " + String.join(", ", parts);
        return slow.isPresent()
                ? Finding.warning(
                        "cpu-governor",
                        read + ": it keeps CPUs at their lowest frequency",
                        "cpupower frequency-set -g performance (as root)")
                : Finding.ok("cpu-governor", read);
    }
}

package org.berth.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.observation.KernelSettings;
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
        findings.add(
                kernel.irqbalance()
                        ? Finding.info(
                                "irqbalance",
                                "irqbalance runs and moves interrupts between CPUs",
                                "to keep interrupts off bound CPUs, set IRQBALANCE_BANNED_CPULIST")
                        : Finding.ok("irqbalance", "irqbalance does not run: interrupts stay where they are"));
        return findings;
    }

    private static Finding isolated(KernelSettings kernel, CpuSet cpus) {
        CpuSet isolated = kernel.isolatedCpus();
        String tickless = kernel.tickless().isEmpty() ? "" : "; nohz_full: " + kernel.tickless();
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
        return kernel.smtActive()
                ? Finding.info(
                        "smt",
                        "cores have several PUs (smt/control: " + control + ")",
                        "level core gives a thread a whole core, level pu one PU of it")
                : Finding.ok("smt", "each core has one PU (smt/control: " + control + ")");
    }

    private static Finding offline(KernelSettings kernel) {
        CpuSet offline = kernel.offlineCpus();
        return offline.isEmpty()
                ? Finding.ok("offline-cpus", "all present CPUs are online: " + kernel.onlineCpus())
                : Finding.info(
                        "offline-cpus",
                        "CPUs " + offline + " are present but offline",
                        "echo 1 > /sys/devices/system/cpu/cpu" + offline.first() + "/online (as root)");
    }

    private static Finding zoneReclaim(KernelSettings kernel) {
        int mode = kernel.zoneReclaimMode().orElse(0);
        return mode == 0 || kernel.memory().size() < 2
                ? Finding.ok("zone-reclaim", "vm.zone_reclaim_mode is " + mode)
                : Finding.warning(
                        "zone-reclaim",
                        "vm.zone_reclaim_mode is " + mode
                                + ": a full node drops its file cache before the kernel uses another node",
                        "sysctl vm.zone_reclaim_mode=0, unless every process is bound and fits its node");
    }

    private static Finding governor(KernelSettings kernel) {
        if (kernel.governors().isEmpty()) {
            return Finding.ok("cpu-governor", "the kernel does not set frequencies here (no cpufreq)");
        }
        List<String> parts = new ArrayList<>();
        Optional<String> slow = Optional.empty();
        for (Map.Entry<String, CpuSet> governor : kernel.governors().entrySet()) {
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

package org.berth.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.berth.binding.Capability;
import org.berth.observation.ControlGroupLimits;
import org.berth.observation.KernelSettings;
import org.berth.observation.ProcessFacts;
import org.berth.topology.CpuSet;

/** Limits of a process: control groups, its affinity mask, a filter of system calls. A pure function. */
final class LimitFindings {
    private static final List<String> CALLS =
            List.of("native library", "cpu binding", "memory policy", "page query", "page migration");

    private LimitFindings() {}

    /** @param self whether the process is this one, whose mask its commands inherit */
    static List<Finding> of(KernelSettings kernel, ControlGroupLimits limits, ProcessFacts process, boolean self) {
        List<Finding> findings = new ArrayList<>();
        CpuSet online = kernel.onlineCpus();
        CpuSet group = limits.cpus().orElse(online).intersection(online);
        findings.add(
                group.containsAll(online)
                        ? Finding.ok("cpuset", "the cpuset has all CPUs: " + online)
                        : Finding.info(
                                "cpuset",
                                "control group " + limits.cpusetGroup() + " has CPUs " + group + " of " + online,
                                "the container or batch job sets these CPUs (cpuset.cpus, --cpuset-cpus)"));
        CpuSet cpus = process.cpus().intersection(online);
        findings.add(quota(limits, cpus));
        findings.add(mask(process, cpus, group, self));
        return findings;
    }

    private static Finding quota(ControlGroupLimits limits, CpuSet cpus) {
        if (limits.quotaCpus().isEmpty()) {
            return Finding.ok("cpu-quota", "no CPU quota (cpu.max, cpu.cfs_quota_us)");
        }
        double quota = limits.quotaCpus().getAsDouble();
        String read = String.format(
                Locale.ROOT,
                "control group %s has the CPU time of %.2f CPUs, and the affinity mask has %d CPUs",
                limits.quotaGroup(),
                quota,
                cpus.size());
        return quota >= cpus.size()
                ? Finding.ok("cpu-quota", read)
                : Finding.warning(
                        "cpu-quota",
                        read + ": when all threads run, the kernel stops them until the next period",
                        "bind to at most as many CPUs as the quota, or replace the quota by a cpuset of whole CPUs");
    }

    private static Finding mask(ProcessFacts process, CpuSet cpus, CpuSet group, boolean self) {
        if (cpus.containsAll(group)) {
            return Finding.ok("affinity-mask", "the affinity mask has all CPUs of the cpuset: " + cpus);
        }
        String read = "the affinity mask has CPUs " + cpus + " of " + group;
        return self
                ? Finding.warning(
                        "affinity-mask",
                        read + ", and every command started here inherits it",
                        "if this is not intended: taskset -pc " + group + " $$")
                : Finding.info(
                        "affinity-mask", read, "to widen it: berth unbind " + process.pid() + " (or --to-cpuset)");
    }

    /** A filter shows only when a call is tried, and only this process can try. */
    static List<Finding> calls(ProcessFacts process, List<Capability> capabilities) {
        List<String> missing = new ArrayList<>();
        for (Capability capability : capabilities) {
            if (CALLS.contains(capability.name()) && !capability.available()) {
                missing.add(capability.name() + ": " + capability.reason());
            }
        }
        List<Finding> findings = new ArrayList<>();
        findings.add(
                switch (process.seccompMode()) {
                    case 0 ->
                        Finding.ok(
                                "seccomp",
                                "no filter of system calls (Seccomp: 0 in /proc/" + process.pid() + "/status)");
                    case 1 ->
                        Finding.problem(
                                "seccomp",
                                "strict mode: only read, write and exit are allowed",
                                "start the process without that mode");
                    default ->
                        Finding.info(
                                "seccomp",
                                "a filter of system calls is installed (Seccomp: " + process.seccompMode()
                                        + " in /proc/" + process.pid() + "/status), as container runtimes do",
                                "if memory policies fail: allow get_mempolicy, set_mempolicy, mbind, move_pages and migrate_pages,"
                                        + " or give CAP_SYS_NICE");
                });
        findings.add(
                missing.isEmpty()
                        ? Finding.ok(
                                "system-calls",
                                "binding CPUs, setting memory policies and migrating pages work here (tried)")
                        : Finding.problem(
                                "system-calls",
                                "missing here: " + String.join("; ", missing),
                                "see each reason; in containers the usual cause is the seccomp profile"));
        return findings;
    }
}

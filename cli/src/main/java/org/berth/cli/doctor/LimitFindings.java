package org.berth.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.berth.binding.Capability;
import org.berth.observation.ControlGroupLimits;
import org.berth.observation.KernelSettings;
import org.berth.observation.ProcessFacts;
import org.berth.topology.CpuSet;

/** Who limits a process: control groups, its affinity mask, a filter of system calls. A pure function. */
final class LimitFindings {
    private static final List<String> CALLS =
            List.of("native library", "cpu binding", "memory policy", "page query", "page migration");

    private LimitFindings() {}

    /** @param self whether the process is this one, whose mask every command that it starts inherits */
    static List<Finding> of(KernelSettings kernel, ControlGroupLimits limits, ProcessFacts process, boolean self) {
        List<Finding> findings = new ArrayList<>();
        CpuSet online = kernel.onlineCpus();
        CpuSet group = limits.cpus().orElse(online).intersection(online);
        findings.add(
                group.containsAll(online)
                        ? Finding.ok("cpuset", "its cpuset has all CPUs: " + online)
                        : Finding.info(
                                "cpuset",
                                "control group " + limits.cpusetGroup() + " has CPUs " + group + " of " + online,
                                "who made the container or job chooses them (cpuset.cpus, --cpuset-cpus)"));
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
                "control group %s may use the time of %.2f CPUs, and its mask has %d",
                limits.quotaGroup(),
                quota,
                cpus.size());
        return quota >= cpus.size()
                ? Finding.ok("cpu-quota", read)
                : Finding.warning(
                        "cpu-quota",
                        read + ": threads that run at once are stopped until the next period",
                        "bind to no more CPUs than the quota pays for, or give whole CPUs by a cpuset and no quota");
    }

    private static Finding mask(ProcessFacts process, CpuSet cpus, CpuSet group, boolean self) {
        if (cpus.containsAll(group)) {
            return Finding.ok("affinity-mask", "its threads may use all of the cpuset: " + cpus);
        }
        String read = "its affinity mask has CPUs " + cpus + " of " + group;
        return self
                ? Finding.warning(
                        "affinity-mask",
                        read + ", and every command started from here inherits it",
                        "if nobody meant it: taskset -pc " + group + " $$")
                : Finding.info(
                        "affinity-mask", read, "to widen it: berth unbind " + process.pid() + " (or --to-cpuset)");
    }

    /** What a filter forbids is seen by trying; that can only be done in this process. */
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
                                "strict mode: nothing but read and write is allowed",
                                "start it without that mode");
                    default ->
                        Finding.info(
                                "seccomp",
                                "a filter of system calls is there (Seccomp: " + process.seccompMode() + " in /proc/"
                                        + process.pid() + "/status), as container runtimes set one",
                                "if memory policies fail: allow get_mempolicy, set_mempolicy, mbind, move_pages and migrate_pages,"
                                        + " or give CAP_SYS_NICE");
                });
        findings.add(
                missing.isEmpty()
                        ? Finding.ok(
                                "system-calls", "binding CPUs, memory policies and moving pages work from here (tried)")
                        : Finding.problem(
                                "system-calls",
                                "missing here: " + String.join("; ", missing),
                                "see the reason of each; in containers the seccomp profile is the usual cause"));
        return findings;
    }
}

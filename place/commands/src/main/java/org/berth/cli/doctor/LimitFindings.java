package org.berth.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.berth.binding.Capability;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.internal.kernel.KernelSettings;
import org.berth.observation.internal.process.ControlGroupLimits;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.topology.CpuSet;

/** Limits of a process: control groups, its affinity mask, a filter of system calls. A pure function. */
final class LimitFindings {
    private static final List<String> CALLS =
            List.of("native library", "cpu binding", "memory policy", "page query", "page migration");

    private LimitFindings() {}

    /** @param self whether the process is this one, whose mask its commands inherit */
    static List<Finding> of(KernelSettings kernel, ControlGroupLimits limits, ProcessFacts process, boolean self) {
        return List.of(
                cpuset(kernel.onlineCpus(), limits),
                quota(limits, process.cpus()),
                mask(kernel.onlineCpus(), limits, process, self));
    }

    private static Finding cpuset(Reading<CpuSet> online, ControlGroupLimits limits) {
        return limits.cpus()
                .fold(
                        group -> Finding.of(
                                "cpuset", online, all -> cpuset(group, all, limits), absent -> cpuset(group, absent)),
                        absent -> Finding.ok("cpuset", absent + ", so none limits the CPUs"),
                        refusal -> Finding.unknown("cpuset", refusal));
    }

    private static Finding cpuset(CpuSet group, String absent) {
        return Finding.unknown("cpuset", "the cpuset has CPUs " + group + ", and " + absent);
    }

    private static Finding cpuset(CpuSet group, CpuSet online, ControlGroupLimits limits) {
        return group.containsAll(online)
                ? Finding.ok("cpuset", "the cpuset has all CPUs: " + online)
                : Finding.info(
                        "cpuset",
                        "control group " + limits.cpusetGroup() + " has CPUs " + group.intersection(online) + " of "
                                + online,
                        "the container or batch job sets these CPUs (cpuset.cpus, --cpuset-cpus)");
    }

    /**
     * What commands inherit from the caller of this one.
     *
     * @param policy the inherited memory policy
     * @param hwloc variables by which hwloc would show another machine
     */
    static List<Finding> inherited(Optional<String> policy, List<String> hwloc) {
        List<Finding> findings = new ArrayList<>();
        findings.add(policy.map(words -> Finding.warning(
                        "memory-policy",
                        "the memory policy is " + words + ", and every command started here inherits it",
                        "if this is not intended: berth run --memory local, or leave numactl out"))
                .orElseGet(() -> Finding.ok("memory-policy", "no memory policy is inherited")));
        if (!hwloc.isEmpty()) {
            findings.add(Finding.info(
                    "hwloc-variables",
                    String.join(", ", hwloc)
                            + " may describe another machine; Berth ignores it, and commands inherit it",
                    "if this is not intended: unset " + String.join(" ", hwloc)));
        }
        return findings;
    }

    private static Finding quota(ControlGroupLimits limits, CpuSet cpus) {
        double quota = limits.quotaCpus().orElse(Double.MAX_VALUE);
        String read = limits.quotaCpus().isEmpty()
                ? "no CPU quota (cpu.max, cpu.cfs_quota_us)"
                : String.format(
                        Locale.ROOT,
                        "control group %s has the CPU time of %.2f CPUs, and the affinity mask has %d CPUs",
                        limits.quotaGroup(),
                        quota,
                        cpus.size());
        if (quota < cpus.size()) {
            return Finding.warning(
                    "cpu-quota",
                    read + ": when all threads run, the kernel stops them until the next period",
                    "bind to at most as many CPUs as the quota, or replace the quota by a cpuset of whole CPUs");
        }
        return limits.unseenQuota()
                .map(refusal -> Finding.unknown("cpu-quota", refusal))
                .orElseGet(() -> Finding.ok("cpu-quota", read));
    }

    /** A mask with all CPUs tells that the cpuset has them, too, whether its file can be read or not. */
    private static Finding mask(Reading<CpuSet> online, ControlGroupLimits limits, ProcessFacts process, boolean self) {
        CpuSet cpus = process.cpus();
        Reading<CpuSet> group = limits.cpus();
        CpuSet all = online.orElse(CpuSet.empty());
        if (!all.isEmpty() && cpus.containsAll(all)) {
            return Finding.ok("affinity-mask", "the affinity mask has all CPUs: " + all);
        }
        return group.ifAbsent(online)
                .fold(
                        possible -> all.isEmpty()
                                ? maskOfUnknown(online, process)
                                : mask(cpus.intersection(all), possible.intersection(all), process, self),
                        absent -> maskOfUnknown(online, process),
                        refusal -> all.isEmpty()
                                ? maskOfUnknown(online, process)
                                : mask(cpus.intersection(all), all, process, self));
    }

    private static Finding maskOfUnknown(Reading<CpuSet> online, ProcessFacts process) {
        String has = "the affinity mask has CPUs " + process.cpus() + "; whether the machine has more is not known: ";
        Refusal refusal = online.refusal().orElse(new Refusal("the kernel has no list of CPUs", ""));
        return new Finding(Finding.Severity.UNKNOWN, "affinity-mask", has + refusal.reason(), refusal.remedy());
    }

    private static Finding mask(CpuSet cpus, CpuSet group, ProcessFacts process, boolean self) {
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
        findings.add(Finding.of(
                "seccomp",
                process.seccompMode(),
                mode -> seccomp(mode, process),
                absent -> Finding.ok("seccomp", "this kernel filters no system calls: " + absent)));
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

    private static Finding seccomp(int mode, ProcessFacts process) {
        return switch (mode) {
            case 0 ->
                Finding.ok("seccomp", "no filter of system calls (Seccomp: 0 in /proc/" + process.pid() + "/status)");
            case 1 ->
                Finding.problem(
                        "seccomp",
                        "strict mode: only read, write and exit are allowed",
                        "start the process without that mode");
            default ->
                Finding.info(
                        "seccomp",
                        "a filter of system calls is installed (Seccomp: " + mode + " in /proc/" + process.pid()
                                + "/status), as container runtimes do",
                        "if memory policies fail: allow get_mempolicy, set_mempolicy, mbind, move_pages and migrate_pages,"
                                + " or give CAP_SYS_NICE");
        };
    }
}

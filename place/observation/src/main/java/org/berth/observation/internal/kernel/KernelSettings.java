package org.berth.observation.internal.kernel;

import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.SystemFiles;
import org.berth.observation.internal.process.PidNamespace;
import org.berth.topology.CpuSet;

/**
 * The settings of a machine that affect where threads and pages go, from {@code /sys} and {@code /proc/sys}. Immutable.
 *
 * @param presentCpus CPUs that are present
 * @param onlineCpus CPUs that run
 * @param isolatedCpus CPUs that the scheduler leaves alone (isolcpus, isolated partitions)
 * @param tickless CPUs without a regular tick (nohz_full)
 * @param smtControl on, off, forceoff, notsupported or notimplemented
 * @param smtActive whether a core runs several threads
 * @param zoneReclaimMode vm.zone_reclaim_mode: other than 0, a full node is emptied before others are used
 * @param hugePages transparent and explicit huge pages
 * @param governors CPUs by the name of their frequency governor and driver, "powersave (intel_pstate)"
 * @param memory memory of each node by its osIndex
 * @param irqbalance whether a process of that name runs; refused when it may be one that this process does not see
 * @see <a href="https://docs.kernel.org/admin-guide/cputopology.html">cpu topology</a>
 * @since 0.1.0
 */
public record KernelSettings(
        Reading<CpuSet> presentCpus,
        Reading<CpuSet> onlineCpus,
        Reading<CpuSet> isolatedCpus,
        Reading<CpuSet> tickless,
        Reading<String> smtControl,
        Reading<Boolean> smtActive,
        Reading<Integer> zoneReclaimMode,
        HugePages hugePages,
        Reading<SortedMap<String, CpuSet>> governors,
        Reading<SortedMap<Integer, NodeMemory>> memory,
        Reading<Boolean> irqbalance) {
    private static final String CPUS = "sys/devices/system/cpu/";

    /** Reads those of this machine ({@code /}), or of a recorded one. */
    public static KernelSettings read(Path root) {
        SystemFiles files = new SystemFiles(root);
        Reading<CpuSet> online = online(files);
        return new KernelSettings(
                list(files, "present").ifAbsent(online),
                online,
                list(files, "isolated"),
                list(files, "nohz_full"),
                files.read(CPUS + "smt/control"),
                files.number(CPUS + "smt/active").map(active -> active == 1),
                files.number("proc/sys/vm/zone_reclaim_mode"),
                HugePages.read(files),
                online.flatMap(cpus -> governors(files, cpus)),
                NodeMemory.read(files),
                irqbalance(files));
    }

    /** CPUs that are present but offline. */
    public Reading<CpuSet> offlineCpus() {
        return presentCpus.flatMap(present -> onlineCpus.map(present::minus));
    }

    /** An old kernel has no list, but a file for each CPU that can be switched off. */
    private static Reading<CpuSet> online(SystemFiles files) {
        return list(files, "online")
                .ifAbsent(files.numbered(CPUS, "cpu")
                        .map(cpus -> CpuSet.of(cpus.stream()
                                .filter(cpu -> files.number(CPUS + "cpu" + cpu + "/online")
                                                .orElse(1)
                                        == 1)
                                .mapToInt(Integer::intValue)
                                .toArray())));
    }

    /** Reads nohz_full, which is "(null)" or a zero byte if the kernel supports it but does not use it. */
    private static Reading<CpuSet> list(SystemFiles files, String name) {
        return files.parsed(
                CPUS + name,
                "a list of CPUs",
                text -> text.isEmpty() || !Character.isDigit(text.charAt(0)) ? CpuSet.empty() : CpuSet.parseList(text));
    }

    private static Reading<SortedMap<String, CpuSet>> governors(SystemFiles files, CpuSet online) {
        SortedMap<String, CpuSet> governors = new TreeMap<>();
        Reading<String> last = Reading.absent("no CPU is online");
        for (int cpu : online.toArray()) {
            String folder = CPUS + "cpu" + cpu + "/cpufreq/";
            Reading<String> governor = files.read(folder + "scaling_governor");
            String driver = files.read(folder + "scaling_driver").orElse("unknown driver");
            governor.value()
                    .ifPresent(name -> governors.merge(name + " (" + driver + ")", CpuSet.of(cpu), CpuSet::union));
            last = governor;
        }
        return governors.isEmpty() ? last.map(name -> governors) : Reading.of(governors);
    }

    private static Reading<Boolean> irqbalance(SystemFiles files) {
        Reading<Boolean> runs = files.numbered("proc", "")
                .map(pids -> pids.stream()
                        .anyMatch(pid ->
                                files.read("proc/" + pid + "/comm").orElse("").equals("irqbalance")));
        if (runs.orElse(false)) {
            return runs;
        }
        if (!files.exists("proc/1") && files.exists("proc/self")) {
            return Reading.refused(new Refusal("/proc hides the processes of other users (hidepid)", "run as root"));
        }
        return PidNamespace.isOfHost(files)
                .flatMap(all -> all
                        ? runs
                        : Reading.refused(new Refusal(
                                "this PID namespace does not show the processes of the host", "run it on the host")));
    }
}

package org.berth.observation;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.berth.topology.CpuSet;

/**
 * What of a machine's set-up bears on where threads and pages go, from {@code /sys} and {@code /proc/sys}. Immutable;
 * what a kernel does not tell is empty.
 *
 * @param presentCpus CPUs that are there
 * @param onlineCpus CPUs that run
 * @param isolatedCpus CPUs that the scheduler leaves alone (isolcpus, isolated partitions)
 * @param tickless CPUs without a regular tick (nohz_full)
 * @param smtControl on, off, forceoff, notsupported or notimplemented
 * @param smtActive whether a core runs several threads
 * @param numaBalancing kernel.numa_balancing: 0 off, 1 pages follow their users, 2 memory tiers
 * @param zoneReclaimMode vm.zone_reclaim_mode: other than 0, a full node is emptied before others are used
 * @param hugePages transparent and explicit huge pages
 * @param governors CPUs by the name of their frequency governor and driver, "powersave (intel_pstate)"
 * @param memory memory of each node by its osIndex
 * @param irqbalance whether a process of that name runs
 * @see <a href="https://docs.kernel.org/admin-guide/cputopology.html">cpu topology</a>
 * @since 0.1.0
 */
public record KernelSettings(
        CpuSet presentCpus,
        CpuSet onlineCpus,
        CpuSet isolatedCpus,
        CpuSet tickless,
        Optional<String> smtControl,
        boolean smtActive,
        OptionalInt numaBalancing,
        OptionalInt zoneReclaimMode,
        HugePages hugePages,
        SortedMap<String, CpuSet> governors,
        SortedMap<Integer, NodeMemory> memory,
        boolean irqbalance) {
    private static final String CPUS = "sys/devices/system/cpu/";

    /** Reads those of this machine ({@code /}), or of a recorded one. */
    public static KernelSettings read(Path root) {
        SystemFiles files = new SystemFiles(root);
        CpuSet online = online(files);
        return new KernelSettings(
                list(files, "present").orElse(online),
                online,
                list(files, "isolated").orElseGet(CpuSet::empty),
                list(files, "nohz_full").orElseGet(CpuSet::empty),
                files.read(CPUS + "smt/control"),
                files.number(CPUS + "smt/active").orElse(0) == 1,
                files.number("proc/sys/kernel/numa_balancing"),
                files.number("proc/sys/vm/zone_reclaim_mode"),
                HugePages.read(files),
                governors(files, online),
                memory(files),
                runs(files, "irqbalance"));
    }

    /** CPUs that are there but switched off. */
    public CpuSet offlineCpus() {
        return presentCpus.minus(onlineCpus);
    }

    /** An old kernel has no list, but a file for each CPU that can be switched off. */
    private static CpuSet online(SystemFiles files) {
        return list(files, "online")
                .orElseGet(() -> CpuSet.of(files.numbered(CPUS, "cpu").stream()
                        .filter(cpu ->
                                files.number(CPUS + "cpu" + cpu + "/online").orElse(1) == 1)
                        .mapToInt(Integer::intValue)
                        .toArray()));
    }

    /** Where the kernel can but does not, nohz_full reads "(null)", or a zero byte. */
    private static Optional<CpuSet> list(SystemFiles files, String name) {
        return files.read(CPUS + name)
                .filter(text -> text.isEmpty() || Character.isDigit(text.charAt(0)))
                .map(CpuSet::parseList);
    }

    private static SortedMap<String, CpuSet> governors(SystemFiles files, CpuSet online) {
        SortedMap<String, CpuSet> governors = new TreeMap<>();
        for (int cpu : online.toArray()) {
            String folder = CPUS + "cpu" + cpu + "/cpufreq/";
            Optional<String> governor = files.read(folder + "scaling_governor");
            String driver = files.read(folder + "scaling_driver").orElse("unknown driver");
            governor.ifPresent(name -> governors.merge(name + " (" + driver + ")", CpuSet.of(cpu), CpuSet::union));
        }
        return governors;
    }

    private static SortedMap<Integer, NodeMemory> memory(SystemFiles files) {
        SortedMap<Integer, NodeMemory> memory = new TreeMap<>();
        String folder = "sys/devices/system/node/";
        for (int node : files.numbered(folder, "node")) {
            files.read(folder + "node" + node + "/meminfo")
                    .flatMap(NodeMemory::parse)
                    .ifPresent(found -> memory.put(node, found));
        }
        return memory;
    }

    private static boolean runs(SystemFiles files, String program) {
        List<Integer> pids = files.numbered("proc", "");
        return pids.stream().anyMatch(pid -> files.read("proc/" + pid + "/comm").equals(Optional.of(program)));
    }
}

package org.berth.observation;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import org.berth.topology.CpuSet;

/**
 * What the control groups of a process leave it, of version 2 or 1. Immutable.
 *
 * @param cpusetGroup the group with the cpuset; empty when there is none
 * @param cpus CPUs that the cpuset has; empty when there is none
 * @param quotaGroup the group with the smallest CPU quota
 * @param quotaCpus how many CPUs' time it may use on average (cpu.max, cpu.cfs_quota_us); empty for any
 * @see <a href="https://docs.kernel.org/admin-guide/cgroup-v2.html">Control Group v2</a>
 * @since 0.1.0
 */
public record ControlGroupLimits(
        String cpusetGroup, Optional<CpuSet> cpus, String quotaGroup, OptionalDouble quotaCpus) {
    private static final String MOUNT = "sys/fs/cgroup";

    private record Group(String mount, String path, boolean unified) {}

    /**
     * Reads those of a process of this machine ({@code /}), or of a recorded one.
     *
     * @param pid a number, or "self"
     */
    public static ControlGroupLimits of(String pid, Path root) {
        SystemFiles files = new SystemFiles(root);
        String groups = files.read("proc/" + pid + "/cgroup").orElse("");
        String cpusetGroup = "";
        Optional<CpuSet> cpus = Optional.empty();
        Group cpuset = group(groups, "cpuset", files);
        String file = cpuset.unified() ? "cpuset.cpus.effective" : "cpuset.effective_cpus";
        for (String path = cpuset.path(); !path.isEmpty() && cpus.isEmpty(); path = parent(path)) {
            cpus = files.read(cpuset.mount() + path + "/" + file)
                    .filter(text -> !text.isEmpty())
                    .map(CpuSet::parseList);
            cpusetGroup = cpuset.path();
        }
        Group cpu = group(groups, "cpu", files);
        String quotaGroup = "";
        OptionalDouble quota = OptionalDouble.empty();
        // Each level limits those below.
        for (String path = cpu.path(); !path.isEmpty(); path = parent(path)) {
            OptionalDouble here = quota(files, cpu.mount() + path, cpu.unified());
            if (here.isPresent() && here.getAsDouble() < quota.orElse(Double.MAX_VALUE)) {
                quota = here;
                quotaGroup = path;
            }
        }
        return new ControlGroupLimits(cpus.isEmpty() ? "" : cpusetGroup, cpus, quotaGroup, quota);
    }

    /** Version 1 where a hierarchy has the controller, else version 2; the lines are "ID:CONTROLLERS:PATH". */
    private static Group group(String groups, String controller, SystemFiles files) {
        String unified = "";
        for (String line : groups.split("\n", -1)) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && ("," + parts[1] + ",").contains("," + controller + ",")) {
                String mount =
                        files.read(MOUNT + "/" + parts[1] + "/cgroup.procs").isPresent()
                                ? MOUNT + "/" + parts[1]
                                : MOUNT + "/" + controller;
                return new Group(mount, parts[2], false);
            }
            if (parts.length == 3 && parts[0].equals("0") && parts[1].isEmpty()) {
                unified = parts[2];
            }
        }
        return new Group(MOUNT, unified, true);
    }

    /** "200000 100000" of version 2 or two files of version 1; "max" and -1 are no limit. */
    private static OptionalDouble quota(SystemFiles files, String folder, boolean unified) {
        Optional<String> text = unified
                ? files.read(folder + "/cpu.max")
                : files.read(folder + "/cpu.cfs_quota_us")
                        .flatMap(quota ->
                                files.read(folder + "/cpu.cfs_period_us").map(period -> quota + " " + period));
        if (text.isEmpty() || !text.get().matches("\\d+ [1-9]\\d*")) {
            return OptionalDouble.empty();
        }
        String[] words = text.get().split(" ", -1);
        return OptionalDouble.of(Double.parseDouble(words[0]) / Double.parseDouble(words[1]));
    }

    /** The top is "/", and above it is nothing. Inside a container the path may only exist at the top of the mount. */
    private static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return path.equals("/") || slash < 0 ? "" : slash == 0 ? "/" : path.substring(0, slash);
    }
}

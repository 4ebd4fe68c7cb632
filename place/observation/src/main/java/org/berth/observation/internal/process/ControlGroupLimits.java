package org.berth.observation.internal.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.SystemFiles;
import org.berth.topology.CpuSet;

/**
 * The limits that the control groups of a process set, in version 2 or 1. Immutable.
 *
 * <p>Each level limits those below, and not every level can be seen: a container has its group as the top of its own
 * cgroup namespace or mount, and groups above the top may have a smaller quota. Without its own namespace, it may see
 * the names of its groups but none of their files.
 *
 * @param cpusetGroup the group with the cpuset; empty when there is none
 * @param cpus CPUs that the cpuset has; absent when no group has a cpuset
 * @param quotaGroup the group with the smallest CPU quota that was seen
 * @param quotaCpus how many CPUs' time it may use on average (cpu.max, cpu.cfs_quota_us); empty when no quota was seen
 * @param unseenQuota why there may be a smaller quota; empty when every level was read
 * @see <a href="https://docs.kernel.org/admin-guide/cgroup-v2.html">Control Group v2</a>
 * @see <a href="https://man7.org/linux/man-pages/man7/cgroup_namespaces.7.html">cgroup_namespaces(7)</a>
 * @since 0.1.0
 */
public record ControlGroupLimits(
        String cpusetGroup,
        Reading<CpuSet> cpus,
        String quotaGroup,
        OptionalDouble quotaCpus,
        Optional<Refusal> unseenQuota) {
    private static final String MOUNT = "sys/fs/cgroup";
    private static final String OUTSIDE = "run it on the host, outside the container";

    /** The inode of the first cgroup namespace (PROC_CGROUP_INIT_INO of include/linux/proc_ns.h). */
    private static final String FIRST_NAMESPACE = "cgroup:[4026531835]";

    /**
     * The control group in which a controller has a process.
     *
     * @param path empty when the mount does not show the group
     * @param hidden why some levels are not seen; empty when all are
     */
    private record Group(String mount, String path, boolean unified, Optional<Refusal> hidden) {}

    /**
     * Reads those of a process of this machine ({@code /}), or of a recorded one.
     *
     * @param pid a number, or "self"
     */
    public static ControlGroupLimits of(String pid, Path root) {
        SystemFiles files = new SystemFiles(root);
        return files.read("proc/" + pid + "/cgroup")
                .fold(
                        groups -> of(groups, files),
                        absent -> new ControlGroupLimits(
                                "", Reading.absent(absent), "", OptionalDouble.empty(), Optional.empty()),
                        refusal -> new ControlGroupLimits(
                                "", Reading.refused(refusal), "", OptionalDouble.empty(), Optional.of(refusal)));
    }

    /** The files cpu.stat of the groups that a process is in, which say how long quotas, also later ones, have stopped them. */
    public static List<String> throttleFiles(String pid, Path root) {
        SystemFiles files = new SystemFiles(root);
        List<String> found = new ArrayList<>();
        Group cpu = group(files.read("proc/" + pid + "/cgroup").orElse(""), "cpu", files);
        for (String path = cpu.path(); !path.isEmpty(); path = parent(path)) {
            String file = cpu.mount() + path + "/cpu.stat";
            if (files.read(file).orElse("").contains("throttled_")) {
                found.add(root.resolve(file).toString());
            }
        }
        return found;
    }

    private static ControlGroupLimits of(String groups, SystemFiles files) {
        Group cpuset = group(groups, "cpuset", files);
        Reading<CpuSet> cpus = cpus(cpuset, files);
        Group cpu = group(groups, "cpu", files);
        String quotaGroup = "";
        OptionalDouble quota = OptionalDouble.empty();
        Optional<Refusal> unseen = cpu.hidden();
        for (String path = cpu.path(); !path.isEmpty(); path = parent(path)) {
            Reading<OptionalDouble> read = quota(files, cpu.mount() + path, cpu.unified());
            unseen = unseen.or(read::refusal);
            OptionalDouble here = read.orElse(OptionalDouble.empty());
            if (here.isPresent() && here.getAsDouble() < quota.orElse(Double.MAX_VALUE)) {
                quota = here;
                quotaGroup = path;
            }
        }
        return new ControlGroupLimits(cpus.value().isEmpty() ? "" : cpuset.path(), cpus, quotaGroup, quota, unseen);
    }

    /** The lowest level that has a cpuset file: those below it have the same. */
    private static Reading<CpuSet> cpus(Group group, SystemFiles files) {
        String file = group.unified() ? "cpuset.cpus.effective" : "cpuset.effective_cpus";
        Reading<CpuSet> cpus = Reading.absent("no control group has a cpuset");
        for (String path = group.path(); !path.isEmpty(); path = parent(path)) {
            Reading<CpuSet> here = files.cpuList(group.mount() + path + "/" + file);
            if (!(here instanceof Reading.Absent)) {
                cpus = here;
                break;
            }
        }
        return cpus instanceof Reading.Value || group.hidden().isEmpty()
                ? cpus
                : Reading.refused(group.hidden().get());
    }

    /** Version 1 where a hierarchy has the controller, else version 2; the lines are "ID:CONTROLLERS:PATH". */
    private static Group group(String groups, String controller, SystemFiles files) {
        String unified = "";
        for (String line : groups.split("\n", -1)) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && ("," + parts[1] + ",").contains("," + controller + ",")) {
                String mount = files.exists(MOUNT + "/" + parts[1] + "/cgroup.procs")
                        ? MOUNT + "/" + parts[1]
                        : MOUNT + "/" + controller;
                return group(mount, parts[2], false, files);
            }
            if (parts.length == 3 && parts[0].equals("0") && parts[1].isEmpty()) {
                unified = parts[2];
            }
        }
        return unified.isEmpty() ? new Group(MOUNT, "", true, Optional.empty()) : group(MOUNT, unified, true, files);
    }

    private static Group group(String mount, String path, boolean unified, SystemFiles files) {
        String folder = "/" + mount;
        Reading<String> mounted = Mount.of(Path.of(folder), files).map(Mount::top);
        String top = mounted.orElse("/");
        if (top.startsWith("/..") || path.startsWith("/..")) {
            return new Group(
                    mount,
                    "",
                    unified,
                    Optional.of(new Refusal(
                            folder
                                    + " is not of the cgroup namespace that the process is in, so its group is not known",
                            OUTSIDE)));
        }
        return new Group(mount, path, unified, mounted.refusal().or(() -> hidden(mount, path, top, files)));
    }

    private static Optional<Refusal> hidden(String mount, String path, String top, SystemFiles files) {
        String folder = "/" + mount;
        if (!files.exists(mount + "/cgroup.procs")) {
            return Optional.of(new Refusal(
                    "the process is in control group " + path + ", and " + folder + " has no control groups",
                    "mount them there, or " + OUTSIDE));
        }
        if (!top.equals("/") || !files.exists(mount + path)) {
            return Optional.of(new Refusal(folder + " does not show all groups above that of the process", OUTSIDE));
        }
        // Old kernels have no such namespaces, and a recorded machine has no links.
        String namespace = files.link("proc/self/ns/cgroup").orElse(FIRST_NAMESPACE);
        return namespace.equals(FIRST_NAMESPACE)
                ? Optional.empty()
                : Optional.of(new Refusal(
                        "the cgroup namespace of berth does not show the groups above its top, or their names",
                        OUTSIDE));
    }

    /**
     * "200000 100000" of version 2 or two files of version 1; "max" and -1 are no limit. The topmost group has no file.
     */
    private static Reading<OptionalDouble> quota(SystemFiles files, String folder, boolean unified) {
        Reading<String> text = unified
                ? files.read(folder + "/cpu.max")
                : files.read(folder + "/cpu.cfs_quota_us")
                        .flatMap(quota ->
                                files.read(folder + "/cpu.cfs_period_us").map(period -> quota + " " + period));
        return text.map(words -> words.matches("\\d+ [1-9]\\d*")
                ? OptionalDouble.of(Double.parseDouble(words.substring(0, words.indexOf(' ')))
                        / Double.parseDouble(words.substring(words.indexOf(' ') + 1)))
                : OptionalDouble.empty());
    }

    /** The top is "/", and above it is nothing. Inside a container the path may only exist at the top of the mount. */
    private static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return path.equals("/") || slash < 0 ? "" : slash == 0 ? "/" : path.substring(0, slash);
    }
}

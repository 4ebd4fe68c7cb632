package org.berth.placement.internal.policy;

import java.util.List;
import java.util.Optional;
import org.berth.text.ForeignText;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/**
 * How many hardware threads a thread gets: N of the policies that count them.
 *
 * <p>A thread runs on one PU at a time; N is how far the kernel may move it. So the default is as many as share what is
 * costly to leave: a core's caches, or without SMT the cluster or cache of a few cores. A core of 8 is two halves, so that
 * two threads on it need not be in each other's way: issue queues with units of their own on POWER8, where they are PUs 0-3
 * and 4-7 of the core ({@code arch/powerpc/platforms/powernv/subcore.c} of Linux), two cores behind one name on POWER9 and
 * POWER10, whose caches {@link PuGroups} keeps to.
 *
 * @param count at least 1
 * @param note a line for the plan: how many, and why
 */
record HardwareThreads(int count, String note) {
    /** Beyond it a core is taken as two halves. */
    private static final int WIDEST_UNDIVIDED_CORE = 4;

    /** The PUs of the widest core that exists; a thread with more is hardly bound. */
    private static final int LARGEST_CLUSTER = 8;

    /**
     * @param cpus those to choose from
     * @param asked 0 for the default, by the cores of these CPUs
     */
    static HardwareThreads of(Topology topology, CpuSet cpus, int asked) {
        if (asked > 0) {
            return because(asked, "as asked");
        }
        List<TopologyObject> cores = topology.objectsIntersecting(cpus, ObjectType.CORE);
        int widest = cores.stream().mapToInt(core -> core.cpuSet().size()).max().orElse(1);
        if (widest > WIDEST_UNDIVIDED_CORE && widest % 2 == 0) {
            return because(widest / 2, "by default half of a core with " + widest);
        }
        if (widest > 1) {
            return because(widest, "by default all of a core");
        }
        List<TopologyObject> single = cores.isEmpty() ? topology.objectsIntersecting(cpus, ObjectType.PU) : cores;
        TopologyObject cluster = null;
        for (TopologyObject core : single) {
            TopologyObject around =
                    cluster(core).filter(up -> isFew(up, topology, cpus)).orElse(core);
            boolean larger =
                    cluster == null || around.cpuSet().size() > cluster.cpuSet().size();
            cluster = larger ? around : cluster;
        }
        if (cluster == null || cluster.cpuSet().size() == 1) {
            return because(1, "by default, as a core has one and no cluster or cache is shared by a few");
        }
        String name = cluster.subtype().orElseGet(cluster::typeName);
        int size = cluster.cpuSet().size();
        return because(size, "by default, as a core has one and " + size + " share one " + ForeignText.clean(name));
    }

    /** The nearest group or cache that several cores share. */
    private static Optional<TopologyObject> cluster(TopologyObject core) {
        return core.parent()
                .flatMap(up -> up.cpuSet().equals(core.cpuSet()) ? cluster(up) : Optional.of(up))
                .filter(up -> up.type() == ObjectType.GROUP || up.type().isCache());
    }

    /** Whether it is a small part of what there is to choose from, and of a package. */
    private static boolean isFew(TopologyObject cluster, Topology topology, CpuSet cpus) {
        return cluster.cpuSet().size() <= LARGEST_CLUSTER
                && !cluster.cpuSet().containsAll(cpus)
                && topology.objectsInside(cluster.cpuSet(), ObjectType.PACKAGE).isEmpty();
    }

    private static HardwareThreads because(int count, String why) {
        return new HardwareThreads(count, "PUs for each thread: " + count + ", " + why);
    }
}

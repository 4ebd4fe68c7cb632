package org.berth.experiments.trial;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.berth.experiments.CollectorUse;
import org.berth.experiments.PauseSummary;
import org.berth.observation.ProcessSample;
import org.berth.observation.ThreadSnapshot;
import org.berth.observation.internal.jvm.VmThreads;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/** Adds up the CPU time of the threads that work for the collectors of one run, by the node on which they ran. */
final class CollectorThreads {
    private static final double NANOS = 1e9;

    private final Map<Integer, Integer> nodes = new HashMap<>();
    private final Map<Integer, Long> before = new HashMap<>();
    private final Map<Integer, Double> secondsByNode = new TreeMap<>();
    private double seconds;
    private int mostThreads;

    CollectorThreads(Topology topology) {
        for (TopologyObject node : topology.objects(ObjectType.NUMA_NODE)) {
            node.cpuSet().stream().forEach(cpu -> nodes.putIfAbsent(cpu, node.osIndex()));
        }
    }

    /** One sample of each process of the run. */
    void add(Iterable<ProcessSample> samples) {
        int threads = 0;
        for (ProcessSample sample : samples) {
            for (ThreadSnapshot thread : sample.threads()) {
                if (VmThreads.isCollector(thread.name())) {
                    threads++;
                    add(thread);
                }
            }
        }
        mostThreads = Math.max(mostThreads, threads);
    }

    private void add(ThreadSnapshot thread) {
        Long last = before.put(thread.tid(), thread.cpuTimeNanos());
        double used = (thread.cpuTimeNanos() - (last == null ? 0 : last)) / NANOS;
        // A thread id that was used again begins at zero.
        double spent = used < 0 ? thread.cpuTimeNanos() / NANOS : used;
        seconds += spent;
        Integer node = nodes.get(thread.lastCpu());
        if (node != null) {
            secondsByNode.merge(node, spent, Double::sum);
        }
    }

    CollectorUse use(PauseSummary pauses, PauseSummary stalls) {
        return new CollectorUse(pauses, stalls, mostThreads, seconds, secondsByNode);
    }
}

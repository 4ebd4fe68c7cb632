package org.berth.spark.executor;

import java.util.List;
import java.util.Optional;
import org.berth.topology.NodeSet;

/** Warns about the collector of an executor with few CPUs. A pure function. */
final class CollectorNote {
    private static final String SERIAL = "MarkSweepCompact";

    private CollectorNote() {}

    /**
     * A JVM that sees one CPU, or less than 1792 MiB, takes the serial collector without a message.
     *
     * @param collectors names of the garbage collector beans
     * @param options the JVM's own options
     * @param seenCpus how many CPUs the JVM found
     * @param cpus how many it has now
     */
    static Optional<String> of(List<String> collectors, List<String> options, int seenCpus, int cpus) {
        boolean chosen = options.stream().anyMatch(option -> option.matches("-XX:\\+Use\\w+GC"));
        if (collectors.contains(SERIAL) && !chosen && seenCpus < 2) {
            return Optional.of("this JVM was started on one CPU and therefore took the serial collector; choose one"
                    + " explicitly, for example with spark.executor.extraJavaOptions=-XX:+UseParallelGC");
        }
        if (cpus == 1 && seenCpus > 1 && !collectors.contains(SERIAL)) {
            return Optional.of("this JVM made its collector and compiler threads for " + seenCpus
                    + " CPUs and now has one for all; fewer and larger executors suit this host better");
        }
        return Optional.empty();
    }

    /**
     * A JVM with UseNUMA that was not started inside its domain has spread its heap over all nodes.
     *
     * @param useNuma the JVM's own flag, which it switches off where it finds one node
     * @param near the nodes near the executor's CPUs
     * @param all the nodes of the machine
     */
    static Optional<String> ofNuma(boolean useNuma, NodeSet near, NodeSet all) {
        return useNuma && !near.containsAll(all)
                ? Optional.of("this JVM has UseNUMA and was started before it was bound: its heap is spread over nodes "
                        + all + ", and the CPUs of this executor are near " + near
                        + "; add -XX:-UseNUMA or the agent to"
                        + " spark.executor.extraJavaOptions")
                : Optional.empty();
    }
}

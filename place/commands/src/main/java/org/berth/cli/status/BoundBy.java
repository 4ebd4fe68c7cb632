package org.berth.cli.status;

import org.berth.observation.Reading;
import org.berth.observation.memory.ProcessMemoryPolicy;
import org.berth.topology.CpuSet;

/** What has bound a process, as far as it leaves a trace. */
enum BoundBy {
    /** {@code berth bind} has a record of it. */
    BIND("berth bind"),
    /** The agent is in it, also after {@code berth run} and {@code berth split}. */
    AGENT("agent"),
    /** A lease, and no agent: {@code berth run --domain} of a program that is no JVM, or a plugin. */
    LEASE("lease"),
    /** The mask of taskset, numactl, a batch system, or the process itself: it does not tell which. */
    MASK("inherited mask"),
    /** The process has all CPUs, and some of its threads have fewer. */
    THREADS("thread masks"),
    /** A memory policy without a mask, from numactl, a batch system, or the process itself. */
    POLICY("inherited policy"),
    CPUSET("cpuset"),
    NOTHING("nothing"),
    UNKNOWN("-");

    private final String word;

    BoundBy(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }

    /**
     * What is known of a process.
     *
     * @param recorded whether {@code berth bind} has a record of it
     * @param agent whether the agent is in it
     * @param cpus of all its threads together
     * @param masks how many masks its threads have
     * @param group CPUs of its cpuset
     * @param online CPUs of the machine
     */
    record Traces(
            boolean recorded,
            Reading<Boolean> agent,
            boolean leased,
            CpuSet cpus,
            int masks,
            Reading<CpuSet> group,
            CpuSet online,
            Reading<String> policy) {}

    static BoundBy of(Traces traces) {
        if (traces.recorded()) {
            return BIND;
        }
        if (traces.agent().orElse(false)) {
            return AGENT;
        }
        if (traces.leased()) {
            return LEASE;
        }
        CpuSet usable = traces.group().orElse(traces.online()).intersection(traces.online());
        boolean narrow = !traces.cpus().containsAll(usable);
        boolean policy = traces.policy().map(BoundBy::isSet).orElse(false);
        if (!narrow && traces.masks() < 2 && !policy) {
            return usable.containsAll(traces.online()) ? NOTHING : CPUSET;
        }
        boolean unknown = traces.agent().refusal().isPresent()
                || (narrow && traces.group().refusal().isPresent());
        if (unknown) {
            return UNKNOWN;
        }
        return narrow ? MASK : traces.masks() > 1 ? THREADS : POLICY;
    }

    private static boolean isSet(String policy) {
        return !ProcessMemoryPolicy.NONE.contains(policy);
    }
}

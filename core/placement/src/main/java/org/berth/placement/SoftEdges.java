package org.berth.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.berth.topology.CpuSet;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;

/**
 * Decides when threads may leave their slots: an edge is open while a thread waits for its CPU although another one is idle,
 * and while the JIT compilers wait. A pure step from sample to sample, so that decisions can be repeated from a recording.
 * Immutable.
 *
 * <ul>
 *   <li>Every edge is open at first, when nothing is known.
 *   <li>Time is <em>lost</em> in a slot while its threads wait and the CPUs of another slot in its reach are idle; of a sample
 *       the smaller of both times counts.
 *   <li>Some time seems lost with an open edge, too, when a thread waits and a CPU is idle one after the other in the same
 *       sample: that is what is <em>usual</em> there.
 *   <li>An edge opens when more has been lost in its slot than is usual and the settings tolerate, and all edges open when
 *       the compilers wait for long: with tasks on all CPUs, their threads do not wait longer, but the compilers do, and the
 *       tasks run slow code for longer (docs/background/benchmarks.md, the runs of SortBy).
 *   <li>An edge closes after a calm: time that its threads ran or waited, of which waiting compilers take back three times
 *       what they last.
 *   <li>One that opens soon after it has closed needs twice the calm the next time, so that an error becomes rare; one that
 *       stayed closed for long needs half of it.
 * </ul>
 *
 * @since 0.1.0
 */
public final class SoftEdges {
    /** An edge that stays closed for eight times its calm was right to close. */
    private static final int RELAPSE = 8;

    private final EdgeSettings settings;
    private final List<Integer> groups;
    private final EdgeSample last;
    private final List<Edge> edges;

    /**
     * Time above what is tolerated.
     *
     * @param nanos the excess
     * @param sum all of it since the excess was zero
     * @param elapsed time since then
     */
    private record Debt(long nanos, long sum, long elapsed) {
        static final Debt NONE = new Debt(0, 0, 0);

        Debt plus(long more, long time, double tolerated) {
            long excess = Math.max(0, nanos + more - (long) (time * tolerated));
            return excess == 0 ? NONE : new Debt(excess, sum + more, elapsed + time);
        }
    }

    /**
     * What is lost with an open edge, of the last seconds in which its threads had work.
     *
     * @param lost of these
     * @param nanos how long they were
     */
    private record Usual(long lost, long nanos) {
        static final Usual NOTHING = new Usual(0, 0);
        private static final long LIMIT_NANOS = 8_000_000_000L;

        Usual plus(long more, long time) {
            int divisor = nanos + time > LIMIT_NANOS ? 2 : 1;
            return new Usual((lost + more) / divisor, (nanos + time) / divisor);
        }

        double share() {
            return nanos == 0 ? 0 : (double) lost / nanos;
        }
    }

    /**
     * One edge.
     *
     * @param needed the calm before it closes
     * @param calm what it has of that
     * @param lost time lost while it is closed
     * @param compilers waiting of the compilers while it is closed
     * @param closedNanos for how long it has been closed
     * @param usual what is lost while it is open
     */
    private record Edge(
            boolean open, long needed, long calm, Debt lost, Debt compilers, long closedNanos, Usual usual) {
        static Edge open(long needed, long calm, Usual usual) {
            return new Edge(true, needed, calm, Debt.NONE, Debt.NONE, 0, usual);
        }

        static Edge closed(long needed, Debt lost, Debt compilers, long closedNanos, Usual usual) {
            return new Edge(false, needed, 0, lost, compilers, closedNanos, usual);
        }

        boolean isAlarmed() {
            return !open && (lost.nanos() > 0 || compilers.nanos() > 0);
        }
    }

    /**
     * What follows from a sample.
     *
     * @param next what to decide the next one by
     * @param elapsedNanos time since the sample before
     * @param changes the edges that change; usually none
     * @since 0.1.0
     */
    public record Step(SoftEdges next, long elapsedNanos, List<EdgeChange> changes) {
        /** Copies the list. */
        public Step {
            changes = List.copyOf(changes);
        }
    }

    private SoftEdges(EdgeSettings settings, List<Integer> groups, EdgeSample last, List<Edge> edges) {
        this.settings = settings;
        this.groups = groups;
        this.last = last;
        this.edges = edges;
    }

    /**
     * All edges open, by the first sample.
     *
     * @param groups for each slot a number from 0 and below that of the slots; slots with the same number have the same reach
     * @throws IllegalArgumentException when there are more or fewer groups than slots, or other numbers
     */
    public static SoftEdges start(EdgeSettings settings, List<Integer> groups, EdgeSample first) {
        if (groups.size() != first.slots().size()) {
            throw new IllegalArgumentException(
                    groups.size() + " groups for " + first.slots().size() + " slots");
        }
        if (groups.stream().anyMatch(group -> group < 0 || group >= groups.size())) {
            throw new IllegalArgumentException(
                    "groups " + groups + " of " + groups.size() + " slots: a group is a number from 0 and below that");
        }
        Edge edge = Edge.open(settings.calm().toNanos(), 0, Usual.NOTHING);
        return new SoftEdges(
                settings,
                List.copyOf(groups),
                first,
                first.slots().stream().map(slot -> edge).toList());
    }

    /**
     * The CPUs of a slot while its edge is open: those of its domain that share its last-level cache, else its NUMA node, else
     * all of the domain. An edge whose reach is the slot itself has no use.
     */
    public static CpuSet reach(Topology topology, CpuSet slot, CpuSet domain) {
        for (ObjectType type : List.of(ObjectType.L3_CACHE, ObjectType.NUMA_NODE)) {
            CpuSet reach = topology.objectsIntersecting(slot, type).stream()
                    .map(TopologyObject::cpuSet)
                    .reduce(slot, CpuSet::union)
                    .intersection(domain);
            if (reach.containsAll(slot) && !reach.equals(slot)) {
                return reach;
            }
        }
        return domain.containsAll(slot) ? domain : slot;
    }

    /** Whether threads may leave a slot. */
    public boolean isOpen(int slot) {
        return edges.get(slot).open();
    }

    /** Whether the next sample should come soon: a closed edge may have to open. */
    public boolean isAlarmed() {
        return edges.stream().anyMatch(Edge::isAlarmed);
    }

    /**
     * Decides by a further sample of the same slots.
     *
     * @throws IllegalArgumentException when it has other slots, or is older
     */
    public Step step(EdgeSample sample) {
        long elapsed = sample.timeNanos() - last.timeNanos();
        int count = edges.size();
        if (sample.slots().size() != count || elapsed < 0) {
            throw new IllegalArgumentException(
                    "a sample of " + sample.slots().size() + " slots, " + elapsed + " ns after one of " + count);
        }
        long compiling = Math.max(0, sample.compilerWaitNanos() - last.compilerWaitNanos()) / count;
        Idle idle = new Idle(sample);
        List<Edge> next = new ArrayList<>(count);
        List<EdgeChange> changes = new ArrayList<>();
        for (int slot = 0; slot < count; slot++) {
            SlotTimes times = more(sample, slot);
            long lost = Math.min(times.waitNanos(), idle.ofOthers(slot));
            Edge edge = edges.get(slot);
            next.add(
                    edge.open()
                            ? ifOpen(slot, edge, elapsed, times, lost, compiling, changes)
                            : ifClosed(slot, edge, elapsed, lost, compiling, changes));
        }
        return new Step(new SoftEdges(settings, groups, sample, next), elapsed, changes);
    }

    private SlotTimes more(EdgeSample sample, int slot) {
        return sample.slots().get(slot).since(last.slots().get(slot));
    }

    /** For each group the longest time that the CPUs of a slot were idle, of which slot, and the longest of the others. */
    private final class Idle {
        private final long[] most;
        private final long[] second;
        private final int[] idlest;

        Idle(EdgeSample sample) {
            int size = groups.stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
            most = new long[size];
            second = new long[size];
            idlest = new int[size];
            for (int slot = 0; slot < groups.size(); slot++) {
                long idle = more(sample, slot).idleNanos();
                int group = groups.get(slot);
                if (idle > most[group]) {
                    second[group] = most[group];
                    most[group] = idle;
                    idlest[group] = slot;
                } else {
                    second[group] = Math.max(second[group], idle);
                }
            }
        }

        long ofOthers(int slot) {
            int group = groups.get(slot);
            return idlest[group] == slot ? second[group] : most[group];
        }
    }

    /** Without work nothing is learnt, so the calm is counted in time that the slot has used. */
    private Edge ifOpen(
            int slot, Edge edge, long elapsed, SlotTimes times, long lost, long compiling, List<EdgeChange> changes) {
        long used = times.runNanos() + times.waitNanos();
        Usual usual = used > 0 ? edge.usual().plus(lost, elapsed) : edge.usual();
        double calm = edge.calm() + used - compiling / settings.calmCompilers();
        if (calm < edge.needed()) {
            return Edge.open(edge.needed(), Math.max(0, (long) calm), usual);
        }
        changes.add(new EdgeChange(
                slot, false, "worked or waited for " + millis(edge.needed()) + ", and compilers hardly waited"));
        return Edge.closed(edge.needed(), Debt.NONE, Debt.NONE, 0, usual);
    }

    private Edge ifClosed(int slot, Edge edge, long elapsed, long more, long compiling, List<EdgeChange> changes) {
        double usual = edge.usual().share();
        Debt lost = edge.lost().plus(more, elapsed, settings.toleratedShare() + usual);
        Debt waiting = edge.compilers().plus(compiling, elapsed, settings.toleratedCompilers());
        long closedNanos = edge.closedNanos() + elapsed;
        long limit = settings.openAfter().toNanos();
        if (lost.nanos() < limit && waiting.nanos() < limit) {
            return Edge.closed(edge.needed(), lost, waiting, closedNanos, edge.usual());
        }
        changes.add(new EdgeChange(
                slot,
                true,
                lost.nanos() >= limit
                        ? "waited " + millis(lost.sum()) + " of the last " + millis(lost.elapsed())
                                + " while the CPUs of another slot were idle ("
                                + millis((long) (lost.elapsed() * usual)) + " with an open edge)"
                        : "share their CPUs with compilers, which waited " + millis(waiting.sum() * edges.size())
                                + " of the last " + millis(waiting.elapsed())));
        boolean soon = closedNanos < RELAPSE * edge.needed();
        long needed = soon
                ? Math.min(2 * edge.needed(), settings.longestCalm().toNanos())
                : Math.max(edge.needed() / 2, settings.calm().toNanos());
        return Edge.open(needed, 0, edge.usual());
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.0f ms", nanos / 1e6);
    }
}

package org.berth.observation.internal.threads;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.berth.observation.ThreadSnapshot;
import org.berth.topology.CpuSet;

/**
 * The slots of threads; {@link Residency} counts how often they ran there. Immutable, provided the given functions
 * are.
 *
 * @since 0.1.0
 */
public final class Expectation {
    /** The state letter of a thread that runs or waits for a CPU (proc(5)). */
    private static final char RUNNING = 'R';

    private final Predicate<ThreadSnapshot> concerned;
    private final Function<ThreadSnapshot, CpuSet> slotOf;
    private final List<CpuSet> slots;

    private Expectation(
            Predicate<ThreadSnapshot> concerned, Function<ThreadSnapshot, CpuSet> slotOf, List<CpuSet> slots) {
        this.concerned = concerned;
        this.slotOf = slotOf;
        this.slots = List.copyOf(slots);
    }

    /** Nothing is expected of any thread, so no sample counts. */
    public static Expectation none() {
        return new Expectation(thread -> false, thread -> CpuSet.empty(), List.of());
    }

    /** Every thread is meant to run inside the set. */
    public static Expectation within(CpuSet cpus) {
        return new Expectation(thread -> true, thread -> cpus, List.of(cpus));
    }

    /**
     * Each of these threads, whenever it is running, is meant to be bound to exactly one of the slots and to run inside
     * it, as where every task gets a slot of its own and a thread runs many tasks. A thread that is running unbound, as
     * after a binding was lost, is out of place; one that sleeps between two tasks does not count.
     */
    public static Expectation bound(Predicate<ThreadSnapshot> threads, List<CpuSet> slots) {
        Set<CpuSet> copy = Set.copyOf(slots);
        return new Expectation(
                thread -> thread.state() == RUNNING && threads.test(thread),
                thread -> copy.contains(thread.allowed()) ? thread.allowed() : CpuSet.empty(),
                slots);
    }

    /**
     * The sets that were given, in their order: one of {@link #within}, those of {@link #bound}; empty when nothing is
     * expected.
     */
    public List<CpuSet> slots() {
        return slots;
    }

    boolean concerns(ThreadSnapshot thread) {
        return concerned.test(thread);
    }

    /** The CPUs on which the thread should run; empty for one that is bound to no slot. */
    CpuSet slotOf(ThreadSnapshot thread) {
        return slotOf.apply(thread);
    }
}

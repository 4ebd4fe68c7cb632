package org.berth.observation;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
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
    private final Function<ThreadSnapshot, List<CpuSet>> slotsOfThread;
    private final List<CpuSet> slots;

    private Expectation(
            Predicate<ThreadSnapshot> concerned,
            Function<ThreadSnapshot, List<CpuSet>> slotsOfThread,
            List<CpuSet> slots) {
        this.concerned = concerned;
        this.slotsOfThread = slotsOfThread;
        this.slots = List.copyOf(slots);
    }

    /** Nothing is expected of any thread, so no sample counts. */
    public static Expectation none() {
        return new Expectation(thread -> false, thread -> List.of(), List.of());
    }

    /** Every thread is meant to run inside the set. */
    public static Expectation within(CpuSet cpus) {
        return new Expectation(thread -> true, thread -> List.of(cpus), List.of(cpus));
    }

    /** Each thread, known by its id or name, has a set of its own; samples of threads without one do not count. */
    public static Expectation perThread(Function<ThreadSnapshot, Optional<CpuSet>> cpus) {
        return new Expectation(
                thread -> cpus.apply(thread).isPresent(),
                thread -> cpus.apply(thread).map(List::of).orElse(List.of()),
                List.of());
    }

    /**
     * Each of these threads is meant to stay in one of the slots, and cannot be known from outside in which one. The
     * slot in which it ran most often is taken as its own, so a thread that roams over four slots reaches about a
     * quarter, and one that never leaves the first slot that it got reaches one. With a single slot, or slots that are
     * all alike, this is {@link #within}.
     */
    public static Expectation slots(Predicate<ThreadSnapshot> threads, List<CpuSet> slots) {
        List<CpuSet> copy = List.copyOf(slots);
        return new Expectation(threads, thread -> copy, copy);
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
                thread -> List.of(copy.contains(thread.allowed()) ? thread.allowed() : CpuSet.empty()),
                slots);
    }

    /**
     * The sets that were given, in their order: one of {@link #within}, those of {@link #slots} and {@link #bound}; empty when
     * nothing is expected, or of each thread something else.
     */
    public List<CpuSet> slots() {
        return slots;
    }

    boolean concerns(ThreadSnapshot thread) {
        return concerned.test(thread);
    }

    /** The sets of which the thread has one. */
    List<CpuSet> slotsOfThread(ThreadSnapshot thread) {
        return slotsOfThread.apply(thread);
    }
}

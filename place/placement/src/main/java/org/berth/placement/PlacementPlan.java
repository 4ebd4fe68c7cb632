package org.berth.placement;

import java.util.BitSet;
import java.util.List;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * A slot for every thread of every worker, with the reason for each. Immutable and thread-safe; each {@code with…} method returns a
 * changed copy.
 *
 * @since 0.1.0
 */
public final class PlacementPlan {
    private final Parts parts;

    private PlacementPlan(Parts parts) {
        this.parts = parts;
    }

    /** Each part is checked where it is set, the slots once. */
    private record Parts(
            AffinityLevel level,
            MemoryMode memory,
            CpuSet allowed,
            boolean oversubscribed,
            List<Slot> slots,
            List<ThreadRule> rules,
            List<String> notes) {}

    /**
     * A plan without rules and notes, in which no thread has to share.
     *
     * @param level how tightly the slots bind; for a {@link DevicePolicy}, the most similar level
     * @param memory how memory follows
     * @param allowed the CPUs that the plan had to choose from; every slot lies inside
     * @param slots in order of their index, at least one
     * @throws IllegalArgumentException when the parts contradict each other
     */
    public static PlacementPlan of(AffinityLevel level, MemoryMode memory, CpuSet allowed, List<Slot> slots) {
        if (allowed.isInfinite()) {
            throw new IllegalArgumentException("the allowed CPUs of a plan are a finite set");
        }
        List<Slot> own = List.copyOf(slots);
        requireGoodSlots(allowed, own);
        return new PlacementPlan(new Parts(level, memory, allowed, false, own, List.of(), List.of()));
    }

    /** The same, with whether threads have to share what the level or policy would give to one thread alone. */
    public PlacementPlan withOversubscribed(boolean oversubscribed) {
        return new PlacementPlan(new Parts(
                parts.level, parts.memory, parts.allowed, oversubscribed, parts.slots, parts.rules, parts.notes));
    }

    /** The same with these thread names that get single slots; IllegalArgumentException for a role that no slot has. */
    public PlacementPlan withRules(List<ThreadRule> rules) {
        for (ThreadRule rule : rules) {
            if (parts.slots.stream().noneMatch(slot -> slot.role().equals(rule.role()))) {
                throw new IllegalArgumentException(
                        "thread rule '" + rule.glob() + "' hands out role '" + rule.role() + "', which no slot has");
            }
        }
        return new PlacementPlan(new Parts(
                parts.level,
                parts.memory,
                parts.allowed,
                parts.oversubscribed,
                parts.slots,
                List.copyOf(rules),
                parts.notes));
    }

    /** The same with what the user should know, one line each; IllegalArgumentException for one that is empty or no line. */
    public PlacementPlan withNotes(List<String> notes) {
        for (String note : notes) {
            if (PlanLine.requireFreeText("note", note).isEmpty()) {
                throw new IllegalArgumentException("a note is empty");
            }
        }
        return new PlacementPlan(new Parts(
                parts.level,
                parts.memory,
                parts.allowed,
                parts.oversubscribed,
                parts.slots,
                parts.rules,
                List.copyOf(notes)));
    }

    /** How tightly the slots bind; for a {@link DevicePolicy}, the most similar level. */
    public AffinityLevel level() {
        return parts.level;
    }

    /** How memory follows. */
    public MemoryMode memory() {
        return parts.memory;
    }

    /** The CPUs that the plan had to choose from; every slot lies inside. */
    public CpuSet allowed() {
        return parts.allowed;
    }

    /** Whether threads have to share what the level or policy would give to one thread alone. */
    public boolean oversubscribed() {
        return parts.oversubscribed;
    }

    /** All slots, in order of their index. */
    public List<Slot> slots() {
        return parts.slots;
    }

    /** Thread names that get single slots. */
    public List<ThreadRule> rules() {
        return parts.rules;
    }

    /** What the user should know: sharing, missing levels, compromises; one line each. */
    public List<String> notes() {
        return parts.notes;
    }

    /** Number of workers. */
    public int workers() {
        return parts.slots.stream().mapToInt(Slot::worker).max().orElse(-1) + 1;
    }

    /**
     * Slots of one worker in order of their index.
     *
     * @throws PlacementException when the plan has no such worker
     */
    public List<Slot> workerSlots(int worker) {
        List<Slot> result =
                parts.slots.stream().filter(slot -> slot.worker() == worker).toList();
        if (result.isEmpty()) {
            throw new PlacementException(
                    "the plan has no worker " + worker + ": its workers are 0 to " + (workers() - 1));
        }
        return result;
    }

    /** Union over all workers. */
    public CpuSet cpus() {
        return union(parts.slots);
    }

    /** Union over the slots of one worker: the mask of its process. */
    public CpuSet workerCpus(int worker) {
        return union(workerSlots(worker));
    }

    /** Union over the slots of one worker: the nodes of its memory policy. */
    public NodeSet workerNodes(int worker) {
        NodeSet result = NodeSet.empty();
        for (Slot slot : workerSlots(worker)) {
            result = result.containsAll(slot.memoryNodes()) ? result : result.union(slot.memoryNodes());
        }
        return result;
    }

    /** Versioned text, one item per line, that {@link #parse} and the agent read; ends with a line break. */
    public String toText() {
        return PlanText.write(this);
    }

    /**
     * The plan that was written with {@link #toText}; lines that start with {@code #} and empty ones are skipped.
     *
     * @throws PlacementException one line with the line number, when anything is not as it should be
     */
    public static PlacementPlan parse(String text) {
        return new PlanParser(text).parse();
    }

    private static CpuSet union(List<Slot> slots) {
        CpuSet result = CpuSet.empty();
        for (Slot slot : slots) {
            result = result.containsAll(slot.cpus()) ? result : result.union(slot.cpus());
        }
        return result;
    }

    private static void requireGoodSlots(CpuSet allowed, List<Slot> slots) {
        if (slots.isEmpty()) {
            throw new IllegalArgumentException("a plan needs at least one slot");
        }
        BitSet workers = new BitSet();
        for (int i = 0; i < slots.size(); i++) {
            Slot slot = slots.get(i);
            if (slot.index() != i) {
                throw new IllegalArgumentException("slot " + slot.index() + " stands at position " + i);
            }
            if (!allowed.containsAll(slot.cpus())) {
                throw new IllegalArgumentException("slot " + i + " has CPUs "
                        + slot.cpus().minus(allowed) + " outside the allowed set " + allowed);
            }
            if (slot.worker() >= slots.size()) {
                throw new IllegalArgumentException("slot " + i + " belongs to worker " + slot.worker()
                        + ", but there are only " + slots.size() + " slots");
            }
            workers.set(slot.worker());
        }
        if (workers.nextClearBit(0) < workers.length()) {
            throw new IllegalArgumentException("worker " + workers.nextClearBit(0) + " has no slot");
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PlacementPlan plan && parts.equals(plan.parts);
    }

    @Override
    public int hashCode() {
        return parts.hashCode();
    }

    /** The text of {@link #toText}, which people can read, too. */
    @Override
    public String toString() {
        return toText();
    }
}

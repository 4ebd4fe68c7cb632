package org.berth.binding.internal;

import java.util.List;
import org.berth.topology.CpuSet;

/**
 * The number of users of each slot; the next slot is the one whose CPUs have the fewest, then whose core has. Thread-safe.
 *
 * <p>{@code slot_use.c} does the same for thread rules.
 */
public final class SlotUse {
    private static final int NO_CORE = -1;

    private final List<CpuSet> slots;
    private final int[] cores;
    private final int[] users;

    /** Users of slots that have a CPU of this slot. */
    private final int[] onCpus;

    /** Users of all slots of the same core, or with a CPU in common. */
    private final int[] onCore;

    /**
     * Starts without users.
     *
     * @param slots the CPUs of each
     * @param cores CPUs of the cores; a slot that is in none of them is judged by the users of slots with a CPU in common
     * @throws IllegalArgumentException when there is no slot
     */
    public SlotUse(List<CpuSet> slots, List<CpuSet> cores) {
        if (slots.isEmpty()) {
            throw new IllegalArgumentException("there must be at least one slot");
        }
        this.slots = List.copyOf(slots);
        this.cores = slots.stream().mapToInt(slot -> coreOf(slot, cores)).toArray();
        users = new int[slots.size()];
        onCpus = new int[slots.size()];
        onCore = new int[slots.size()];
    }

    private static int coreOf(CpuSet slot, List<CpuSet> cores) {
        for (int core = 0; core < cores.size(); core++) {
            if (cores.get(core).containsAll(slot)) {
                return core;
            }
        }
        return NO_CORE;
    }

    /** The number, from 0, of the first slot that is used least, which then has one more user. */
    public synchronized int take() {
        int least = 0;
        for (int slot = 1; slot < users.length; slot++) {
            least = isLessUsed(slot, least) ? slot : least;
        }
        count(least, 1);
        return least;
    }

    /** This slot, which then has one more user. */
    public synchronized int take(int slot) {
        count(slot, 1);
        return slot;
    }

    private boolean isLessUsed(int slot, int other) {
        if (onCpus[slot] != onCpus[other]) {
            return onCpus[slot] < onCpus[other];
        }
        return onCore[slot] != onCore[other] ? onCore[slot] < onCore[other] : users[slot] < users[other];
    }

    /**
     * The slot has one user less.
     *
     * @throws IllegalStateException when it has none
     */
    public synchronized void release(int slot) {
        if (users[slot] == 0) {
            throw new IllegalStateException("slot " + slot + " is released more often than taken");
        }
        count(slot, -1);
    }

    private void count(int used, int change) {
        users[used] += change;
        for (int slot = 0; slot < users.length; slot++) {
            boolean oneCore = slot == used || (cores[used] != NO_CORE && cores[slot] == cores[used]);
            // Slots of one core only can have a CPU in common with one of several.
            boolean common = (oneCore || cores[used] == NO_CORE || cores[slot] == NO_CORE)
                    && slots.get(slot).intersects(slots.get(used));
            onCore[slot] += oneCore || common ? change : 0;
            onCpus[slot] += common ? change : 0;
        }
    }
}

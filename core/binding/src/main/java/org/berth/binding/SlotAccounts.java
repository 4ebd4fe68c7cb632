package org.berth.binding;

/**
 * Which slots are in use, and by how many at a time: the least used one is next. Knows nothing of threads or CPUs; for
 * those who bind by themselves. {@link ThreadPlaces} binds, too. Thread-safe.
 */
public final class SlotAccounts {
    private final int[] users;
    private long taken;
    private long shared;

    /**
     * A slot that was handed out.
     *
     * @param slot its number, from 0
     * @param sharedSoFar 0 when nobody else uses it; else how often a used slot has been handed out, this time included
     */
    public record Taken(int slot, long sharedSoFar) {}

    /**
     * All slots free.
     *
     * @param slots how many, at least one
     * @throws IllegalArgumentException when there is none
     */
    public SlotAccounts(int slots) {
        if (slots < 1) {
            throw new IllegalArgumentException("there must be at least one slot, not " + slots);
        }
        users = new int[slots];
    }

    /**
     * The slot with the fewest users; give it back with {@link #release}.
     *
     * @param preferred taken when no other has fewer users: a thread that comes back to where it was need not move
     */
    public synchronized Taken take(int preferred) {
        int least = preferred;
        for (int slot = 0; slot < users.length; slot++) {
            if (users[slot] < users[least]) {
                least = slot;
            }
        }
        taken++;
        if (users[least]++ == 0) {
            return new Taken(least, 0);
        }
        shared++;
        return new Taken(least, shared);
    }

    /**
     * Gives a slot back once.
     *
     * @throws IllegalStateException when nobody uses the slot
     */
    public synchronized void release(int slot) {
        if (users[slot] == 0) {
            throw new IllegalStateException("slot " + slot + " is given back more often than taken");
        }
        users[slot]--;
    }

    /** How often a slot has been handed out. */
    public synchronized long taken() {
        return taken;
    }

    /** How often a slot that was in use already has been handed out. */
    public synchronized long shared() {
        return shared;
    }
}

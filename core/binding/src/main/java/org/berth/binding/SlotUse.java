package org.berth.binding;

/** The number of users of each slot; the slot with the fewest is next. Thread-safe. */
final class SlotUse {
    private final int[] users;

    /** @throws IllegalArgumentException when there is no slot */
    SlotUse(int slots) {
        if (slots < 1) {
            throw new IllegalArgumentException("there must be at least one slot, not " + slots);
        }
        users = new int[slots];
    }

    /** The number, from 0, of the first slot with the fewest users, which then has one more. */
    synchronized int take() {
        int least = 0;
        for (int slot = 1; slot < users.length; slot++) {
            least = users[slot] < users[least] ? slot : least;
        }
        users[least]++;
        return least;
    }

    /** @throws IllegalStateException when the slot has no user */
    synchronized void release(int slot) {
        if (users[slot] == 0) {
            throw new IllegalStateException("slot " + slot + " is given back more often than taken");
        }
        users[slot]--;
    }
}

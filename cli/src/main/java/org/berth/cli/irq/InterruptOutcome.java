package org.berth.cli.irq;

import org.berth.placement.InterruptMove;

/**
 * What became of a move.
 *
 * @param problem one line; empty when there was none
 */
record InterruptOutcome(InterruptMove move, Result result, String problem) {
    enum Result {
        PLANNED,
        MOVED,
        /** The kernel keeps it where it is. */
        MANAGED,
        FAILED
    }

    /** "IRQ 41 virtio2-input.0: CPU 3 -> 0 (a network adapter's, to package L#0)". */
    String words() {
        String start =
                "IRQ " + move.interrupt().number() + " " + move.interrupt().action() + ": ";
        String way = "CPU " + move.interrupt().effective() + " -> " + move.to() + " (" + move.reason() + ")";
        return switch (result) {
            case PLANNED -> start + "would go " + way;
            case MOVED -> start + way;
            case MANAGED -> start + "stays, as the kernel manages it (EIO)";
            case FAILED -> start + problem;
        };
    }
}

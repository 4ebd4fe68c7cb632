package org.berth.cli.irq;

import org.berth.placement.internal.dynamic.InterruptMove;

/**
 * The result of moving an interrupt.
 *
 * @param problem one line; empty without a problem
 */
record InterruptOutcome(InterruptMove move, Result result, String problem) {
    enum Result {
        PLANNED,
        MOVED,
        /** The kernel manages it and refuses to move it. */
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
            case MANAGED -> start + "stays, since the kernel manages it (EIO)";
            case FAILED -> start + problem;
        };
    }
}

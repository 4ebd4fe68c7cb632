package org.berth.placement.internal.dynamic;

/**
 * How near a core is to those that handle a device's interrupts; the nearest first.
 *
 * @since 0.1.0
 */
public enum InterruptRelation {
    /** One of the interrupt-handling cores itself. */
    SAME('S'),
    /** Another core that shares a cache with one of them. */
    CACHE('C'),
    /** A core of the same memory node as one of them, without a common cache. */
    MEMORY('M'),
    /** A core of another memory node. */
    REMOTE('N');

    private final char letter;

    InterruptRelation(char letter) {
        this.letter = letter;
    }

    /** S, C, M or N. */
    public char letter() {
        return letter;
    }
}

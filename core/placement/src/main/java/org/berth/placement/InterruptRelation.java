package org.berth.placement;

/**
 * How near a core is to those that handle a device's interrupts; the nearest first.
 *
 * @since 0.1.0
 */
public enum InterruptRelation {
    /** One of the interrupt-handling cores itself. */
    SAME('S', "the core that handles its interrupts"),
    /** Another core that shares a cache with one of them. */
    CACHE('C', "shares a cache with the core that handles its interrupts"),
    /** A core of the same memory node as one of them, without a common cache. */
    MEMORY('M', "on the memory node of the core that handles its interrupts"),
    /** A core of another memory node. */
    REMOTE('N', "on another memory node than the core that handles its interrupts");

    private final char letter;
    private final String meaning;

    InterruptRelation(char letter, String meaning) {
        this.letter = letter;
        this.meaning = meaning;
    }

    /** S, C, M or N. */
    public char letter() {
        return letter;
    }

    /** Its meaning for a core, without a full stop. */
    public String meaning() {
        return meaning;
    }
}

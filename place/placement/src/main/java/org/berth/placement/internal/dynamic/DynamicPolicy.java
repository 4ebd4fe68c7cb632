package org.berth.placement.internal.dynamic;

import org.berth.placement.PlacementException;
import org.berth.placement.internal.Choice;
import org.berth.text.Words;

/**
 * A rule for the place of a thread that starts to serve a disk and a network peer.
 *
 * @since 0.1.0
 */
public enum DynamicPolicy {
    /**
     * The policy of the paper that {@link AffinityClass} names: (1) on the disk's interrupt-handling core if that is
     * idle; (2) else on the first idle core in the order
     * {@link AffinityClass#DC}, DM, DN, NC, NM, NN; (3) never on {@link AffinityClass#NS}.
     */
    INTERRUPT("the disk's interrupt core, else the nearest idle one, never the network's"),
    /** Anywhere on the memory node of the disk, whatever the load. */
    NODE("anywhere on the disk's memory node"),
    /** Leaves the thread to the kernel. */
    NONE("wherever the kernel puts it");

    private final String meaning;

    DynamicPolicy(String meaning) {
        this.meaning = meaning;
    }

    /** The name that users write, in lower case. */
    public String word() {
        return Words.of(this);
    }

    /** Its effect in a few words, without a full stop. */
    public String meaning() {
        return meaning;
    }

    /**
     * The policy that a user named; {@code paper} is an alias of {@code interrupt}.
     *
     * @throws PlacementException one line with the choices, when there is no such policy
     */
    public static DynamicPolicy parse(String text) {
        return text.equals("paper") ? INTERRUPT : Choice.parse("policy", text, values(), PlacementException::new);
    }
}

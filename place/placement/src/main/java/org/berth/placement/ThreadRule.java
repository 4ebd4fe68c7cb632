package org.berth.placement;

import org.berth.observation.internal.threads.ThreadNamePattern;

/**
 * Threads whose complete name matches the glob take single slots of the role.
 *
 * @param glob {@code *} is any text, {@code ?} is one character, everything else is itself; case counts
 * @param role a word that slots of the plan have
 * @since 0.1.0
 */
public record ThreadRule(String glob, String role) {
    /** @throws IllegalArgumentException for a control character in the glob or a role that is no word */
    public ThreadRule {
        PlanLine.requireFreeText("thread rule", glob);
        PlanLine.requireRole(role);
    }

    /** A rule that hands out the plan's ordinary slots. */
    public static ThreadRule of(String glob) {
        return new ThreadRule(glob, Slot.TASK);
    }

    /** Whether a thread with this complete name matches the rule. */
    public boolean matches(String threadName) {
        return ThreadNamePattern.of(glob).matches(threadName);
    }
}

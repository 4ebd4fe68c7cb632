package org.berth.placement;

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

    /** Whether a thread of that complete name falls under this rule. */
    public boolean matches(String threadName) {
        int[] pattern = glob.codePoints().toArray();
        int[] name = threadName.codePoints().toArray();
        int p = 0;
        int n = 0;
        int star = -1;
        int starName = 0;
        // Only the last star need be taken back: an earlier one that took more could not match more.
        while (n < name.length) {
            if (p < pattern.length && pattern[p] == '*') {
                star = p++;
                starName = n;
            } else if (p < pattern.length && (pattern[p] == '?' || pattern[p] == name[n])) {
                p++;
                n++;
            } else if (star >= 0) {
                p = star + 1;
                n = ++starName;
            } else {
                return false;
            }
        }
        while (p < pattern.length && pattern[p] == '*') {
            p++;
        }
        return p == pattern.length;
    }
}

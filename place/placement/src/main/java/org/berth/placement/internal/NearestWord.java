package org.berth.placement.internal;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The word that a user probably meant: an option, a command, a setting. A pure function. */
public final class NearestWord {
    private static final int MAX_EDITS = 2;

    private NearestWord() {}

    /** The known word with the fewest edits, if these are at most two and at most a third of its letters. */
    public static Optional<String> of(String word, Collection<String> known) {
        return known.stream()
                .filter(one -> edits(word, one) <= Math.min(MAX_EDITS, one.length() / 3))
                .min(Comparator.comparingInt(one -> edits(word, one)));
    }

    /** The end of a message about a word that is not known: "; did you mean 'x'?", or nothing. */
    public static String hint(String word, Collection<String> known) {
        return of(word, known).map(one -> "; did you mean '" + one + "'?").orElse("");
    }

    /** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
    private static int edits(String from, String to) {
        int[][] cost = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int replaced = cost[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                cost[i][j] = Math.min(replaced, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
                boolean swapped = i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1);
                cost[i][j] = swapped ? Math.min(cost[i][j], 1 + cost[i - 2][j - 2]) : cost[i][j];
            }
        }
        return cost[from.length()][to.length()];
    }
}

package org.berth.drawing.internal.text;

import java.util.List;

/**
 * Colours that tell threads apart. The first ones keep a contrast of 3 to 1 on white and have a counterpart for dark pages;
 * most colour-blind readers can tell them apart. Pure.
 */
public final class Palette {
    /** How many colours are for light and dark pages; the others are for white paper only. */
    public static final int ON_BOTH = 8;

    public static final String OTHERS = "#77808a";
    public static final String OTHERS_ON_DARK = "#7c8792";

    private static final List<String> THREADS = List.of(
            "#3d75b5", "#d9575f", "#2c8a45", "#a8820f", "#2a93b0", "#a8408a", "#d0702a", "#7163b8", "#99bb55",
            "#cc99cc", "#885522", "#009988", "#222255", "#ffaabb", "#77bb77", "#887700", "#225588", "#dd88cc",
            "#bb4400", "#555588", "#557733", "#996699", "#ccaa88", "#55bbaa");

    private static final List<String> THREADS_ON_DARK =
            List.of("#6fa3de", "#f0868c", "#5dbd77", "#d9b64a", "#5cc2dd", "#d97fbf", "#f09a5a", "#a397e6");

    /** The same idea in a terminal's 256 colours, readable behind black letters. */
    private static final int[] TERMINAL = {75, 210, 77, 185, 117, 176, 215, 147, 150, 182, 180, 79};

    private Palette() {}

    /** How many threads get a colour of their own. */
    public static int size() {
        return THREADS.size();
    }

    /** The colour of a thread on white. */
    public static String thread(int rank) {
        return rank < THREADS.size() ? THREADS.get(rank) : OTHERS;
    }

    /** The counterpart of one of the first colours on a dark page. */
    public static String threadOnDark(int rank) {
        return THREADS_ON_DARK.get(rank);
    }

    /** Text on a background; index counts CPUs or nodes and wraps around. */
    public static String onBackground(String text, int index) {
        return "\u001b[30;48;5;" + TERMINAL[Math.floorMod(index, TERMINAL.length)] + "m" + text + "\u001b[0m";
    }
}

package org.berth.drawing.text;

import java.util.List;

/** Colours that are told apart on white paper; the first twelve also by most colour-blind readers. */
public final class Palette {
    private static final List<String> THREADS = List.of(
            "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#ee7733", "#222255", "#99bb55",
            "#cc99cc", "#885522", "#009988", "#7788cc", "#ffaabb", "#77bb77", "#887700", "#225588", "#dd88cc",
            "#bb4400", "#555588", "#557733", "#996699", "#ccaa88", "#55bbaa");

    /** The same idea in a terminal's 256 colours, readable behind black letters. */
    private static final int[] TERMINAL = {75, 210, 77, 185, 117, 176, 215, 147, 150, 182, 180, 79};

    public static final String OTHERS = "#b0b0b0";

    private Palette() {}

    /** How many threads get a colour of their own. */
    public static int size() {
        return THREADS.size();
    }

    public static String thread(int rank) {
        return rank < THREADS.size() ? THREADS.get(rank) : OTHERS;
    }

    /** Text on a background; index counts CPUs or nodes and wraps around. */
    public static String onBackground(String text, int index) {
        return "\u001b[30;48;5;" + TERMINAL[Math.floorMod(index, TERMINAL.length)] + "m" + text + "\u001b[0m";
    }
}

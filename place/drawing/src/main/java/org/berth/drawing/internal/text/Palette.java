package org.berth.drawing.internal.text;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Colours that tell threads apart, eight for light and eight for dark pages. Any two of them differ for readers with each of
 * the three kinds of colour blindness (CIEDE2000 above 12, {@code PaletteTest}), and each has a contrast of 3 to 1 to its page.
 * Pure.
 */
public final class Palette {
    /** How many colours there are. */
    public static final int SIZE = 8;

    public static final String OTHERS = "#77808a";
    public static final String OTHERS_ON_DARK = "#7c8792";

    private static final List<String> THREADS =
            List.of("#1c38bd", "#d63468", "#517115", "#ac8928", "#2096b6", "#681952", "#780500", "#7953ed");

    private static final List<String> THREADS_ON_DARK =
            List.of("#7f8fee", "#ff8732", "#21a775", "#ffea6b", "#56d3c4", "#8560b3", "#b36706", "#d0baff");

    /** The same idea in a terminal's 256 colours, readable behind black letters. */
    private static final int[] TERMINAL = {75, 210, 77, 185, 117, 176, 215, 147, 150, 182, 180, 79};

    private Palette() {}

    /** A colour on white. */
    public static String thread(int colour) {
        return THREADS.get(colour);
    }

    /** Its counterpart on a dark page. */
    public static String threadOnDark(int colour) {
        return THREADS_ON_DARK.get(colour);
    }

    /**
     * The numbers of the colours of threads: those of equal pictures are equal, because a name chooses its colour, and a
     * later name takes the next one that is free.
     *
     * @param names at most {@link #SIZE}
     */
    public static int[] byName(List<String> names) {
        int[] colours = new int[names.size()];
        boolean[] taken = new boolean[SIZE];
        List<Integer> order = IntStream.range(0, names.size())
                .boxed()
                .sorted(Comparator.comparing(names::get))
                .toList();
        for (int index : order) {
            int colour = Math.floorMod(names.get(index).hashCode(), SIZE);
            while (taken[colour]) {
                colour = (colour + 1) % SIZE;
            }
            taken[colour] = true;
            colours[index] = colour;
        }
        return colours;
    }

    /** Text on a background; index counts CPUs or nodes and wraps around. */
    public static String onBackground(String text, int index) {
        return "\u001b[" + background(index) + "m" + text + "\u001b[0m";
    }

    /** The same as parameters of SGR. */
    static String background(int index) {
        return "30;48;5;" + TERMINAL[Math.floorMod(index, TERMINAL.length)];
    }
}

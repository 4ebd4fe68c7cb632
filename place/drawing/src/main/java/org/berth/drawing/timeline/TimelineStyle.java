package org.berth.drawing.timeline;

import org.berth.drawing.internal.text.Palette;

/** The style sheet of a timeline, for light and dark pages: {@code .t0} fills with a thread's colour, {@code .m0} draws a line in it. */
final class TimelineStyle {
    private static final String LIGHT = """
            text { font: 13px "DejaVu Sans", Helvetica, sans-serif; fill: #1d2733; }
            .title { font-size: 17px; font-weight: bold; }
            .strong { font-weight: bold; }
            .quiet { fill: #556070; }
            .end { text-anchor: end; }
            .middle { text-anchor: middle; }
            .page { fill: #ffffff; }
            .band { fill: #f3f6fa; }
            .other { fill: #fbf3e4; }
            .forbidden { fill: #dde1e6; }
            line { stroke: #d3d9e1; }
            .edge { stroke: #7c8896; }
            .move { fill: none; stroke-width: 1.2; opacity: 0.6; }
            """;

    private static final String DARK = """
            @media (prefers-color-scheme: dark) {
            text { fill: #e4e9ef; }
            .quiet { fill: #a9b4c0; }
            .page { fill: #14181d; }
            .band { fill: #1c222a; }
            .other { fill: #29251c; }
            .forbidden { fill: #3a4048; }
            line { stroke: #343c46; }
            .edge { stroke: #8793a1; }
            """;

    private TimelineStyle() {}

    static String css() {
        StringBuilder css = new StringBuilder(LIGHT);
        for (int colour = 0; colour < Palette.SIZE; colour++) {
            colour(css, colour, Palette.thread(colour));
        }
        css.append(".others { fill: ").append(Palette.OTHERS).append("; }\n").append(DARK);
        for (int colour = 0; colour < Palette.SIZE; colour++) {
            colour(css, colour, Palette.threadOnDark(colour));
        }
        return css.append(".others { fill: ")
                .append(Palette.OTHERS_ON_DARK)
                .append("; }\n}\n")
                .toString();
    }

    private static void colour(StringBuilder css, int number, String colour) {
        css.append(".t%1$d { fill: %2$s; }\n.m%1$d { stroke: %2$s; }\n".formatted(number, colour));
    }
}

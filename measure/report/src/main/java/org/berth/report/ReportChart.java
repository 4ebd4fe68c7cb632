package org.berth.report;

import java.util.List;
import org.berth.drawing.internal.svg.Markup;
import org.berth.drawing.internal.text.Axis;
import org.berth.report.comparison.Quantity;
import org.berth.text.Words;

/** What the report's pictures have in common. Widths are in percent of the picture, heights in pixels. */
final class ReportChart {
    /** Longer names are cut in pictures; tables have all of them. */
    static final int NAME_LENGTH = 14;

    /** Colours and shapes; further arms have those of the first ones. */
    static final int MARKERS = 8;

    private static final double EDGE_PERCENT = 8;
    private static final double MARGIN_PERCENT = 3;

    private ReportChart() {}

    /** Unique on the page: each number that is compared has the same pictures. */
    static String id(String name, int index) {
        return index == 0 ? name : name + index;
    }

    /** ": NAME" where several numbers are compared. */
    static String of(ReportData data, Quantity quantity) {
        return data.judged().size() > 1 ? ": " + quantity.name() : "";
    }

    /** Opens a picture with its caption; {@link #end} closes it. */
    static void begin(Markup out, String id, String title, String description, int height) {
        out.open("figure", "class", "card").leaf("h3", title);
        picture(out, id, title, description, height);
    }

    /** Opens a picture alone. */
    static void picture(Markup out, String id, String title, String description, int height) {
        out.open(
                "svg",
                "class",
                "chart",
                "role",
                "img",
                "aria-labelledby",
                id + "-title " + id + "-desc",
                "width",
                "100%",
                "height",
                Integer.toString(height));
        out.leaf("title", title, "id", id + "-title").leaf("desc", description, "id", id + "-desc");
    }

    static void end(Markup out, String note) {
        out.close().leaf("figcaption", note).close();
    }

    /** Marks along the bottom, with lines upward. */
    static void axis(Markup out, Axis scale, int top, int bottom, String unit) {
        List<Double> marks = scale.marks();
        for (double mark : marks) {
            double place = percent(scale, mark);
            String x = Markup.percent(place);
            line(out, "grid", x, top, x, bottom);
            // At the edges a text in the middle of its mark would be cut off.
            String anchor = place < EDGE_PERCENT ? "tick" : place > 100 - EDGE_PERCENT ? "tick end" : "tick middle";
            text(out, anchor, x, bottom + 16, scale.label(mark) + unit);
        }
    }

    static void line(Markup out, String style, String x1, double y1, String x2, double y2) {
        out.empty("line", "class", style, "x1", x1, "y1", Markup.number(y1), "x2", x2, "y2", Markup.number(y2));
    }

    /** y is the baseline. */
    static void text(Markup out, String style, String x, double y, String text) {
        out.leaf("text", text, "class", style, "x", x, "y", Markup.number(y));
    }

    /** Arms differ in shape as well as in colour. */
    static void marker(Markup out, int arm, String style, String x, double y, String tooltip) {
        out.open("svg", "x", x, "y", Markup.number(y), "overflow", "visible", "width", "1", "height", "1");
        out.open("path", "class", "arm" + arm % MARKERS + " " + style, "d", shape(arm % MARKERS));
        out.leaf("title", tooltip).close().close();
    }

    private static String shape(int arm) {
        return switch (arm) {
            case 0 -> "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z";
            case 1 -> "M-4.5 -4.5h9v9h-9z";
            case 2 -> "M0 -6L6 0L0 6L-6 0z";
            case 3 -> "M0 -5.5L5.5 4.5H-5.5z";
            case 4 -> "M-5.5 -4.5H5.5L0 5.5z";
            case 5 -> "M-2 -6h4v4h4v4h-4v4h-4v-4h-4v-4h4z";
            case 6 -> "M-6 -2.5h12v5h-12z";
            default -> "M-2.5 -6h5v12h-5z";
        };
    }

    /** Names and shapes of all arms. */
    static void legend(Markup out, ReportData data) {
        out.open("ul", "class", "legend");
        for (int i = 0; i < data.arms().size(); i++) {
            out.open("li").open("svg", "width", "16", "height", "14", "aria-hidden", "true");
            marker(out, i, "", "8", 7, data.arms().get(i).name());
            out.close().leaf("span", data.arms().get(i).name()).close();
        }
        out.close();
    }

    /** The position of a number, in percent of the width: text then keeps its size on every screen. */
    static double percent(Axis axis, double value) {
        return MARGIN_PERCENT + (100 - 2 * MARGIN_PERCENT) * axis.share(value);
    }

    /** A sentence for below a picture, where it is needed. */
    static String beginning(Axis axis) {
        return axis.low() > 0 ? " The axis does not begin at 0." : "";
    }

    static String runs(int number) {
        return Words.count(number, "run");
    }
}

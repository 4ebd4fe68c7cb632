package org.berth.drawing.machine;

import java.util.List;
import java.util.Map;
import org.berth.drawing.internal.text.Canvas;
import org.berth.drawing.internal.text.Canvas.Style;
import org.berth.drawing.machine.Picture.Line;
import org.berth.text.WordWrap;
import org.berth.topology.Topology;

/**
 * The machine as text: frames within a width, a legend and captions below. Pure.
 *
 * @since 0.1.0
 */
public final class TopologyPicture {
    private TopologyPicture() {}

    /**
     * The machine with sentences below it.
     *
     * @param captions for example what a process may use
     * @param columns width that no line exceeds
     * @param utf8 whether the terminal shows lines and dots; otherwise the text is ASCII
     * @param colour whether the text has colours by SGR sequences
     */
    public static String render(Topology topology, List<String> captions, int columns, boolean utf8, boolean colour) {
        return render(topology, captions, Map.of(), columns, utf8, colour);
    }

    /**
     * The same with marks in the place of PUs, such as the workers of a plan.
     *
     * @param marks by the osIndex of the PU; those of other PUs are left out
     */
    public static String render(
            Topology topology,
            List<String> captions,
            Map<Integer, PuMark> marks,
            int columns,
            boolean utf8,
            boolean colour) {
        Picture picture = PictureBuilder.build(topology, marks);
        Canvas sheet = PictureLayout.draw(picture.machine(), columns);
        Canvas below = new Canvas(columns);
        int row = 0;
        for (Line line : picture.legend()) {
            row = write(below, row, line.text(), columns, line.style());
        }
        for (String caption : captions) {
            row = write(below, row, caption, columns, Style.PLAIN);
        }
        return sheet.render(utf8, colour) + below.render(utf8, colour);
    }

    private static int write(Canvas canvas, int firstRow, String text, int columns, Style style) {
        int row = firstRow;
        for (String line : WordWrap.wrap(text, columns)) {
            canvas.text(0, row, line, style);
            row++;
        }
        return row;
    }
}

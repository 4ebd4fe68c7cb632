package org.berth.drawing.machine;

import java.util.List;
import org.berth.drawing.internal.text.Canvas.Style;

/** A machine as nested frames, lines and grids, before anybody knows the width of the terminal. */
record Picture(Frame machine, List<Line> legend) {
    /** What a frame may hold. */
    sealed interface Part {}

    /** A named border around lines (memory, shared caches), parts and more lines (devices). */
    record Frame(Line title, List<Line> header, List<Part> parts, List<Line> footer) implements Part {}

    /** Equal siblings, one cell each. */
    record Grid(List<Line> label, List<Cell> cells) implements Part {
        int cellWidth() {
            int width = 0;
            for (Cell cell : cells) {
                width = Math.max(width, cell.width());
            }
            return width;
        }

        int cellHeight() {
            int height = 0;
            for (Cell cell : cells) {
                height = Math.max(height, cell.lines().size());
            }
            return height;
        }
    }

    /** A core, or a few that share a cache: lines of styled text. */
    record Cell(List<List<Line>> lines) {
        int width() {
            int widest = 0;
            for (List<Line> line : lines) {
                int width = 0;
                for (Line span : line) {
                    width += span.text().length();
                }
                widest = Math.max(widest, width);
            }
            return widest;
        }
    }

    /** Styled text. */
    record Line(String text, Style style) {}
}

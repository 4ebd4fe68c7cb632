package org.berth.drawing.machine;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.TreeMap;
import org.berth.drawing.internal.text.Canvas;
import org.berth.drawing.internal.text.Canvas.Style;
import org.berth.drawing.machine.Picture.Cell;
import org.berth.drawing.machine.Picture.Frame;
import org.berth.drawing.machine.Picture.Grid;
import org.berth.drawing.machine.Picture.Line;
import org.berth.drawing.machine.Picture.Part;
import org.berth.text.Words;

/**
 * Fits a picture into a width: neighbouring frames stand side by side in as many columns as make the picture lowest,
 * cells wrap in even rows. Heights are computed before anything is drawn and remembered, so that trying all numbers of
 * columns at every level stays cheap.
 */
final class PictureLayout {
    private static final int EDGES = 4; // border and blank at both sides
    private static final int LONGEST_TEXT = 56;
    private static final int CELLS_IN_ROW = 16;
    private static final int FEW_CELLS = 4;
    private static final int GOOD_GRID = 28;
    private static final int SHORTEST_TEXT = 12;

    private final IdentityHashMap<Part, TreeMap<Integer, Integer>> heights = new IdentityHashMap<>();

    /** Draws the machine's frame and gives the sheet. */
    static Canvas draw(Frame machine, int columns) {
        PictureLayout layout = new PictureLayout();
        int width = Math.max(Math.min(columns, natural(machine)), least(machine, 1));
        Canvas canvas = new Canvas(width);
        layout.drawFrame(canvas, machine, 0, 0, width, layout.height(machine, width));
        return canvas;
    }

    // Widths: what a part would like to have, and what it cannot do without.

    private static int natural(Part part) {
        if (part instanceof Grid grid) {
            int cells = Math.min(grid.cells().size(), CELLS_IN_ROW);
            return Math.max(gridWidth(grid, cells), longest(grid.label()));
        }
        Frame frame = (Frame) part;
        int width = Math.max(longest(frame.header()), longest(frame.footer()));
        width = Math.max(width, Math.min(LONGEST_TEXT, frame.title().text().length()) + 1);
        for (List<Part> row : rows(frame.parts())) {
            int sum = row.size() - 1;
            for (Part child : row) {
                sum += natural(child);
            }
            width = Math.max(width, sum);
        }
        return width + EDGES;
    }

    private static int longest(List<Line> lines) {
        int width = 0;
        for (Line line : lines) {
            width = Math.max(width, Math.min(LONGEST_TEXT, line.text().length()));
        }
        return width;
    }

    /** The narrowest useful width when a grid wants at least that number of cells in a row. */
    private static int least(Part part, int cellsInRow) {
        if (part instanceof Grid grid) {
            int cells = Math.min(cellsInRow, grid.cells().size());
            while (cells > 1 && gridWidth(grid, cells) > GOOD_GRID) {
                cells--;
            }
            return Math.max(SHORTEST_TEXT, gridWidth(grid, cells));
        }
        Frame frame = (Frame) part;
        int width = SHORTEST_TEXT;
        for (Part child : frame.parts()) {
            width = Math.max(width, least(child, cellsInRow));
        }
        return width + EDGES;
    }

    private static int gridWidth(Grid grid, int cells) {
        return cells * (grid.cellWidth() + 3) + 1;
    }

    // Rows: frames that follow each other may stand side by side, a grid stands alone.

    private static List<List<Part>> rows(List<Part> parts) {
        List<List<Part>> rows = new ArrayList<>();
        List<Part> row = new ArrayList<>();
        for (Part part : parts) {
            if (part instanceof Grid && !row.isEmpty()) {
                rows.add(List.copyOf(row));
                row.clear();
            }
            row.add(part);
            if (part instanceof Grid) {
                rows.add(List.copyOf(row));
                row.clear();
            }
        }
        if (!row.isEmpty()) {
            rows.add(List.copyOf(row));
        }
        return rows;
    }

    /** The number of columns that gives the least height; fewer, wider ones when that costs nothing. */
    private int columns(List<Part> row, int width) {
        int best = 1;
        int bestHeight = Integer.MAX_VALUE;
        for (int columns = 1; columns <= row.size(); columns++) {
            int each = columnWidth(width, columns);
            if (columns > 1 && each < widest(row, FEW_CELLS)) {
                break;
            }
            int height = rowHeight(row, width, columns);
            boolean even = row.size() % columns == 0;
            if (height < bestHeight || (height == bestHeight && even)) {
                best = columns;
                bestHeight = height;
            }
        }
        return best;
    }

    private static int widest(List<Part> row, int cellsInRow) {
        int width = 0;
        for (Part part : row) {
            width = Math.max(width, least(part, cellsInRow));
        }
        return width;
    }

    private static int columnWidth(int width, int columns) {
        return (width - (columns - 1)) / columns;
    }

    /** Frames of a row are equally wide, but no wider than the widest of them needs. */
    private static int frameWidth(List<Part> row, int width, int columns) {
        int wanted = 0;
        for (Part part : row) {
            wanted = Math.max(wanted, natural(part));
        }
        return Math.min(wanted, columnWidth(width, columns));
    }

    private int rowHeight(List<Part> row, int width, int columns) {
        int each = frameWidth(row, width, columns);
        int sum = 0;
        for (int from = 0; from < row.size(); from += columns) {
            sum += lineHeight(row, from, columns, each);
        }
        return sum;
    }

    private int lineHeight(List<Part> row, int from, int columns, int each) {
        int highest = 0;
        for (int i = from; i < Math.min(from + columns, row.size()); i++) {
            highest = Math.max(highest, height(row.get(i), each));
        }
        return highest;
    }

    // Heights.

    private int height(Part part, int width) {
        TreeMap<Integer, Integer> known = heights.computeIfAbsent(part, key -> new TreeMap<>());
        Integer height = known.get(width);
        if (height == null) {
            height = part instanceof Grid grid ? gridHeight(grid, width) : frameHeight((Frame) part, width);
            known.put(width, height);
        }
        return height;
    }

    private int frameHeight(Frame frame, int width) {
        int inner = width - EDGES;
        int height =
                1 + title(frame, width).size() + textHeight(frame.header(), inner) + textHeight(frame.footer(), inner);
        for (List<Part> row : rows(frame.parts())) {
            height +=
                    row.get(0) instanceof Grid grid ? height(grid, inner) : rowHeight(row, inner, columns(row, inner));
        }
        return height;
    }

    /** What does not fit into the upper edge of the frame goes on inside. */
    private static List<String> title(Frame frame, int width) {
        return wrap(frame.title().text(), width - EDGES - 1);
    }

    private static int gridHeight(Grid grid, int width) {
        int perRow = cellsPerRow(grid, width);
        int rows = (grid.cells().size() + perRow - 1) / perRow;
        int separators = grid.cellHeight() > 1 ? rows - 1 : 0;
        return textHeight(grid.label(), width) + rows * grid.cellHeight() + separators + 2;
    }

    /** Even rows: 8 cells become 4 and 4, not 5 and 3. */
    private static int cellsPerRow(Grid grid, int width) {
        int count = grid.cells().size();
        int most = Math.max(1, Math.min(Math.min(count, CELLS_IN_ROW), (width - 1) / (grid.cellWidth() + 3)));
        int rows = (count + most - 1) / most;
        return (count + rows - 1) / rows;
    }

    private static int textHeight(List<Line> lines, int width) {
        int height = 0;
        for (Line line : lines) {
            height += wrap(line.text(), width).size();
        }
        return height;
    }

    /** Breaks between the parts of a label; what follows is indented. */
    static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        String indent = "";
        while (indent.length() + rest.length() > width) {
            int at = rest.lastIndexOf(Words.SEPARATOR, width - indent.length());
            if (at <= 0) {
                at = rest.indexOf(Words.SEPARATOR);
            }
            if (at <= 0) {
                break;
            }
            lines.add(Canvas.fit(indent + rest.substring(0, at), width));
            rest = rest.substring(at + Words.SEPARATOR.length());
            indent = "  ";
        }
        lines.add(Canvas.fit(indent + rest, width));
        return lines;
    }

    // Drawing.

    private void drawFrame(Canvas canvas, Frame frame, int x, int y, int width, int height) {
        int inner = width - EDGES;
        List<String> title = title(frame, width);
        Style style = frame.title().style();
        canvas.box(x, y, width, height, title.get(0), style);
        for (int i = 1; i < title.size(); i++) {
            canvas.text(x + 2, y + i, title.get(i), style);
        }
        int line = drawText(canvas, frame.header(), x + 2, y + title.size(), inner);
        for (List<Part> row : rows(frame.parts())) {
            line = row.get(0) instanceof Grid grid
                    ? drawGrid(canvas, grid, x + 2, line, inner)
                    : drawRow(canvas, row, x + 2, line, inner);
        }
        drawText(canvas, frame.footer(), x + 2, line, inner);
    }

    private int drawRow(Canvas canvas, List<Part> row, int x, int y, int width) {
        int columns = columns(row, width);
        int each = frameWidth(row, width, columns);
        int top = y;
        for (int from = 0; from < row.size(); from += columns) {
            int height = lineHeight(row, from, columns, each);
            for (int i = from; i < Math.min(from + columns, row.size()); i++) {
                drawFrame(canvas, (Frame) row.get(i), x + (i - from) * (each + 1), top, each, height);
            }
            top += height;
        }
        return top;
    }

    private static int drawText(Canvas canvas, List<Line> lines, int x, int y, int width) {
        int row = y;
        for (Line line : lines) {
            for (String piece : wrap(line.text(), width)) {
                canvas.text(x, row, piece, line.style());
                row++;
            }
        }
        return row;
    }

    private static int drawGrid(Canvas canvas, Grid grid, int x, int y, int width) {
        int perRow = cellsPerRow(grid, width);
        int step = grid.cellWidth() + 3;
        int cellHeight = grid.cellHeight();
        int top = drawText(canvas, grid.label(), x, y, width);
        int count = grid.cells().size();
        edge(canvas, x, top, step, Math.min(perRow, count), '┌', '┬', '┐');
        int row = top + 1;
        for (int from = 0; from < count; from += perRow) {
            if (from > 0 && cellHeight > 1) {
                edge(canvas, x, row, step, perRow, '├', '┼', '┤');
                row++;
            }
            for (int column = 0; column <= perRow; column++) {
                canvas.vertical(x + column * step, row, cellHeight, '│');
            }
            for (int i = from; i < Math.min(from + perRow, count); i++) {
                drawCell(canvas, grid.cells().get(i), x + (i - from) * step + 2, row);
            }
            row += cellHeight;
        }
        edge(canvas, x, row, step, perRow, '└', '┴', '┘');
        return row + 1;
    }

    private static void edge(Canvas canvas, int x, int y, int step, int cells, char left, char between, char right) {
        canvas.horizontal(x, y, cells * step, '─');
        canvas.text(x, y, String.valueOf(left), Style.BORDER);
        for (int cell = 1; cell < cells; cell++) {
            canvas.text(x + cell * step, y, String.valueOf(between), Style.BORDER);
        }
        canvas.text(x + cells * step, y, String.valueOf(right), Style.BORDER);
    }

    private static void drawCell(Canvas canvas, Cell cell, int x, int y) {
        for (int i = 0; i < cell.lines().size(); i++) {
            int at = x;
            for (Line span : cell.lines().get(i)) {
                canvas.text(at, y + i, span.text(), span.style());
                at += span.text().length();
            }
        }
    }
}

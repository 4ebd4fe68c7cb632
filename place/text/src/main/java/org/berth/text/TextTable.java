package org.berth.text;

import java.util.ArrayList;
import java.util.List;

/**
 * A table of text: each column is as wide as its widest cell, two blanks lie between two columns. Not thread-safe.
 */
public final class TextTable {
    /** On which side a column has its blanks. */
    public enum Align {
        LEFT,
        RIGHT
    }

    private static final String GAP = "  ";

    private final List<Align> aligns;
    private final List<List<String>> rows = new ArrayList<>();
    /** The longest cell of each column, so that a line does not look at all rows again. */
    private final List<Integer> longest = new ArrayList<>();

    private int widest = Integer.MAX_VALUE;

    /**
     * A table without rows.
     *
     * @param aligns of the columns from the left; the last one counts for all further columns too
     */
    public TextTable(Align... aligns) {
        this.aligns = List.of(aligns);
    }

    /** A table whose first column is aligned to the left and whose others, numbers, are aligned to the right. */
    public static TextTable ofNumbers() {
        return new TextTable(Align.LEFT, Align.RIGHT);
    }

    /** Widens no column beyond this: a longer cell moves only the rest of its own row to the right. */
    public TextTable widest(int width) {
        widest = width;
        return this;
    }

    /** Adds a row below the others. */
    public TextTable row(String... cells) {
        return row(List.of(cells));
    }

    /** Adds a row below the others; all have the same number of cells. */
    public TextTable row(List<String> cells) {
        rows.add(List.copyOf(cells));
        for (int column = 0; column < cells.size(); column++) {
            int length = cells.get(column).length();
            if (column == longest.size()) {
                longest.add(length);
            } else if (length > longest.get(column)) {
                longest.set(column, length);
            }
        }
        return this;
    }

    /** The rows as lines without trailing blanks. */
    public List<String> lines() {
        return lines(0, columns());
    }

    /** Appends the rows with the last column, a text, wrapped to the width that is there. */
    public void appendTo(StringBuilder out, int width) {
        int last = columns() - 1;
        for (List<String> row : rows) {
            WordWrap.append(out, line(row, 0, last) + GAP, row.get(last), width);
        }
    }

    /**
     * The rows as lines that are no wider than the screen where that is possible: groups of columns that do not fit go on
     * below, after an empty line and with the first column again.
     *
     * @param groups numbers of columns that belong together, without the first column
     */
    public List<String> lines(int width, List<Integer> groups) {
        List<String> lines = new ArrayList<>();
        int from = 1;
        int to = 1;
        for (int size : groups) {
            if (to > from && width(0, 1) + GAP.length() + width(from, to + size) > width) {
                lines.addAll(lines(from, to));
                lines.add("");
                from = to;
            }
            to += size;
        }
        lines.addAll(lines(from, to));
        return lines;
    }

    /** The text with blanks up to a width, at least one of them: the start of a line whose rest is wrapped. */
    public static String pad(String text, int width) {
        return text + " ".repeat(Math.max(1, width - text.length()));
    }

    private List<String> lines(int from, int to) {
        return rows.stream()
                .map(row -> (from > 0 ? line(row, 0, 1) + GAP : "") + line(row, from, to))
                .map(String::stripTrailing)
                .toList();
    }

    private int columns() {
        return rows.get(0).size();
    }

    private String line(List<String> row, int from, int to) {
        StringBuilder line = new StringBuilder();
        for (int column = from; column < to; column++) {
            String cell = row.get(column);
            String blanks = " ".repeat(Math.max(0, width(column, column + 1) - cell.length()));
            boolean left = aligns.get(Math.min(column, aligns.size() - 1)) == Align.LEFT;
            line.append(column > from ? GAP : "").append(left ? cell + blanks : blanks + cell);
        }
        return line.toString();
    }

    private int width(int from, int to) {
        int width = GAP.length() * (to - from - 1);
        for (int column = from; column < to; column++) {
            width += Math.min(widest, longest.get(column));
        }
        return width;
    }
}

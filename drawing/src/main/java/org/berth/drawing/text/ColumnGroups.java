package org.berth.drawing.text;

import java.util.ArrayList;
import java.util.List;

/**
 * A table whose columns come in groups that belong together. When all of them are wider than the screen, it goes on below,
 * each part with the first column again. Not thread-safe.
 */
public final class ColumnGroups {
    private static final int GAP = 2;

    private final List<String> names;
    private final List<List<List<String>>> groups = new ArrayList<>();

    /** @param names the cells of the first column, its heading first */
    public ColumnGroups(List<String> names) {
        this.names = List.copyOf(names);
    }

    /** @param rows the cells of the group's columns, a list for each cell of the first column */
    public void add(List<List<String>> rows) {
        groups.add(rows);
    }

    /** @param columns the width that is there; a group that alone is wider has it its way */
    public List<String> render(int columns) {
        List<String> lines = new ArrayList<>();
        List<List<String>> part = start();
        for (List<List<String>> group : groups) {
            if (part.get(0).size() > 1 && width(part) + GAP + width(group) > columns) {
                lines.addAll(TextTable.align(part));
                lines.add("");
                part = start();
            }
            for (int row = 0; row < part.size(); row++) {
                part.get(row).addAll(group.get(row));
            }
        }
        lines.addAll(TextTable.align(part));
        return lines;
    }

    private List<List<String>> start() {
        List<List<String>> rows = new ArrayList<>();
        names.forEach(name -> rows.add(new ArrayList<>(List.of(name))));
        return rows;
    }

    private static int width(List<List<String>> rows) {
        int width = -GAP;
        for (int column = 0; column < rows.get(0).size(); column++) {
            int index = column;
            width += GAP
                    + rows.stream()
                            .mapToInt(row -> row.get(index).length())
                            .max()
                            .orElse(0);
        }
        return width;
    }
}

package org.berth.drawing.text;

import java.util.ArrayList;
import java.util.List;

/** Tables of text: the cells of a column have one width. Pure. */
public final class TextTable {
    private TextTable() {}

    /** The lines of a table whose first column is aligned to the left and the others, numbers, to the right. */
    public static List<String> align(List<List<String>> cells) {
        List<String> lines = new ArrayList<>();
        for (List<String> row : cells) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                int index = column;
                int width = cells.stream()
                        .mapToInt(one -> one.get(index).length())
                        .max()
                        .orElse(0);
                String cell = row.get(column);
                String space = " ".repeat(width - cell.length());
                line.append(column == 0 ? cell + space : "  " + space + cell);
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}

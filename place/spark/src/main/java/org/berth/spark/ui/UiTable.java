package org.berth.spark.ui;

import java.util.ArrayList;
import java.util.List;
import scala.xml.Node;

/** A table in the style of Spark; in a narrow window each row becomes a card. Not thread-safe. */
final class UiTable {
    private final List<String> heads;
    private final List<Node> rows = new ArrayList<>();
    private String style = "table table-bordered table-sm table-striped";

    /** @param heads of the columns; a head that ends with '#' is for a column of numbers */
    UiTable(String... heads) {
        this.heads = List.of(heads);
    }

    /** Keeps it a table in a narrow window; for few columns and many rows. */
    UiTable slim() {
        style += " slim";
        return this;
    }

    /** Adds a row of texts. */
    UiTable row(String... cells) {
        List<Node> nodes = new ArrayList<>();
        for (String cell : cells) {
            nodes.add(UiNodes.text(cell));
        }
        return row(nodes);
    }

    UiTable row(List<Node> cells) {
        List<Node> row = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            row.add(UiNodes.element(
                    "td",
                    List.of(UiNodes.element("span", List.of(cells.get(i)))),
                    "data-label",
                    label(heads.get(i)),
                    "class",
                    style(heads.get(i))));
        }
        rows.add(UiNodes.element("tr", row));
        return this;
    }

    Node render() {
        List<Node> head = new ArrayList<>();
        heads.forEach(text -> head.add(UiNodes.leaf("th", label(text), "class", style(text))));
        return UiNodes.element(
                "table",
                List.of(UiNodes.element("thead", List.of(UiNodes.element("tr", head))), UiNodes.element("tbody", rows)),
                "class",
                style);
    }

    private static String label(String head) {
        return head.endsWith("#") ? head.substring(0, head.length() - 1) : head;
    }

    private static String style(String head) {
        return head.endsWith("#") ? "number" : "";
    }
}

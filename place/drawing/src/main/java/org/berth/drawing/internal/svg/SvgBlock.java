package org.berth.drawing.internal.svg;

import java.util.List;

/**
 * Rectangles that know how much room they need and draw themselves into whatever more they get. Pixels. Sizes are
 * computed once, when a block is made: asking for them again at every level would take exponential time. Immutable.
 */
public sealed interface SvgBlock {
    int GAP = 4;
    int PADDING = 6;
    int BAR_HEIGHT = 20;
    int TITLE_HEIGHT = 20;
    int BASE_LINE = 14;

    int width();

    int height();

    /** A block with more height than it needs stretches only its outline. */
    void draw(SvgSheet svg, int x, int y, int width, int height);

    /** A monospaced font of 11 px advances about 6.6 px a character; a little more is safe in every font. */
    static int textWidth(String text) {
        return (text.length() * 27 + 3) / 4;
    }

    /** One rectangle with one line of text. */
    static SvgBlock bar(String style, String text, String tooltip) {
        return new Bar(style, text, tooltip, textWidth(text) + 2 * PADDING, BAR_HEIGHT);
    }

    /** A rectangle with a title around another block; an empty title takes no room. */
    static SvgBlock frame(String style, String title, String tooltip, SvgBlock body) {
        int width = Math.max(textWidth(title), body.width()) + 2 * PADDING;
        int height = head(title) + body.height() + (body.height() == 0 ? 0 : PADDING);
        return new Frame(style, title, tooltip, body, width, height);
    }

    private static int head(String title) {
        return title.isEmpty() ? PADDING : TITLE_HEIGHT;
    }

    /** One below the other, all as wide as the widest; what has no height is left out. */
    static SvgBlock stack(List<SvgBlock> blocks) {
        List<SvgBlock> visible =
                blocks.stream().filter(block -> block.height() > 0).toList();
        int width = 0;
        int height = Math.max(0, visible.size() - 1) * GAP;
        for (SvgBlock block : visible) {
            width = Math.max(width, block.width());
            height += block.height();
        }
        return new Stack(visible, width, height);
    }

    /** Rows of that number of columns; columns share the width, rows are as high as their highest. */
    static SvgBlock grid(List<SvgBlock> blocks, int columns) {
        int widest = 0;
        int height = 0;
        for (int from = 0; from < blocks.size(); from += columns) {
            int highest = 0;
            for (SvgBlock block : blocks.subList(from, Math.min(blocks.size(), from + columns))) {
                widest = Math.max(widest, block.width());
                highest = Math.max(highest, block.height());
            }
            height += highest + (from == 0 ? 0 : GAP);
        }
        int width = blocks.isEmpty() ? 0 : columns * (widest + GAP) - GAP;
        return new Grid(blocks, columns, width, height);
    }

    /**
     * The number of columns whose shape comes nearest to a page, inside a width where that is possible; full last rows are
     * preferred.
     */
    static int balancedColumns(List<SvgBlock> blocks, int room) {
        int best = 1;
        double bestCost = Double.MAX_VALUE;
        for (int columns = 1; columns <= blocks.size(); columns++) {
            SvgBlock grid = grid(blocks, columns);
            double ratio = grid.width() / (1.6 * Math.max(1, grid.height()));
            double cost = Math.abs(Math.log(ratio))
                    + (blocks.size() % columns == 0 ? 0 : 0.5)
                    + Math.max(0, grid.width() - room);
            if (cost < bestCost) {
                best = columns;
                bestCost = cost;
            }
        }
        return best;
    }

    record Bar(String style, String text, String tooltip, int width, int height) implements SvgBlock {
        @Override
        public void draw(SvgSheet svg, int x, int y, int width, int height) {
            svg.open(style, tooltip);
            svg.rectangle(x, y, width, BAR_HEIGHT);
            if (style.startsWith("pu")) {
                svg.text("middle", x + width / 2, y + BASE_LINE, text);
            } else {
                svg.text("", x + PADDING, y + BASE_LINE, text);
            }
            svg.close();
        }
    }

    record Frame(String style, String title, String tooltip, SvgBlock body, int width, int height) implements SvgBlock {
        @Override
        public void draw(SvgSheet svg, int x, int y, int width, int height) {
            svg.open(style, tooltip);
            svg.rectangle(x, y, width, height);
            if (!title.isEmpty()) {
                svg.text("title", x + PADDING, y + BASE_LINE, title);
            }
            svg.close();
            body.draw(svg, x + PADDING, y + head(title), width - 2 * PADDING, body.height());
        }
    }

    record Stack(List<SvgBlock> blocks, int width, int height) implements SvgBlock {
        @Override
        public void draw(SvgSheet svg, int x, int y, int width, int height) {
            int top = y;
            for (SvgBlock block : blocks) {
                block.draw(svg, x, top, width, block.height());
                top += block.height() + GAP;
            }
        }
    }

    record Grid(List<SvgBlock> blocks, int columns, int width, int height) implements SvgBlock {
        @Override
        public void draw(SvgSheet svg, int x, int y, int width, int height) {
            int each = (width - (columns - 1) * GAP) / columns;
            int top = y;
            for (int from = 0; from < blocks.size(); from += columns) {
                List<SvgBlock> row = blocks.subList(from, Math.min(blocks.size(), from + columns));
                int highest = 0;
                for (SvgBlock block : row) {
                    highest = Math.max(highest, block.height());
                }
                int left = x;
                for (SvgBlock block : row) {
                    block.draw(svg, left, top, each, highest);
                    left += each + GAP;
                }
                top += highest + GAP;
            }
        }
    }
}

package org.berth.cli;

import java.util.ArrayList;
import java.util.List;

/** Rectangles that know how much room they need and draw themselves into whatever more they get. Pixels. */
sealed interface SvgBlock {
    int GAP = 4;
    int PADDING = 6;
    int BAR_HEIGHT = 20;
    int TITLE_HEIGHT = 20;

    /** A monospaced font of 11 px advances about 6.6 px a character; a little more is safe in every font. */
    static int textWidth(String text) {
        return (text.length() * 27 + 3) / 4;
    }

    int width();

    int height();

    /** Whoever is given more height than needed stretches only the outline. */
    void draw(SvgText svg, int x, int y, int width, int height);

    /** One rectangle with one line of text. */
    record Bar(String style, String text, String tooltip) implements SvgBlock {
        @Override
        public int width() {
            return textWidth(text) + 2 * PADDING;
        }

        @Override
        public int height() {
            return BAR_HEIGHT;
        }

        @Override
        public void draw(SvgText svg, int x, int y, int width, int height) {
            svg.open(style, tooltip);
            svg.rectangle(x, y, width, BAR_HEIGHT);
            if (style.startsWith("pu")) {
                svg.text("middle", x + width / 2, y + 14, text);
            } else {
                svg.text("", x + PADDING, y + 14, text);
            }
            svg.close();
        }
    }

    /** A rectangle with a title around another block. */
    record Frame(String style, String title, String tooltip, SvgBlock body) implements SvgBlock {
        @Override
        public int width() {
            return Math.max(textWidth(title), body.width()) + 2 * PADDING;
        }

        @Override
        public int height() {
            return TITLE_HEIGHT + body.height() + (body.height() == 0 ? 0 : PADDING);
        }

        @Override
        public void draw(SvgText svg, int x, int y, int width, int height) {
            svg.open(style, tooltip);
            svg.rectangle(x, y, width, height);
            svg.text("title", x + PADDING, y + 14, title);
            svg.close();
            body.draw(svg, x + PADDING, y + TITLE_HEIGHT, width - 2 * PADDING, body.height());
        }
    }

    /** One below the other, all as wide as the widest. */
    record Stack(List<SvgBlock> blocks) implements SvgBlock {
        @Override
        public int width() {
            int width = 0;
            for (SvgBlock block : blocks) {
                width = Math.max(width, block.width());
            }
            return width;
        }

        @Override
        public int height() {
            int height = 0;
            for (SvgBlock block : blocks) {
                height += block.height() == 0 ? 0 : block.height() + (height == 0 ? 0 : GAP);
            }
            return height;
        }

        @Override
        public void draw(SvgText svg, int x, int y, int width, int height) {
            int top = y;
            for (SvgBlock block : blocks) {
                if (block.height() > 0) {
                    block.draw(svg, x, top, width, block.height());
                    top += block.height() + GAP;
                }
            }
        }
    }

    /** Rows of so many columns; columns share the width, rows are as high as their highest. */
    record Grid(List<SvgBlock> blocks, int columns) implements SvgBlock {
        @Override
        public int width() {
            int widest = 0;
            for (SvgBlock block : blocks) {
                widest = Math.max(widest, block.width());
            }
            return blocks.isEmpty() ? 0 : columns * (widest + GAP) - GAP;
        }

        @Override
        public int height() {
            int height = 0;
            for (int from = 0; from < blocks.size(); from += columns) {
                height += rowHeight(from) + (from == 0 ? 0 : GAP);
            }
            return height;
        }

        private int rowHeight(int from) {
            int highest = 0;
            for (int i = from; i < Math.min(blocks.size(), from + columns); i++) {
                highest = Math.max(highest, blocks.get(i).height());
            }
            return highest;
        }

        @Override
        public void draw(SvgText svg, int x, int y, int width, int height) {
            int each = (width - (columns - 1) * GAP) / columns;
            int top = y;
            for (int from = 0; from < blocks.size(); from += columns) {
                int rowHeight = rowHeight(from);
                for (int i = from; i < Math.min(blocks.size(), from + columns); i++) {
                    blocks.get(i).draw(svg, x + (i - from) * (each + GAP), top, each, rowHeight);
                }
                top += rowHeight + GAP;
            }
        }

        /** The number of columns whose shape comes nearest to a page; full last rows are preferred. */
        static Grid balanced(List<SvgBlock> blocks) {
            Grid best = new Grid(blocks, 1);
            double bestCost = Double.MAX_VALUE;
            for (int columns = 1; columns <= blocks.size(); columns++) {
                Grid grid = new Grid(blocks, columns);
                double ratio = grid.width() / (1.6 * Math.max(1, grid.height()));
                double cost = Math.abs(Math.log(ratio)) + (blocks.size() % columns == 0 ? 0 : 0.5);
                if (cost < bestCost) {
                    best = grid;
                    bestCost = cost;
                }
            }
            return best;
        }
    }

    /** The blocks without those that show nothing. */
    static List<SvgBlock> visible(List<SvgBlock> blocks) {
        List<SvgBlock> visible = new ArrayList<>();
        for (SvgBlock block : blocks) {
            if (block.height() > 0) {
                visible.add(block);
            }
        }
        return visible;
    }
}

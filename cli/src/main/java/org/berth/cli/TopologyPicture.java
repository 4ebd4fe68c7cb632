package org.berth.cli;

import org.berth.cli.Picture.Line;
import org.berth.topology.Topology;

/** The machine as text: frames within a width, a legend, and nothing about the process. A pure function. */
final class TopologyPicture {
    private TopologyPicture() {}

    static String render(Topology topology, int columns, boolean utf8, boolean colour) {
        Picture picture = PictureBuilder.build(topology);
        Canvas sheet = PictureLayout.draw(picture.machine(), columns);
        Canvas legend = new Canvas(columns);
        int row = 0;
        for (Line line : picture.legend()) {
            for (String piece : PictureLayout.wrap(line.text(), columns)) {
                legend.text(0, row, piece, line.style());
                row++;
            }
        }
        return sheet.render(utf8, colour) + legend.render(utf8, colour);
    }
}

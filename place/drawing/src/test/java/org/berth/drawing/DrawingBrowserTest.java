package org.berth.drawing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.berth.drawing.machine.TopologySvg;
import org.berth.machines.Machines;
import org.berth.oracle.PageLook;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Drawings in a real browser, at three widths, light and dark; pictures stay in target/drawings. */
@Tag("long")
@Tag("one-jdk")
final class DrawingBrowserTest {
    private static final Path PICTURES = Path.of(System.getProperty("basedir", "."), "target", "drawings");

    @ParameterizedTest
    @CsvSource({
        "2x8x2, false",
        "2x8x2, true",
        "fakeheteromemtiers, false",
        "256ppc-8n8s4t, false",
        "256ia64-64n2s2c, true"
    })
    void everyoneCanReadTheMachine(String machine, boolean dark) throws Exception {
        String svg = TopologySvg.render(TopologyXml.parse(Machines.xml(machine)), List.of("A caption."));
        Path picture = PICTURES.resolve(machine + (dark ? "-dark" : "-light") + ".png");

        assertThat(PageLook.faults(PageLook.ofSvg(svg), picture, dark, PageLook.Use.DRAWN))
                .isEqualTo("[]");
    }
}

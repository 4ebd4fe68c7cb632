package org.berth.drawing.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.berth.oracle.PageLook;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The picture of threads over time in a real browser, at three widths, light and dark. */
@Tag("long")
@Tag("one-jdk")
final class TimelineBrowserTest {
    private static final Path PICTURES = Path.of(System.getProperty("basedir", "."), "target", "drawings");

    @ParameterizedTest
    @CsvSource({"4, 1, false", "4, 1, true", "64, 4, false"})
    void everyoneCanReadTheTimeline(int cpus, int nodes, boolean dark) throws Exception {
        String svg = TimelineSvg.render(new Timeline(
                "java -jar work.jar",
                "4 seconds",
                List.of(
                        WatchPictures.thread(101, "worker-0", 0, 1, 0, 3),
                        WatchPictures.thread(102, "a worker whose name is rather long", 3, -1, 2, 2)),
                0,
                4 * WatchPictures.SECOND,
                WatchPictures.SECOND / 10,
                WatchPictures.cpus(cpus, nodes),
                CpuSet.of(0, 1, 2, 3)));
        Path picture = PICTURES.resolve("timeline-" + cpus + (dark ? "-dark" : "-light") + ".png");

        assertThat(PageLook.faults(PageLook.ofSvg(svg), picture, dark, PageLook.Use.DRAWN))
                .isEqualTo("[]");
    }
}

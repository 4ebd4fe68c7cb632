package org.berth.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.experiments.statistics.Ratio;
import org.berth.machines.Machines;
import org.berth.oracle.HeadlessBrowser;
import org.berth.oracle.PageLook;
import org.berth.report.study.StudyFixture;
import org.berth.report.study.StudyHtml;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each kind of page in a real browser, at three widths, light and dark; pictures stay in target/report. */
@Tag("long")
@Tag("one-jdk")
final class ReportBrowserTest {
    private static final Path PICTURES = Path.of(System.getProperty("basedir", "."), "target", "report");
    private static final Pattern PAGES = Pattern.compile("/Count (\\d+)");

    @TempDir
    private Path folder;

    private static String page(String kind) {
        return switch (kind) {
            case "hostile" -> ReportHtml.render(ReportFixture.hostile());
            case "several" -> ReportHtml.render(ReportFixture.several());
            case "large" ->
                ReportHtml.render(
                        ReportFixture.data(TopologyXml.parse(Machines.xml("256ia64-64n2s2c")), "work", "worker"));
            case "study" -> StudyHtml.render(StudyFixture.ofCollectors("work"));
            case "hostile study" -> StudyHtml.render(StudyFixture.ofCollectors(ReportFixture.HOSTILE));
            case "race" -> race("core");
            case "hostile race" -> race(ReportFixture.HOSTILE);
            default -> ReportHtml.render(ReportFixture.ordinary());
        };
    }

    private static String race(String name) {
        return new RacePage(
                        name,
                        "2026-01-02",
                        List.of("core is 4.1 to 6.2 % faster than none in wall time.", "Use: berth run " + name),
                        List.of("Other work took up to 12 % of the CPU time of all CPUs during a run."),
                        "wall time",
                        "Left of 1 took less time.",
                        0.02,
                        List.of(
                                new RacePage.Row(
                                        name,
                                        "winner: same within 2 %",
                                        List.of(0.93, 0.95, 0.96),
                                        OptionalDouble.of(0.95),
                                        Optional.of(new Ratio.Interval(0.938, 0.959))),
                                new RacePage.Row(
                                        "split into 2 processes, " + name,
                                        "left the race",
                                        List.of(1.2, 1.3, 1.25),
                                        OptionalDouble.of(1.25),
                                        Optional.empty())),
                        List.of(
                                List.of("Candidate", "Runs", "Wall time, median", "Ratio"),
                                List.of(name, "14", "12,345 s", "0.950 (0.938 to 0.959)")),
                        List.of(List.of(name, "berth run --level core -- " + name)),
                        "/results")
                .html();
    }

    @ParameterizedTest
    @CsvSource({
        "ordinary, false",
        "ordinary, true",
        "hostile, false",
        "several, true",
        "large, false",
        "study, false",
        "study, true",
        "hostile study, false",
        "race, false",
        "race, true",
        "hostile race, true"
    })
    void everyoneCanReadThePageOnEachScreen(String kind, boolean dark) throws Exception {
        Path picture = PICTURES.resolve(kind.replace(' ', '-') + (dark ? "-dark" : "-light") + ".png");

        assertThat(PageLook.faults(page(kind), picture, dark, PageLook.Use.READ))
                .isEqualTo("[]");
    }

    @Test
    void faultsAreFound() throws Exception {
        String page = page("ordinary")
                .replace("<h2>The numbers</h2>", "<h2 style=\"width:1900px\">The numbers</h2>")
                .replace("class=\"meta\"", "style=\"font-size:10px;color:#bbb;height:4px;overflow:hidden\"")
                .replace("<figcaption>", "<figcaption style=\"margin-top:-20px\">");

        assertThat(PageLook.faults(page, PICTURES.resolve("faults.png"), false, PageLook.Use.READ))
                .contains("scrolls sideways at 390 px", "scrolls sideways at 1100 px", "text below 11 px", "cut text")
                .contains("text on text", "axe color-contrast");
    }

    @Test
    void foldedPartsAreOpenOnPaper() throws Exception {
        String page = page("ordinary");
        assertThat(page).contains("<details class=\"part\">");

        int pages = pages("folded", page);
        assertThat(pages)
                .isEqualTo(pages("open", page.replace("<details", "<details open=\"\"")))
                .isGreaterThan(1);
    }

    /** Prints the page and counts the sheets in the file. */
    private int pages(String name, String page) throws Exception {
        HeadlessBrowser browser = HeadlessBrowser.require();
        Files.createDirectories(PICTURES);
        Path file = Files.writeString(folder.resolve(name + ".html"), page);
        Path paper = PICTURES.resolve(name + ".pdf");
        Files.deleteIfExists(paper);
        browser.run("--print-to-pdf=" + paper, file.toUri().toString());
        Matcher count = PAGES.matcher(Files.readString(paper, StandardCharsets.ISO_8859_1));
        assertThat(count.find()).isTrue();
        return Integer.parseInt(count.group(1));
    }
}

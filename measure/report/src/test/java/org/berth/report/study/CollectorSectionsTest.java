package org.berth.report.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.berth.experiments.Metric;
import org.berth.experiments.Trial;
import org.berth.report.PauseFigureSvg;
import org.berth.report.ReportFixture;
import org.berth.report.comparison.Comparison;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

/** The sections of a study whose runs have ten pauses each. */
final class CollectorSectionsTest {
    private static final Metric SECONDS = new Metric("throughput", "s", Pattern.compile("(x)"));

    private static Study.Part part(String name) {
        return new Study.Part(
                "allocation-64m",
                "2 threads",
                new Comparison(ReportFixture.result(name, List.of(SECONDS)), Map.of(), Map.of(), 2, List.of()),
                "report.html");
    }

    @Test
    void theTableHasARowForEachArmWithMediansAndPlaces() {
        Study.Part part = part("work");
        List<List<String>> table =
                CollectorSections.of(List.of(part), List.of()).get(0).table();
        assertThat(table).hasSize(1 + part.result().experiment().arms().size());
        assertThat(table).allSatisfy(row -> assertThat(row).hasSameSizeAs(table.get(0)));
        assertThat(table.get(1)).contains("10", "2", "0: 75 %, 1: 25 %", "13 %");
    }

    @Test
    void theFilesHaveALineForEachRunThatCounts() {
        Study.Part part = part("work");
        String csv = CollectorSections.of(List.of(part), List.of()).get(0).csv();
        assertThat(csv.lines())
                .hasSize(1
                        + (int) part.result().trials().stream()
                                .filter(Trial::counts)
                                .count());
        assertThat(csv).contains("0:0.375 1:0.125");
    }

    @Test
    void aFactorIsAComparisonOfTwoArmsRoundByRound() {
        List<Study.Section> sections = CollectorSections.of(
                List.of(part("work")),
                List.of(new CollectorSections.Pair("core", "none"), new CollectorSections.Pair("away", "none")));
        assertThat(sections).hasSize(2);
        assertThat(sections.get(1).table()).hasSize(2);
        // Both arms of a round have the same pauses here.
        assertThat(sections.get(1).table().get(1).get(5)).startsWith("1.000");
    }

    @Test
    void theFigureIsXmlWhateverNamesHold() throws Exception {
        Study.Section section = CollectorSections.of(List.of(part(ReportFixture.HOSTILE)), List.of())
                .get(0);
        String text = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(
                        new StringReader(section.figure().orElseThrow().render())))
                .getDocumentElement()
                .getTextContent();
        assertThat(text).contains("none", "longest", "100 ms", "median: 2 ms");
    }

    @Test
    void millisecondsHaveThreeDigits() {
        assertThat(List.of(0.0123, 0.5, 3.14159, 34.0, 345.6))
                .extracting(PauseFigureSvg::millis)
                .containsExactly("0.012", "0.5", "3.14", "34", "346");
    }
}

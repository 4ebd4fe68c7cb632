package org.berth.report.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.berth.experiments.Metric;
import org.berth.machines.JsonValues;
import org.berth.report.ReportFact;
import org.berth.report.ReportFixture;
import org.berth.report.ReportTest;
import org.berth.report.comparison.Comparison;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** A study of two workloads under two settings, each part with three arms and six rounds, of which one arm failed in one. */
final class StudyTest {
    private static final Metric SECONDS = new Metric("throughput", "s", Pattern.compile("(x)"));

    private static Study study(String name) {
        return new Study(
                "affinity",
                List.of(
                        part("sort", "berth, 1 worker of 2 threads", name),
                        part("k, means", "berth, 1 worker of 2 threads", name),
                        part("sort", "berth, 1 worker of 4 threads", name)),
                List.of(),
                List.of("One node only."),
                List.of(new ReportFact("Processor", name)),
                "2026-01-02",
                "/results");
    }

    private static Study.Part part(String workload, String setting, String name) {
        return new Study.Part(
                workload,
                setting,
                new Comparison(
                        ReportFixture.result(name, List.of(SECONDS)),
                        Map.of(),
                        Map.of("package", "same as none on this machine (one package)"),
                        2,
                        List.of()),
                workload + "/report.html");
    }

    private static Document xml(String text) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(text)));
    }

    private static long bars(Document document) {
        long bars = 0;
        var all = document.getElementsByTagName("rect");
        for (int i = 0; i < all.getLength(); i++) {
            var attributes = all.item(i).getAttributes();
            bars += attributes.getNamedItem("class").getNodeValue().startsWith("bar") ? 1 : 0;
        }
        return bars;
    }

    @Test
    void theFigureHasABarForEachArmOfEachPart() throws Exception {
        Document svg = xml(study("work").figure().render());
        assertThat(bars(svg)).isEqualTo(3 * 3);
        String text = svg.getDocumentElement().getTextContent();
        assertThat(text).contains("berth, 1 worker of 2 threads", "berth, 1 worker of 4 threads", "none", "core", "pu");
    }

    @Test
    void thePageHasFigureVerdictsAndLinksWhateverNamesHold() throws Exception {
        Document page = ReportTest.parse(StudyHtml.render(study(ReportFixture.HOSTILE)));
        assertThat(page.getElementsByTagName("script").getLength()).isZero();
        assertThat(page.getElementsByTagName("a").getLength()).isEqualTo(3);
        String text = page.getDocumentElement().getTextContent();
        assertThat(text).contains("berth, 1 worker of 2 threads: package: same as none", "One node only.");
        assertThat(bars(page)).isEqualTo(3 * 3);
    }

    @Test
    void theTableHasARowForEachArmAndTheCsvALineForEachRun() {
        Study study = study("work");
        assertThat(study.table()).hasSize(1 + 3 * 3);
        assertThat(study.table().get(3).get(3)).isEqualTo("5, and 1 not completed");
        List<String> lines = study.csv().lines().toList();
        assertThat(lines).hasSize(1 + 3 * (6 + 6 + 5));
        assertThat(lines.get(18))
                .startsWith("\"k, means\",\"berth, 1 worker of 2 threads\",none,1,")
                .endsWith(",s");
        assertThat(study.text()).contains("One node only.");
        assertThat(JsonValues.field(JsonValues.object(study.json()), "format")).isEqualTo("berth-study");
    }
}

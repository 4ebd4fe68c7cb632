package org.berth.report.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.berth.machines.JsonValues;
import org.berth.report.ReportFixture;
import org.berth.report.ReportTest;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** A study of two workloads under two settings, each part with three arms and six rounds, of which one arm failed in one. */
final class StudyTest {
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
        Document svg = xml(StudyFixture.ordinary("work").figure().render());
        assertThat(bars(svg)).isEqualTo(3 * 3);
        String text = svg.getDocumentElement().getTextContent();
        assertThat(text).contains("berth, 1 worker of 2 threads", "berth, 1 worker of 4 threads", "none", "core", "pu");
    }

    @Test
    void thePageHasFigureVerdictsAndLinksWhateverNamesHold() throws Exception {
        Document page = ReportTest.parse(StudyHtml.render(StudyFixture.ordinary(ReportFixture.HOSTILE)));
        assertThat(page.getElementsByTagName("script").getLength()).isZero();
        assertThat(page.getElementsByTagName("a").getLength()).isEqualTo(3);
        String text = page.getDocumentElement().getTextContent();
        assertThat(text).contains("berth, 1 worker of 2 threads: package: same as none", "One node only.");
        assertThat(page.getElementsByTagName("figure").getLength())
                .as("one for each setting")
                .isEqualTo(2);
        assertThat(text).contains("Of 6 comparisons: slower 3, fails more often 3.");
    }

    @Test
    void theTableHasARowForEachArmAndTheCsvALineForEachRun() {
        Study study = StudyFixture.ordinary("work");
        assertThat(study.table()).hasSize(1 + 3 * 3);
        assertThat(study.table().get(3).get(3)).isEqualTo("5, and 1 not completed");
        List<String> lines = study.csv().lines().toList();
        assertThat(lines).hasSize(1 + 3 * (6 + 6 + 5));
        assertThat(lines.get(18))
                .startsWith("\"k, means\",\"berth, 1 worker of 2 threads\",none,1,")
                .endsWith(",s");
        assertThat(study.text(80)).contains("One node only.");
        assertThat(JsonValues.field(JsonValues.object(study.json()), "format")).isEqualTo("berth-study");
    }
}

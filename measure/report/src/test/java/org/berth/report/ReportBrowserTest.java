package org.berth.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.machines.Machines;
import org.berth.oracle.HeadlessBrowser;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The report in a real browser, on a phone and on a desktop, light and dark; pictures stay in target/report. */
@Tag("long")
@Tag("one-jdk")
final class ReportBrowserTest {
    private static final Path PICTURES = Path.of(System.getProperty("basedir", "."), "target", "report");

    /** Measures in a frame of the wanted width, because no window of the browser is as narrow as a phone. */
    private static final String MEASURE = """
            <script>addEventListener('load', function () {
              var frame = document.querySelector('iframe'), page = frame.contentDocument, wide = [], flat = [], charts = 0;
              page.querySelectorAll('body *').forEach(function (element) {
                var box = element.getBoundingClientRect();
                if (box.right > frame.clientWidth + 0.5 || box.left < -0.5) {
                  wide.push(element.tagName + '.' + element.getAttribute('class') + ' ' + box.left + '-' + box.right);
                }
              });
              page.querySelectorAll('.chart').forEach(function (chart) {
                var box = chart.getBoundingClientRect();
                charts++;
                if (box.width < 200 || box.height < 40) flat.push(chart.outerHTML.substring(0, 60));
              });
              document.body.setAttribute('data-measured', JSON.stringify({
                width: frame.contentWindow.innerWidth, scroll: page.documentElement.scrollWidth, charts: charts,
                dark: frame.contentWindow.matchMedia('(prefers-color-scheme: dark)').matches,
                scripts: page.scripts.length, fetched: frame.contentWindow.performance.getEntriesByType('resource').length,
                ink: getComputedStyle(page.body).color, wide: wide.slice(0, 5), flat: flat }));
            });</script>
            """;

    @TempDir
    private Path folder;

    private String run(String... arguments) throws Exception {
        HeadlessBrowser browser = HeadlessBrowser.require();
        return browser.run(arguments);
    }

    /** A page with the report in a frame of the wanted width. */
    private String wrap(String report, int width, int height) throws Exception {
        Path page = folder.resolve("wrapper.html");
        Files.writeString(
                page,
                "<!DOCTYPE html><meta charset=utf-8><meta name=color-scheme content='light dark'><body style='margin:0'>"
                        + "<iframe style='border:0;width:" + width + "px;height:" + height + "px' srcdoc=\""
                        + report.replace("&", "&amp;").replace("\"", "&quot;") + "\"></iframe>" + MEASURE);
        return page.toUri().toString();
    }

    /** The fixture has timelines of two arms only. */
    private static int missing(ReportData data) {
        return data.arms().size() - data.timelines().size();
    }

    private static String scheme(boolean dark) {
        return "--blink-settings=preferredColorScheme=" + (dark ? 0 : 1);
    }

    @ParameterizedTest
    @CsvSource({
        "390, true, ordinary",
        "1280, false, ordinary",
        "390, false, hostile",
        "390, true, several",
        "1280, false, large"
    })
    void theReportFitsTheScreen(int width, boolean dark, String kind) throws Exception {
        ReportData data = switch (kind) {
            case "hostile" -> ReportFixture.hostile();
            case "several" -> ReportFixture.several();
            case "large" -> ReportFixture.data(TopologyXml.parse(Machines.xml("256ia64-64n2s2c")), "work", "worker");
            default -> ReportFixture.ordinary();
        };
        String report = ReportHtml.render(data);
        int height = (width < 800 ? 7000 : 4200) + 2500 * (data.judged().size() - 1);
        String url = wrap(report, width, height);
        Files.createDirectories(PICTURES);
        Path picture = PICTURES.resolve(kind + "-" + width + (dark ? "-dark" : "-light") + ".png");
        Files.deleteIfExists(picture);
        run(scheme(dark), "--window-size=" + Math.max(width, 500) + "," + height, "--screenshot=" + picture, url);
        assertThat(picture).isNotEmptyFile();

        String dom = run(scheme(dark), "--window-size=1400,900", "--virtual-time-budget=3000", "--dump-dom", url);
        Matcher measured = Pattern.compile("data-measured=\"([^\"]*)\"").matcher(dom);
        assertThat(measured.find())
                .as("the page was measured: " + dom.substring(Math.max(0, dom.length() - 300)))
                .isTrue();
        String numbers = measured.group(1).replace("&quot;", "\"");
        assertThat(numbers)
                .contains("\"width\":" + width + ",\"scroll\":" + width + ",")
                .contains("\"dark\":" + dark)
                .contains("\"charts\":"
                        + (2 * data.arms().size() + 4 * data.judged().size() - missing(data)) + ",")
                .contains("\"scripts\":0,\"fetched\":0,")
                .contains("\"ink\":\"rgb(" + (dark ? "230, 235, 240" : "27, 36, 48") + ")\"")
                .contains("\"wide\":[],\"flat\":[]");
    }

    @Test
    void theMeasureFindsWhatIsTooWide() throws Exception {
        String report = ReportHtml.render(ReportFixture.ordinary())
                .replace("<h2>The numbers</h2>", "<h2 style=\"width:900px\">The numbers</h2>");
        String dom = run(
                scheme(false),
                "--window-size=1400,900",
                "--virtual-time-budget=3000",
                "--dump-dom",
                wrap(report, 390, 900));

        assertThat(dom).contains("H2.null");
    }

    @Test
    void theReportIsPrinted() throws Exception {
        Path page = Files.writeString(folder.resolve("report.html"), ReportHtml.render(ReportFixture.ordinary()));
        Files.createDirectories(PICTURES);
        Path paper = PICTURES.resolve("ordinary.pdf");
        Files.deleteIfExists(paper);
        run("--print-to-pdf=" + paper, page.toUri().toString());

        assertThat(Files.readString(paper, StandardCharsets.ISO_8859_1)).startsWith("%PDF-");
    }
}

package org.berth.cli.compare.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.berth.binding.discovery.Discovery;
import org.berth.cli.probe.ProbeClass;
import org.berth.cli.probe.ProbeJson;
import org.berth.cli.probe.ProbeResult;
import org.berth.cli.probe.ProbeText;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.Metric;
import org.berth.experiments.ResourceUsage;
import org.berth.experiments.SamplingSummary;
import org.berth.experiments.ScheduledRun;
import org.berth.experiments.Trial;
import org.berth.experiments.result.ExperimentResult;
import org.berth.experiments.statistics.Spread;
import org.berth.machines.JsonValues;
import org.berth.observation.internal.threads.ResidencyShare;
import org.berth.observation.threads.MigrationCount;
import org.berth.oracle.HeadlessBrowser;
import org.berth.placement.internal.dynamic.DynamicPlacement;
import org.berth.placement.internal.dynamic.DynamicPolicy;
import org.berth.placement.internal.dynamic.InterruptReference;
import org.berth.probes.ProbeSample;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The figures of clients and probes: their numbers in their order, and what a browser makes of them. */
@Tag("one-jdk")
final class FiguresTest {
    private static final Path PICTURES = Path.of(System.getProperty("basedir", "."), "target", "report");
    private static final Pattern NUMBER = Pattern.compile("([0-9.]+)");

    /** Texts that leave the picture or lie on each other. */
    private static final String MEASURE = """
            <script>addEventListener('load', function () {
              var svg = document.querySelector('svg'), all = svg.getBoundingClientRect(), out = [], over = [];
              var texts = Array.from(svg.querySelectorAll('text')).map(function (text) {
                return { words: text.textContent, box: text.getBoundingClientRect() };
              });
              texts.forEach(function (one, index) {
                if (one.box.left < all.left || one.box.right > all.right || one.box.top < all.top
                    || one.box.bottom > all.bottom) out.push(one.words);
                texts.slice(index + 1).forEach(function (other) {
                  if (one.box.left < other.box.right && other.box.left < one.box.right
                      && one.box.top + 2 < other.box.bottom && other.box.top + 2 < one.box.bottom) {
                    over.push(one.words + ' on ' + other.words);
                  }
                });
              });
              document.body.setAttribute('data-measured', 'texts ' + texts.length + ', out ' + JSON.stringify(out)
                + ', over ' + JSON.stringify(over));
            });</script>
            """;

    @TempDir
    private Path folder;

    /** Three policies and two numbers of clients, six rounds; the last run of one policy failed. */
    private static SeriesFigure clients() {
        List<Arm> arms = List.of(Arm.of("none", "true"), Arm.of("core", "true"), Arm.of("pu", "true"));
        Experiment experiment = Experiment.of("clients", arms)
                .withRounds(6)
                .withSeed(1)
                .withMetrics(List.of(
                        new Metric("upload-by-1", "MB/s", Metric.Better.HIGHER, NUMBER),
                        new Metric("upload-by-16", "MB/s", Metric.Better.HIGHER, NUMBER)));
        List<Trial> trials = experiment.schedule().runs().stream()
                .map(run -> run(run, arms.get(run.arm()).name()))
                .toList();
        ExperimentResult result =
                new ExperimentResult(experiment, trials, false, Path.of("/results"), Optional.empty());
        return new SeriesFigure(result, "clients", "uploads by clients", "clients");
    }

    private static Trial run(ScheduledRun run, String arm) {
        double seconds = 10 - run.arm() + 0.1 * run.round();
        boolean good = run.arm() < 2 || run.round() < 6;
        return new Trial(
                run,
                arm,
                good ? Trial.Outcome.COMPLETED : Trial.Outcome.FAILED,
                OptionalInt.of(good ? 0 : 3),
                Duration.ofMillis(Math.round(1000 * seconds)),
                good ? Map.of("upload-by-1", 5400 / seconds, "upload-by-16", 1.7 * seconds) : Map.of(),
                new SamplingSummary(
                        100, 1, 40, MigrationCount.ZERO, MigrationCount.ZERO, new ResidencyShare(0, 0), Duration.ZERO),
                ResourceUsage.NOTHING,
                0.01,
                Path.of("/results/" + run.number() + ".log"),
                List.of());
    }

    /** A machine with cores of all classes by the disk, and of two by the network. */
    private static List<ProbeResult> probes() {
        List<ProbeResult> results = new ArrayList<>();
        for (boolean disk : new boolean[] {true, false}) {
            DynamicPlacement placement = DynamicPlacement.of(
                    disk
                            ? Discovery.synthetic("pack:2 [numa] l3:2 core:2 pu:1")
                            : Discovery.synthetic("l3:1 core:2 pu:1"),
                    DynamicPolicy.INTERRUPT,
                    InterruptReference.ofCpus(CpuSet.of(1)),
                    disk ? InterruptReference.unknown() : InterruptReference.ofCpus(CpuSet.of(0)));
            List<ProbeClass> classes = ProbeClass.of(placement, disk);
            List<ProbeSample> samples = new ArrayList<>();
            for (int round = 1; round <= 3; round++) {
                for (int i = 0; i < classes.size(); i++) {
                    if (classes.get(i).core().isPresent()) {
                        String name = classes.get(i).kind().name();
                        samples.add(new ProbeSample(name, round, 0.1, 1000 - 150 * i + 10 * round, 0.05, 1));
                    }
                }
            }
            String what = disk ? "disk" : "network";
            results.add(new ProbeResult(
                    what, "64 MB moved", what + " x <&>", CpuSet.of(1), 64 << 20, classes, samples, List.of("a note")));
        }
        return results;
    }

    @Test
    void aCurveOfEachPolicyRisesWithItsNumbers() throws Exception {
        SeriesFigure figure = clients();
        Document svg = parse(figure.figure().render());
        NodeList curves = svg.getElementsByTagName("polyline");
        assertThat(curves.getLength()).isEqualTo(3);
        List<Spread> ofNone = figure.result().summary().arms().get(0).metrics().stream()
                .map(metric -> metric.values().orElseThrow())
                .toList();
        String[] points = ((Element) curves.item(0)).getAttribute("points").split("[ ,]");
        assertThat(points).hasSize(4);
        // Downwards in the picture is less.
        assertThat(Double.parseDouble(points[3]) > Double.parseDouble(points[1]))
                .isEqualTo(ofNone.get(1).median() < ofNone.get(0).median());
        assertThat(figure.csv().lines())
                .hasSize(1 + 2 * (6 + 6 + 5))
                .contains(
                        "arm,metric,unit,round,value",
                        "none,upload-by-1,MB/s,1,534.65",
                        "none,upload-by-16,MB/s,1,17.17");
    }

    @Test
    void eachClassHasABarOrAReason() throws Exception {
        List<ProbeResult> probes = probes();
        assertThat(probes.get(0).classes()).allMatch(one -> one.core().isPresent());
        Document svg = parse(ProbeText.svg(probes));
        assertThat(elements(svg, "rect", "bar arm1")).hasSize(4 + 2);
        List<Element> bars = elements(svg, "rect", "bar arm1").subList(0, 4);
        assertThat(bars.stream().map(bar -> Double.parseDouble(bar.getAttribute("height"))))
                .isSortedAccordingTo((one, other) -> Double.compare(other, one));
        assertThat(ProbeText.svg(probes)).contains("none here").contains("&lt;&amp;&gt;");
        assertThat(ProbeText.table(probes.get(1), 80))
                .contains("[NS]   core L#0 (CPU 0)", "1020 (1010-1030)")
                .contains("[NM]   not probed: all cores of that memory node share a cache with it")
                .contains("[NN]   not probed: no allowed core is on another memory node")
                .contains("Note: a note");
        assertThat(ProbeText.csv(probes).lines()).hasSize(1 + 3 * 6).contains("disk,DC,\"0\",2,870.00,0.050000,1");
        assertThat(JsonValues.object(ProbeJson.render(probes))).containsEntry("format", "berth-probe");
    }

    @Test
    void anUnknownReferenceIsTheReasonOfAllClasses() {
        DynamicPlacement placement = DynamicPlacement.of(
                Discovery.synthetic("core:2 pu:1"),
                DynamicPolicy.INTERRUPT,
                InterruptReference.unknown(),
                InterruptReference.ofCpus(CpuSet.of(0, 1)));
        assertThat(ProbeClass.of(placement, true))
                .hasSize(4)
                .allSatisfy(
                        one -> assertThat(one.reason()).contains("the disk's interrupt-handling core is not known"));
        assertThat(ProbeClass.of(placement, false))
                .hasSize(4)
                .allSatisfy(
                        one -> assertThat(one.reason()).contains("the network's interrupts reach every usable core"));
    }

    @ParameterizedTest
    @CsvSource({"clients, false", "clients, true", "probes, false", "probes, true"})
    void isReadableInABrowser(String which, boolean dark) throws Exception {
        HeadlessBrowser browser = HeadlessBrowser.require();
        String svg = which.equals("clients") ? clients().figure().render() : ProbeText.svg(probes());
        String scheme = "--blink-settings=preferredColorScheme=" + (dark ? 0 : 1);
        Path file = Files.writeString(folder.resolve("figure.svg"), svg);
        Files.createDirectories(PICTURES);
        Path picture = PICTURES.resolve(which + (dark ? "-dark" : "-light") + ".png");
        Files.deleteIfExists(picture);
        browser.run(
                scheme,
                "--window-size=800,820",
                "--screenshot=" + picture,
                file.toUri().toString());
        assertThat(picture).isNotEmptyFile();

        Path page = Files.writeString(
                folder.resolve("page.html"),
                "<!DOCTYPE html><meta charset=utf-8><body>" + svg.substring(svg.indexOf("<svg")) + MEASURE);
        String dom = browser.run(
                scheme, "--virtual-time-budget=3000", "--dump-dom", page.toUri().toString());
        assertThat(dom).containsPattern("data-measured=\"texts [1-9][0-9]+, out \\[\\], over \\[\\]\"");
    }

    private static List<Element> elements(Document svg, String name, String style) {
        NodeList all = svg.getElementsByTagName(name);
        List<Element> found = new ArrayList<>();
        for (int i = 0; i < all.getLength(); i++) {
            Element element = (Element) all.item(i);
            if (element.getAttribute("class").equals(style)) {
                found.add(element);
            }
        }
        return found;
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }
}

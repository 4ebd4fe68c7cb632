package org.berth.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.berth.experiments.Arm;
import org.berth.experiments.Conditions;
import org.berth.experiments.Experiment;
import org.berth.experiments.Metric;
import org.berth.experiments.result.ExperimentResult;
import org.berth.experiments.statistics.Spread;
import org.berth.experiments.trial.BalancingSample;
import org.berth.experiments.trial.RunTimeline;
import org.berth.experiments.trial.RunTimeline.RunThread;
import org.berth.machines.Goldens;
import org.berth.machines.Machines;
import org.berth.observation.internal.kernel.BalancingCounters;
import org.berth.observation.internal.threads.Expectation;
import org.berth.observation.threads.ThreadTrack;
import org.berth.placement.PlacementPlan;
import org.berth.report.comparison.Comparison;
import org.berth.report.comparison.Quantity;
import org.berth.report.comparison.ReportTrialsCsv;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

public final class ReportTest {
    /**
     * Parses with the JDK's parser, which knows nothing of HTML: what it accepts has every element closed and every
     * text escaped. */
    public static Document parse(String page) throws Exception {
        assertThat(page).startsWith("<!DOCTYPE html>\n");
        DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        return builder.parse(new InputSource(new StringReader(page)));
    }

    private static List<Element> elements(Document page, String name) {
        NodeList nodes = page.getElementsByTagName(name);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> (Element) nodes.item(i))
                .toList();
    }

    @Test
    void looksAsItDid() {
        ReportData data = ReportFixture.ordinary();

        Goldens.check("report/report.html", ReportHtml.render(data));
        Goldens.check("report/report.md", ReportMarkdown.render(data));
    }

    @Test
    void theTableOfRunsHasALineForEach() {
        Goldens.check(
                "report/trials.csv",
                ReportTrialsCsv.render(ReportFixture.result(
                        "work, \"quoted\"",
                        List.of(new Metric("throughput", "MB/s", Metric.Better.HIGHER, Pattern.compile("(x)"))))));
    }

    @Test
    void theVerdictStandsBeforeEveryPicture() {
        String page = ReportHtml.render(ReportFixture.ordinary());

        assertThat(page.indexOf("class=\"answer\"")).isPositive().isLessThan(page.indexOf("<svg"));
        assertThat(page.indexOf("badge good")).isPositive().isLessThan(page.indexOf("<svg"));
        assertThat(page.indexOf("id=\"ratios-title\""))
                .as("the first picture")
                .isBetween(page.indexOf("<svg"), page.indexOf("</svg>"));
    }

    @Test
    void eachPrintedNumberHasItsTableAndItsPictures() throws Exception {
        Document page = parse(ReportHtml.render(ReportFixture.several()));

        assertThat(elements(page, "h3"))
                .extracting(Element::getTextContent)
                .contains(
                        "Throughput",
                        "P99 latency",
                        "Wall time",
                        "Throughput per run (MB/s)",
                        "P99 latency per run (ms)",
                        "Distribution of the runs: throughput (MB/s)",
                        "Runs in their order: p99 latency (ms)")
                .doesNotContain("Wall time per run");
        String text = page.getDocumentElement().getTextContent();
        assertThat(text)
                .contains(
                        "higher than none in throughput, which is better",
                        "lower than none in p99 latency, which is better")
                .contains("Right of 1 is better: higher.", "Left of 1 is better: lower.")
                .contains("519 MB/s", "17.68 ms");
    }

    /** What the kernel counted, and what was not run or not counted, with the reason. */
    @Test
    void nothingThatTheTerminalTellsIsMissing() throws Exception {
        ReportData data = ReportFixture.ordinary();
        String page = parse(ReportHtml.render(data)).getDocumentElement().getTextContent();
        String markdown = ReportMarkdown.render(data).replace("\\", "");

        for (String report : List.of(page, markdown)) {
            assertThat(report)
                    .contains("numactl: there is only one NUMA node with CPUs that may be used, not run.")
                    .contains("Not counted: cycles (this processor (or the virtual machine) does not offer it).")
                    .contains(
                            "CPU time in programs (user)",
                            "Peak memory of all its processes together",
                            "≥ 1.4 GiB",
                            "Peak memory of its largest process",
                            "Involuntary context switches (the CPU goes to others)",
                            "Page faults with disk input (major)",
                            "Memory on nodes not near its CPUs",
                            "12.5 %",
                            "Pauses of the garbage collector",
                            "perf: page-faults",
                            "Migrations between last-level caches");
        }
    }

    @Test
    void anArmWithoutAPlanHasNoSlots() throws Exception {
        Topology topology = TopologyXml.parse(Machines.xml("2x8x2"));
        Map<String, PlacementPlan> plans = new LinkedHashMap<>(ReportFixture.plans(topology, 16));
        plans.remove("core");
        ReportData data = ReportAssembly.of(
                new Comparison(ReportFixture.result("work", List.of()), plans, Map.of(), 16, List.of()),
                topology,
                List.of(),
                List.of(),
                List.of(),
                ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 0, ZoneOffset.UTC));

        assertThat(data.arms()).extracting(ReportArm::name).containsExactly("none", "core", "pu");
        assertThat(data.arms()).extracting(arm -> arm.slots().size()).containsExactly(16, 0, 16);
        assertThat(parse(ReportHtml.render(data)).getDocumentElement().getTextContent())
                .contains("No plan: ", "T15 on CPU 15");
    }

    /** In a process that is bound as a whole no thread has a slot of its own, even if its plan names slots. */
    @Test
    void slotsAreThoseThatAreWatched() throws Exception {
        Topology topology = TopologyXml.parse(Machines.xml("2x8x2"));
        Map<String, PlacementPlan> plans = new LinkedHashMap<>(ReportFixture.plans(topology, 2));
        plans.remove("core");
        CpuSet whole = CpuSet.range(4, 7);
        List<Arm> list = List.of(
                Arm.of("none", "true"),
                new Arm("pu", List.of("true"), Map.of(), Expectation.within(whole)),
                new Arm(
                        "own",
                        List.of("true"),
                        Map.of(),
                        Expectation.bound(thread -> true, List.of(CpuSet.of(3), CpuSet.of(9)))));
        ExperimentResult result = new ExperimentResult(
                Experiment.of("places", list), List.of(), false, Path.of("/results"), Optional.empty());
        ReportData data = ReportAssembly.of(
                new Comparison(result, plans, Map.of(), 2, List.of()),
                topology,
                List.of(),
                List.of(),
                List.of(),
                ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 0, ZoneOffset.UTC));

        assertThat(parse(ReportHtml.render(data)).getDocumentElement().getTextContent())
                .contains("Not bound: every thread may run on every allowed CPU (0-31).")
                .contains("Bound as a whole: every thread may run on CPU 4-7.")
                .contains("T0 on CPU 3; T1 on CPU 9.");
    }

    /** Two threads of one name are the same two in each arm; others come and go. */
    @Test
    void aThreadHasOneColourInAllArms() throws Exception {
        Document page = parse(ReportHtml.render(ReportFixture.ordinary()));

        List<String> styles = elements(page, "li").stream()
                .filter(entry -> entry.getTextContent().contains("worker-3 (TID 103):"))
                .map(entry -> ((Element) entry.getElementsByTagName("rect").item(0)).getAttribute("class"))
                .toList();
        assertThat(styles).hasSize(2).containsOnly("thread3");
    }

    /** The kernel cuts names off, and several JVMs have threads of the same names. */
    @Test
    void threadsOfOneNameAreToldApart() throws Exception {
        ReportData one = ReportFixture.ordinary();
        RunTimeline timeline = one.timelines().get(0);
        List<RunThread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            RunThread thread = timeline.threads().get(i);
            threads.add(new RunThread(
                    77 + i / 2,
                    new ThreadTrack(100 + i, "C2 CompilerThre", thread.track().runs()),
                    9));
        }
        ReportData two = new ReportData(
                one.title(),
                one.written(),
                one.decision(),
                one.verdict(),
                one.scope(),
                one.remarks(),
                one.arms(),
                one.measures(),
                one.notRun(),
                one.missing(),
                one.topology(),
                List.of(new RunTimeline("none", 17, 5, 0, timeline.endNanos(), 0, 0, threads)),
                one.environment(),
                one.folder(),
                one.figure());

        assertThat(parse(ReportHtml.render(two)).getDocumentElement().getTextContent())
                .contains("C2 CompilerThre (TID 100 of process 77): ")
                .contains("C2 CompilerThre (TID 103 of process 78): ");
    }

    @Test
    void whatBalancingDidIsALineForEachArm() throws Exception {
        ReportData one = ReportFixture.ordinary();
        assertThat(ReportHtml.render(one)).doesNotContain("NUMA balancing did");
        RunTimeline none = one.timelines().get(0);
        List<BalancingSample> samples = List.of(
                new BalancingSample(0.5, BalancingCounters.ZERO, OptionalDouble.of(0.5)),
                new BalancingSample(5, new BalancingCounters(900, 800, 600, 70), OptionalDouble.empty()),
                new BalancingSample(10, new BalancingCounters(1000, 900, 675, 80), OptionalDouble.of(0.125)));
        ReportData data = new ReportData(
                one.title(),
                one.written(),
                one.decision(),
                one.verdict(),
                one.scope(),
                one.remarks(),
                one.arms(),
                one.measures(),
                one.notRun(),
                one.missing(),
                one.topology(),
                List.of(new RunTimeline(none.arm(), 17, 5, 0, none.endNanos(), 0, 0, none.threads(), samples)),
                one.environment(),
                one.folder(),
                one.figure());

        Document page = parse(ReportHtml.render(data));
        assertThat(page.getDocumentElement().getTextContent())
                .contains("What NUMA balancing did")
                .contains(none.arm() + ": 12.5 %")
                .contains("counts this for the whole machine")
                .contains(none.arm() + ": in 10.0 s 900 hint faults (75 % local), 80 pages moved,");
        // Two samples have a share of remote memory, three the counts.
        assertThat(elements(page, "line").stream()
                        .filter(line -> line.getAttribute("class").startsWith("track")))
                .hasSize(1 + 2 + 2);
    }

    @Test
    void noLineCrossesTheNumbersOfTheRatios() throws Exception {
        Element picture = elements(parse(ReportHtml.render(ReportFixture.ordinary())), "svg").stream()
                .filter(svg -> svg.getAttribute("aria-labelledby").startsWith("ratios"))
                .findFirst()
                .orElseThrow();
        List<Double> baseLines = IntStream.range(
                        0, picture.getElementsByTagName("text").getLength())
                .mapToObj(i -> (Element) picture.getElementsByTagName("text").item(i))
                .filter(text -> text.getAttribute("class").startsWith("value"))
                .map(text -> Double.parseDouble(text.getAttribute("y")))
                .toList();
        List<Element> ones = IntStream.range(
                        0, picture.getElementsByTagName("line").getLength())
                .mapToObj(i -> (Element) picture.getElementsByTagName("line").item(i))
                .filter(line -> line.getAttribute("class").equals("one"))
                .toList();

        assertThat(baseLines).hasSize(2);
        assertThat(ones).isNotEmpty().allSatisfy(line -> {
            double top = Double.parseDouble(line.getAttribute("y1"));
            double bottom = Double.parseDouble(line.getAttribute("y2"));
            assertThat(baseLines).noneMatch(y -> top < y + 3 && bottom > y - 10);
        });
    }

    @Test
    void theCommandHasWhatTheCollectorsLogAdds() {
        Topology topology = TopologyXml.parse(Machines.xml("2x8x2"));
        Arm arm = new Arm("none", List.of("true"), Map.of("JAVA_TOOL_OPTIONS", "-Xmx1g"), Expectation.none());
        Experiment experiment = Experiment.of("work", List.of(arm, Arm.of("other", "true")));
        ReportData data = ReportAssembly.of(
                new Comparison(
                        new ExperimentResult(
                                experiment.withConditions(Conditions.PLAIN.withGcLog(true)),
                                List.of(),
                                false,
                                Path.of("/results"),
                                Optional.empty()),
                        Map.of(),
                        Map.of(),
                        2,
                        List.of()),
                topology,
                List.of(),
                List.of(),
                List.of(),
                ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 0, ZoneOffset.UTC));

        assertThat(data.arms().get(0).environment().get("JAVA_TOOL_OPTIONS"))
                .isEqualTo("-Xmx1g '-Xlog:gc,gc+phases:file=\"berth-%p.gc\"::filecount=0'");
        assertThat(data.arms().get(1).commandLine())
                .contains("-Xlog:gc,gc+phases:file=")
                .endsWith(" true");
    }

    @Test
    void nothingIsFetchedOrExecuted() throws Exception {
        Document page = parse(ReportHtml.render(ReportFixture.hostile()));

        Set<String> names = new HashSet<>();
        for (Element element : elements(page, "*")) {
            names.add(element.getTagName());
            for (int i = 0; i < element.getAttributes().getLength(); i++) {
                String attribute = element.getAttributes().item(i).getNodeName();
                assertThat(attribute).isNotIn("src", "href", "srcset", "action", "data", "style", "xlink:href");
                assertThat(attribute).doesNotStartWith("on");
            }
        }
        assertThat(names).doesNotContain("script", "img", "link", "iframe", "object", "form", "image", "use", "a");
        assertThat(elements(page, "meta"))
                .filteredOn(meta -> meta.getAttribute("http-equiv").equals("Content-Security-Policy"))
                .singleElement()
                .satisfies(meta -> assertThat(meta.getAttribute("content")).startsWith("default-src 'none';"));
        assertThat(ReportStyle.CSS).doesNotContain("url(", "@import", "<", "&");
    }

    @Test
    void namesFromOutsideStayText() throws Exception {
        Document page = parse(ReportHtml.render(ReportFixture.hostile()));
        String shown = "</title><script>alert(1)</script>\"'><img src=http://example.org/x onerror=alert(2)>]]>&amp;"
                + "\uFFFD\uFFFD\uFFFD|`**x**";

        assertThat(elements(page, "title").get(0).getTextContent()).endsWith(shown);
        assertThat(elements(page, "pre").get(0).getTextContent()).contains("<img src=http://example.org/x");
        assertThat(elements(page, "th")).extracting(Element::getTextContent).contains(shown + "NONE");
    }

    @Test
    void everyPictureIsNamedAndDescribed() throws Exception {
        Document page = parse(ReportHtml.render(ReportFixture.ordinary()));

        Set<String> ids = new HashSet<>();
        List<String> duplicates = new ArrayList<>();
        elements(page, "*").stream()
                .map(element -> element.getAttribute("id"))
                .filter(id -> !id.isEmpty() && !ids.add(id))
                .forEach(duplicates::add);
        assertThat(duplicates).isEmpty();
        List<Element> pictures = elements(page, "svg").stream()
                .filter(svg -> svg.getAttribute("role").equals("img"))
                .toList();
        assertThat(pictures).hasSize(4 + 2);
        for (Element picture : pictures) {
            assertThat(ids).contains(picture.getAttribute("aria-labelledby").split(" "));
        }
    }

    @Test
    void markdownOfHostileNamesHasNoMarksOfItsOwn() {
        String report = ReportMarkdown.render(ReportFixture.hostile());

        // Outside the fenced commands every bracket of HTML and every bar of a name has its backslash.
        String prose = report.replaceAll("(?s)```+sh\n.*?\n```+\n", "");
        assertThat(prose).doesNotContainPattern("(?<!\\\\)<").doesNotContain("e)>]]>", "**x**");
        assertThat(report.lines().filter(line -> line.startsWith("|"))).allMatch(line -> line.endsWith("|"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"=1+1", "+1+1", "@SUM(A1)", "-cmd"})
    void aNameIsNoFormula(String name) {
        assertThat(ReportTrialsCsv.cell(name)).isEqualTo("'" + name);
        assertThat(ReportTrialsCsv.cell("-1.5")).isEqualTo("-1.5");
    }

    /** The contrast that WCAG 2.2 asks for: 4.5 for text (AA), 3 for what pictures are made of. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void contrastIsEnoughInBothSchemes(boolean dark) {
        Map<String, Double> luminance = new HashMap<>();
        String css = ReportStyle.CSS.split("@media", 3)[dark ? 1 : 0];
        Pattern.compile("--([a-z0-9-]+): #([0-9a-f]{6})")
                .matcher(css)
                .results()
                .forEach(one -> luminance.put(one.group(1), luminance(Integer.parseInt(one.group(2), 16))));
        for (String background : List.of("page", "card", "used", "out")) {
            assertThat(contrast(luminance, "ink", background))
                    .as("ink on " + background)
                    .isGreaterThan(4.5);
        }
        for (String background : List.of("page", "card", "out")) {
            assertThat(contrast(luminance, "soft", background))
                    .as("soft on " + background)
                    .isGreaterThan(4.5);
        }
        for (String colour : luminance.keySet()) {
            if (colour.matches("[at][0-9]|others|accent|used-line")) {
                assertThat(contrast(luminance, colour, "card")).as(colour).isGreaterThan(3);
            }
        }
        assertThat(luminance).hasSizeGreaterThan(20);
    }

    private static double contrast(Map<String, Double> luminance, String one, String other) {
        double a = luminance.getOrDefault(one, Double.NaN);
        double b = luminance.getOrDefault(other, Double.NaN);
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    }

    private static double luminance(int rgb) {
        return 0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8) + 0.0722 * linear(rgb);
    }

    private static double linear(int channel) {
        double value = (channel & 255) / 255.0;
        return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "999, 999",
        "9999, 9999",
        "81170, '81,170'",
        "999999, '999,999'",
        "28729489, 28.7_M",
        "999600000, 1.00_G",
        "397961289, 398_M",
        "3305942401, 3.31_G",
        "1800000000000, 1.80_T"
    })
    void countsAreShort(double number, String text) {
        assertThat(ReportCounters.count(number)).isEqualTo(text.replace('_', '\u202f'));
    }

    @Test
    void quartilesByHand() {
        assertThat(ReportRunCharts.quantile(new double[] {1, 2, 3, 4, 5}, 0.25)).isEqualTo(2);
        assertThat(ReportRunCharts.quantile(new double[] {1, 2, 3, 4}, 0.5)).isEqualTo(2.5);
        assertThat(ReportRunCharts.quantile(new double[] {7}, 0.75)).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2arm-2c", "256ia64-64n2s2c", "fakeheteromemtiers"})
    void everyMachineHasAReport(String machine) throws Exception {
        Document page = parse(
                ReportHtml.render(ReportFixture.data(TopologyXml.parse(Machines.xml(machine)), "work", "worker")));

        assertThat(elements(page, "pre")).isNotEmpty();
    }

    @Test
    void anEmptyFigureIsStillOne() throws Exception {
        FigureSvg.Panel panel = new FigureSvg.Panel(
                "nothing",
                "across",
                Quantity.WALL,
                List.of("1"),
                List.of(new FigureSvg.Series("a", List.of(Spread.of(DoubleStream.empty())))),
                false);
        String svg = new FigureSvg("t", List.of(), List.of(panel)).render();

        assertThat(svg).contains("<polyline").doesNotContain("whisker\" x1");
    }
}

package org.berth.report.study;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.berth.experiments.Metric;
import org.berth.report.ReportFact;
import org.berth.report.ReportFixture;
import org.berth.report.comparison.Comparison;

/** Studies made by hand. */
public final class StudyFixture {
    static final Metric SECONDS = new Metric("throughput", "s", Pattern.compile("(x)"));

    private StudyFixture() {}

    /** Two workloads under two settings, each part with three arms and six rounds, of which one arm failed in one. */
    static Study ordinary(String name) {
        return of(parts(name), List.of(), name);
    }

    /** The same with the pauses of collectors and what one factor changes. */
    public static Study ofCollectors(String name) {
        List<Study.Part> parts = parts(name);
        return of(parts, CollectorSections.of(parts, List.of(new CollectorSections.Pair("core", "none"))), name);
    }

    private static List<Study.Part> parts(String name) {
        return List.of(
                part("sort", "berth, 1 worker of 2 threads", name),
                part("k, means", "berth, 1 worker of 2 threads", name),
                part("sort", "berth, 1 worker of 4 threads", name));
    }

    private static Study of(List<Study.Part> parts, List<Study.Section> sections, String name) {
        return new Study(
                "affinity",
                parts,
                sections,
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
}

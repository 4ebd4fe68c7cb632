package org.berth.report;

import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.berth.experiments.Arm;
import org.berth.experiments.CollectorUse;
import org.berth.experiments.Experiment;
import org.berth.experiments.KernelAccounting;
import org.berth.experiments.Metric;
import org.berth.experiments.PauseSummary;
import org.berth.experiments.ResourceUsage;
import org.berth.experiments.SamplingSummary;
import org.berth.experiments.ScheduledRun;
import org.berth.experiments.Trial;
import org.berth.experiments.Trial.Outcome;
import org.berth.experiments.result.ExperimentResult;
import org.berth.experiments.trial.RunTimeline;
import org.berth.experiments.trial.RunTimeline.RunThread;
import org.berth.machines.Machines;
import org.berth.observation.internal.threads.Expectation;
import org.berth.observation.internal.threads.ResidencyShare;
import org.berth.observation.threads.CpuRun;
import org.berth.observation.threads.MigrationCount;
import org.berth.observation.threads.ThreadTrack;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.report.comparison.Comparison;
import org.berth.text.Words;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;

/** A comparison made by hand: three levels on a machine of two packages, six rounds, the last run of one failed. */
public final class ReportFixture {
    /** What a name from outside may try. */
    public static final String HOSTILE =
            "</title><script>alert(1)</script>\"'><img src=http://example.org/x onerror=alert(2)>"
                    + "]]>&amp;\u0001\u202E\uD800|`**x**";

    private static final List<AffinityLevel> LEVELS = List.of(AffinityLevel.NONE, AffinityLevel.CORE, AffinityLevel.PU);
    private static final Pattern NUMBER = Pattern.compile("([0-9.]+)");
    private static final long SECOND = 1_000_000_000L;
    private static final double[][] SECONDS = {
        {10.9, 10.1, 10.4, 10.2, 10.6, 10.3, 10.5},
        {9.9, 9.1, 9.3, 9.2, 9.6, 9.4, 9.5},
        {10.8, 10.2, 10.3, 10.4, 10.5, 10.2, -1}
    };

    private ReportFixture() {}

    static ReportData ordinary() {
        return data(TopologyXml.parse(Machines.xml("2x8x2")), "java -jar work.jar", "worker");
    }

    /** The ordinary experiment with a command that prints a throughput and a latency. */
    static ReportData several() {
        return data(
                TopologyXml.parse(Machines.xml("2x8x2")),
                "java -jar work.jar",
                "worker",
                List.of(
                        new Metric("throughput", "MB/s", Metric.Better.HIGHER, NUMBER),
                        new Metric("p99 latency", "ms", NUMBER)));
    }

    static ReportData hostile() {
        return data(TopologyXml.parse(Machines.xml("2x8x2")), HOSTILE, HOSTILE);
    }

    static ReportData data(Topology topology, String work, String thread) {
        return data(topology, work, thread, List.of());
    }

    private static ReportData data(Topology topology, String work, String thread, List<Metric> metrics) {
        Map<String, PlacementPlan> plans = plans(topology, 16);
        ExperimentResult result = result(work, metrics);
        List<String> names = result.experiment().arms().stream().map(Arm::name).toList();
        return ReportAssembly.of(
                new Comparison(
                        result,
                        plans,
                        Map.of(),
                        plans.values().iterator().next().slots().size(),
                        List.of("numactl: there is only one NUMA node with CPUs that may be used")),
                topology,
                List.of(timeline(names.get(0), thread, 1), timeline(names.get(1), thread, 0)),
                List.of("All runs computed the same result (" + work + ")."),
                List.of(
                        new ReportFact("Processor", "Example 9000 " + work),
                        new ReportFact("Load average after the runs (1, 5, 15 min)", "1.20, 0.80, 0.50")),
                ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 0, ZoneOffset.UTC));
    }

    /** A worker for each package, with a plan for each of the levels. */
    static Map<String, PlacementPlan> plans(Topology topology, int threads) {
        int workers = Math.max(1, topology.count(ObjectType.PACKAGE));
        Map<String, PlacementPlan> plans = new LinkedHashMap<>();
        for (AffinityLevel level : LEVELS) {
            PlacementRequest request =
                    PlacementRequest.of(level, workers, Math.max(1, (threads + workers - 1) / workers));
            plans.put(level.word(), PlacementPolicies.byLevel().plan(topology, request));
        }
        return plans;
    }

    public static ExperimentResult result(String work, List<Metric> metrics) {
        boolean hostile = work.equals(HOSTILE);
        List<Arm> list = new ArrayList<>();
        LEVELS.forEach(level -> list.add(new Arm(
                hostile ? HOSTILE + level : Words.of(level),
                List.of("java", "-agentpath:/opt/berth/libberth.so=plan=/results/plan-" + level + ".txt", work),
                Map.of("MODE", work),
                Expectation.none())));
        Experiment experiment =
                Experiment.of(work, list).withSeed(1).withRounds(6).withMetrics(metrics);
        List<Trial> trials = new ArrayList<>();
        for (int round = 0; round <= experiment.rounds(); round++) {
            for (int place = 0; place < list.size(); place++) {
                // Forward and backward in turn, as an order may be.
                int arm = round > 0 && round % 2 == 0 ? list.size() - 1 - place : place;
                ScheduledRun run = new ScheduledRun(trials.size() + 1, round, arm);
                trials.add(trial(run, list.get(arm).name(), SECONDS[arm][round], work));
            }
        }
        return new ExperimentResult(experiment, trials, false, Path.of("/results"), Optional.empty());
    }

    private static Trial trial(ScheduledRun run, String arm, double seconds, String note) {
        MigrationCount moves =
                new MigrationCount(5, 4, 2, 1, 1, OptionalLong.of(run.arm() == 0 ? 240 : 12 + run.round()));
        boolean good = seconds > 0;
        return new Trial(
                run,
                arm,
                good ? Outcome.COMPLETED : Outcome.FAILED,
                OptionalInt.of(good ? 0 : 3),
                Duration.ofMillis(Math.round(Math.abs(seconds) * 1000)),
                good ? Map.of("throughput", 5400 / seconds, "p99 latency", seconds * 1.7) : Map.of(),
                new SamplingSummary(100, 1, 40, moves, moves, new ResidencyShare(99, 100), Duration.ofMillis(20)),
                good ? measured(run, seconds) : ResourceUsage.NOTHING,
                0.01,
                Path.of("/results/" + run.number() + ".log"),
                List.of(note));
    }

    private static ResourceUsage measured(ScheduledRun run, double seconds) {
        KernelAccounting usage = new KernelAccounting(
                1.8 * seconds,
                0.1 * seconds,
                1_234_000_000,
                91_000 + run.round(),
                run.round() % 2,
                8_000 + 10 * run.round(),
                900 - run.round(),
                Map.of("task-clock", Math.round(1.9e9 * seconds), "page-faults", 91_000L + run.round()),
                Map.of("cycles", "this processor (or the virtual machine) does not offer it"));
        return new ResourceUsage(
                Optional.of(usage),
                OptionalDouble.of(0.125),
                OptionalLong.of(1_500_000_000L),
                OptionalDouble.of(0.25),
                Map.of(),
                OptionalDouble.of(0.5 + 0.01 * run.round()),
                Optional.of(collector(run.round())));
    }

    /** Ten pauses a run, of which the longest grows from round to round. */
    private static CollectorUse collector(int round) {
        return new CollectorUse(
                new PauseSummary(10, 50 + round, 2, 20 + round, 20 + round),
                new PauseSummary(1, 3, 3, 3, 3),
                4,
                0.5,
                Map.of(0, 0.375, 1, 0.125));
    }

    /** Sixteen threads, each a quarter of the time on a CPU before it goes so many CPUs further. */
    private static RunTimeline timeline(String arm, String name, int step) {
        List<RunThread> threads = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            List<CpuRun> runs = new ArrayList<>();
            for (int quarter = 0; quarter < 4; quarter++) {
                long from = SECOND * 5 * quarter / 2;
                runs.add(new CpuRun(from, from + SECOND * 5 / 2, (i + 3 * step * quarter) % 32));
            }
            threads.add(new RunThread(77, new ThreadTrack(100 + i, name + "-" + i, runs), SECOND * (9 - i / 4)));
        }
        return new RunTimeline(arm, 17, 5, 0, 10 * SECOND, 0, 2, threads);
    }
}

package org.berth.experiments.trial;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.berth.experiments.Arm;
import org.berth.experiments.Conditions;
import org.berth.experiments.Experiment;
import org.berth.experiments.GcLogs;
import org.berth.experiments.PrintedNumber;
import org.berth.experiments.ResourceUsage;
import org.berth.experiments.SamplingSummary;
import org.berth.experiments.ScheduledRun;
import org.berth.experiments.Trial;
import org.berth.experiments.Trial.Outcome;
import org.berth.observation.Reading;
import org.berth.observation.internal.process.CallerEnvironment;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;

/** Runs one arm once, in a fresh process, and samples its threads. */
public final class TrialRunner {
    private static final long STOP_MILLIS = 200;

    /** 128 + SIGINT, SIGQUIT and SIGTERM: a ^C reaches the command itself, which may end before we are told of it. */
    private static final Set<Integer> STOP_CODES = Set.of(130, 131, 143);

    private final Experiment experiment;
    private final Topology topology;
    private final Timelines timelines;

    public TrialRunner(Experiment experiment, Topology topology, Timelines timelines) {
        this.experiment = experiment;
        this.topology = topology;
        this.timelines = timelines;
    }

    /** Never throws for what the command does; an interrupt ends it, and the thread stays interrupted. */
    public Trial run(ScheduledRun run, Arm arm, Path log) {
        Reading<CpuUse> before = CpuUse.now();
        RunSampler sampler = new RunSampler(topology, arm.expectation(), experiment.workers(), balances());
        List<String> notes = new ArrayList<>();
        ProcessEnd processEnd = new ProcessEnd();
        Conditions conditions = experiment.conditions();
        UsageRecorder recorder = new UsageRecorder(conditions.usageRecorder(), withEnding(log, ".usage"));
        GcLogs gcLogs = new GcLogs(conditions.gcLog(), withEnding(log, ""));
        ProcessBuilder builder = builder(recorder.command(arm.command()), log);
        builder.environment().putAll(conditions.environment(arm, gcLogs.stem()));
        processEnd.mark(builder);
        Ended ended;
        try {
            long startNanos = System.nanoTime();
            ended = sample(builder.start(), startNanos, sampler, processEnd, notes);
        } catch (IOException e) {
            notes.add("could not be started: " + e.getMessage());
            return unmeasured(run, arm, stopsSoon() ? Outcome.STOPPED : Outcome.FAILED, log, notes);
        }
        Optional<GcLogs.Contents> gc = gcLogs.read(notes);
        ResourceUsage resources = new ResourceUsage(
                recorder.read(notes),
                sampler.remoteShare(),
                sampler.treePeakRssBytes(),
                gc.stream()
                        .mapToDouble(contents -> contents.pauses().totalMillis() / 1000)
                        .findFirst(),
                sampler.nodeBytes(),
                sampler.hugeHeaps().share(),
                gc.map(contents -> sampler.collectors().use(contents.pauses(), contents.stalls())));
        sampler.memoryProblem().ifPresent(why -> notes.add("memory by node unknown: " + why));
        sampler.hugeHeaps().problem().ifPresent(why -> notes.add("heap in huge pages unknown: " + why));
        if (sampler.processes() == 0) {
            notes.add(experiment.threads() == Experiment.ThreadScope.JVMS ? "no JVM was seen" : "no thread was seen");
        }
        Map<String, PrintedNumber> printed = PrintedNumbers.read(log, arm.processes(), experiment.metrics(), notes);
        Trial trial = new Trial(
                run,
                arm.name(),
                ended.outcome,
                ended.exitCode,
                ended.wall,
                each(printed, PrintedNumber::value),
                each(printed, PrintedNumber::step),
                arm.elsewhere().isEmpty() ? sampler.sampling() : nothingSampled(arm),
                arm.elsewhere().isEmpty() ? resources : ResourceUsage.NOTHING,
                othersShare(before, notes),
                log,
                notes);
        timelines.put(trial, sampler.timeline(), sampler.balancing());
        return trial;
    }

    private static double othersShare(Reading<CpuUse> before, List<String> notes) {
        Reading<Double> share = before.flatMap(then -> CpuUse.now().map(now -> now.othersShareSince(then)));
        if (share.value().isEmpty()) {
            notes.add("the CPU time of other work is not known: " + share.reason());
        }
        return share.orElse(Double.NaN);
    }

    private static Map<String, Double> each(Map<String, PrintedNumber> printed, ToDoubleFunction<PrintedNumber> what) {
        Map<String, Double> numbers = new HashMap<>();
        printed.forEach((name, number) -> numbers.put(name, what.applyAsDouble(number)));
        return numbers;
    }

    /** On one node the kernel counts, too, but that matters only where it is asked for. */
    private boolean balances() {
        return topology.objects(ObjectType.NUMA_NODE).size() > 1
                || experiment.arms().stream()
                        .flatMap(arm -> arm.kernel().stream())
                        .anyMatch(one -> one.setting().endsWith("numa_balancing"));
    }

    /** A ^C also hits the JVM's own helper that starts processes, before we are told of it. */
    private static boolean stopsSoon() {
        try {
            Thread.sleep(STOP_MILLIS);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** A run that never began. */
    public Trial unmeasured(ScheduledRun run, Arm arm, Outcome outcome, Path log, List<String> notes) {
        return new Trial(
                run,
                arm.name(),
                outcome,
                OptionalInt.empty(),
                Duration.ZERO,
                Map.of(),
                nothingSampled(arm),
                ResourceUsage.NOTHING,
                Double.NaN,
                log,
                notes);
    }

    private SamplingSummary nothingSampled(Arm arm) {
        return new RunSampler(topology, arm.expectation(), experiment.workers(), balances()).sampling();
    }

    private static Path withEnding(Path log, String ending) {
        String name = String.valueOf(log.getFileName());
        return log.toAbsolutePath().resolveSibling(name.substring(0, name.lastIndexOf('.')) + ending);
    }

    private record Ended(Outcome outcome, OptionalInt exitCode, Duration wall) {}

    private static ProcessBuilder builder(List<String> command, Path log) {
        return CallerEnvironment.restore(new ProcessBuilder(command))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .redirectInput(new File("/dev/null"));
    }

    private Ended sample(
            Process process, long startNanos, RunSampler sampler, ProcessEnd processEnd, List<String> notes) {
        // On the thread that fetches the exit code, so that sampling does not delay the clock.
        CompletableFuture<Long> endNanos = process.onExit().thenApply(ended -> System.nanoTime());
        try (SampledProcesses tree = new SampledProcesses(
                process.toHandle(),
                experiment.threads(),
                experiment.conditions().usageRecorder().isEmpty())) {
            Outcome outcome = sampleUntilEnd(process, tree, sampler, startNanos);
            notes.addAll(tree.problems());
            boolean byItself = outcome == Outcome.COMPLETED || outcome == Outcome.FAILED;
            int left = processEnd.end(tree.members(), byItself);
            if (left > 0 && byItself) {
                notes.add("left running, and ended by berth: " + left + (left == 1 ? " process" : " processes"));
            }
            return new Ended(
                    outcome,
                    byItself ? OptionalInt.of(process.exitValue()) : OptionalInt.empty(),
                    Duration.ofNanos(endNanos.join() - startNanos));
        }
    }

    /** Samples at a steady pace until the process ends on its own, times out, or this thread is interrupted. */
    private Outcome sampleUntilEnd(Process process, SampledProcesses tree, RunSampler sampler, long startNanos) {
        long interval = experiment.samplingInterval().toNanos();
        long timeout = experiment.timeout().toNanos();
        long next = interval;
        try {
            while (true) {
                long elapsed = System.nanoTime() - startNanos;
                if (elapsed >= timeout) {
                    return Outcome.TIMED_OUT;
                }
                if (process.waitFor(Math.min(next, timeout) - elapsed, TimeUnit.NANOSECONDS)) {
                    return process.exitValue() == 0
                            ? Outcome.COMPLETED
                            : STOP_CODES.contains(process.exitValue()) && stopsSoon()
                                    ? Outcome.STOPPED
                                    : Outcome.FAILED;
                }
                sampler.add(tree);
                next = Math.max(next + interval, System.nanoTime() - startNanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcome.STOPPED;
        }
    }
}

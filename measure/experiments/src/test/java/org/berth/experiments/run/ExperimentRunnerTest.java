package org.berth.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.berth.experiments.Arm;
import org.berth.experiments.Conditions;
import org.berth.experiments.Experiment;
import org.berth.experiments.Experiment.ThreadScope;
import org.berth.experiments.Metric;
import org.berth.experiments.ResourceUsage;
import org.berth.experiments.SamplingSummary;
import org.berth.experiments.ScheduledRun;
import org.berth.experiments.Trial;
import org.berth.experiments.Trial.Outcome;
import org.berth.experiments.result.ArmSummary;
import org.berth.experiments.result.ExperimentResult;
import org.berth.machines.Machines;
import org.berth.observation.ProcessStatus;
import org.berth.observation.internal.threads.Expectation;
import org.berth.observation.internal.threads.ThreadNamePattern;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.Machine;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The runner with real processes. */
@Tag("one-jdk")
@Timeout(600)
class ExperimentRunnerTest {
    private static final Topology TOPOLOGY = TopologyXml.parse(Machines.xml("256ppc-8n8s4t"));

    /** No other process of the machine has these arguments. */
    private static final String SLEEP = "sleep 1000." + ProcessHandle.current().pid();

    @TempDir
    private Path directory;

    @Test
    void orderEnvironmentOutputAndMetric() throws IOException {
        Path order = directory.resolve("order");
        Experiment experiment = Experiment.of(
                        "order",
                        List.of(
                                new Arm(
                                        "a",
                                        sh("echo a >> $ORDER; echo x=1; echo x=2"),
                                        env(order),
                                        Expectation.none()),
                                new Arm("b/c", sh("echo b >> $ORDER; echo x=4 >&2"), env(order), Expectation.none())))
                .withRounds(2)
                .withSeed(3034)
                .withMetric(new Metric("x", "s", Pattern.compile("^x=(.*)")));
        ExperimentResult result = run(experiment);
        assertThat(Files.readAllLines(order))
                .as("forward, then backward")
                .containsExactly("a", "b", "a", "b", "b", "a");
        assertThat(result.stopped()).isFalse();
        assertThat(result.trials())
                .allSatisfy(trial -> {
                    assertThat(trial.outcome()).isEqualTo(Outcome.COMPLETED);
                    assertThat(trial.exitCode()).hasValue(0);
                    assertThat(trial.notes()).containsExactly("no JVM was seen");
                })
                .extracting(trial -> trial.metric("x"))
                .containsExactly(some(2), some(4), some(2), some(4), some(4), some(2));
        assertThat(result.summary().arms().get(1).metricRatio())
                .hasValueSatisfying(ratio -> assertThat(ratio.estimate()).isEqualTo(2));
        assertThat(result.trials().get(3).log()).hasContent("x=4").hasFileName("04-round-1-b_c.log");
    }

    @Test
    void severalNumbersAreFoundAndTheMissingOneIsTold() throws IOException {
        Experiment experiment = Experiment.of(
                        "numbers", List.of(Arm.of("a", "sh", "-c", "echo x=1 rate 200; echo x=3")))
                .withRounds(1)
                .withWarmUps(0)
                .withMetrics(List.of(
                        new Metric("x", "s", Pattern.compile("x=([0-9]+)")),
                        new Metric("rate", "op/s", Metric.Better.HIGHER, Pattern.compile("rate ([0-9]+)")),
                        new Metric("p99", "ms", Pattern.compile("p99 ([0-9]+)"))));
        Trial trial = run(experiment).trials().get(0);
        assertThat(trial.metrics()).containsOnly(Map.entry("x", 3.0), Map.entry("rate", 200.0));
        assertThat(trial.notes()).contains("printed no p99 (p99 ([0-9]+))");
    }

    /** What the command itself takes would be read as what its work takes. */
    @Test
    void anArmWhoseWorkRunsElsewhereHasNoNumbersOfItsCommand() throws IOException {
        List<Trial> trials;
        try (AwaitedSamples looks = AwaitedSamples.in(directory, 10)) {
            Experiment experiment = Experiment.of(
                            "elsewhere",
                            List.of(
                                    Arm.of("here", "sh", "-c", looks.shell("here", ":")),
                                    Arm.of("there", "sleep", "0.5").withWorkElsewhere("on a cluster")))
                    .withRounds(1)
                    .withWarmUps(0)
                    .withThreads(Experiment.ThreadScope.ALL)
                    .withSamplingInterval(Duration.ofMillis(20));
            trials = run(experiment).trials().stream()
                    .sorted(Comparator.comparing(Trial::arm))
                    .toList();
        }
        assertThat(trials.get(0).sampling().processes()).isPositive();
        assertThat(trials.get(0).resources().treePeakRssBytes()).isPresent();
        assertThat(trials.get(1).sampling().processes()).isZero();
        assertThat(trials.get(1).resources()).isEqualTo(ResourceUsage.NOTHING);
        assertThat(trials.get(1).notes()).isEmpty();
    }

    /** Three processes that each hold 60 MB at one time: the kernel knows the largest, samples know the sum. */
    @Test
    void memoryOfAllProcessesIsAddedUp() throws IOException {
        Trial trial;
        try (AwaitedSamples looks = AwaitedSamples.in(directory, 20)) {
            String hold = "head -c 60000000 /dev/zero | tail -c 60000000 | (until [ -e " + looks.seen("memory")
                    + " ]; do sleep 0.02; done; wc -c)";
            Experiment experiment = Experiment.of(
                            "memory", List.of(Arm.of("a", "sh", "-c", hold + " & " + hold + " & " + hold + "; wait")))
                    .withRounds(1)
                    .withWarmUps(0)
                    .withSamplingInterval(Duration.ofMillis(20));
            new Thread(() -> markThreeLargeProcesses(looks.busy("memory")), "mark").start();
            trial = run(experiment).trials().get(0);
        }
        assertThat(trial.log()).hasContent("60000000\n60000000\n60000000");
        assertThat(trial.resources().treePeakRssBytes().orElseThrow()).isBetween(180_000_000L, 600_000_000L);
    }

    private static void markThreeLargeProcesses(Path busy) {
        Await.until(
                "three large processes",
                () -> ProcessHandle.current()
                        .descendants()
                        .filter(process -> ProcessStatus.read(process.pid())
                                        .map(ProcessStatus::residentBytes)
                                        .orElse(0L)
                                >= 60_000_000)
                        .count(),
                count -> count >= 3);
        try {
            Files.createFile(busy);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void badRunsDoNotStopTheOthers() throws IOException {
        Experiment experiment = Experiment.of(
                        "bad",
                        List.of(
                                Arm.of("good", "true"),
                                Arm.of("fails", "sh", "-c", "echo why; exit 3"),
                                Arm.of("missing", "/nonexistent/program"),
                                Arm.of("last", "true")))
                .withRounds(1)
                .withSeed(58717)
                .withWarmUps(0);
        List<Trial> trials = run(experiment).trials();
        assertThat(trials)
                .extracting(Trial::outcome)
                .containsExactly(Outcome.COMPLETED, Outcome.FAILED, Outcome.FAILED, Outcome.COMPLETED);
        assertThat(trials)
                .extracting(Trial::exitCode)
                .containsExactly(OptionalInt.of(0), OptionalInt.of(3), OptionalInt.empty(), OptionalInt.of(0));
        assertThat(trials.get(1).log()).hasContent("why");
        assertThat(trials.get(2).notes())
                .anySatisfy(note ->
                        assertThat(note).startsWith("could not be started: ").contains("/nonexistent/program"));
    }

    @Test
    void aRunThatTakesTooLongIsEndedWithAllThatItStarted() throws IOException {
        Experiment experiment = Experiment.of("long", List.of(Arm.of("hangs", "sh", "-c", SLEEP + " & " + SLEEP)))
                .withRounds(2)
                .withWarmUps(0)
                .withTimeout(Duration.ofMillis(700));
        assertThat(run(experiment).trials()).hasSize(2).allSatisfy(trial -> {
            assertThat(trial.outcome()).isEqualTo(Outcome.TIMED_OUT);
            assertThat(trial.exitCode()).isEmpty();
            assertThat(trial.wall()).isGreaterThanOrEqualTo(Duration.ofMillis(700));
        });
        assertNobodyRuns(SLEEP);
    }

    @Test
    void jvmBelowALauncherIsWatchedWhereItRuns() throws IOException {
        int cpu = usable().last();
        List<ArmSummary> arms;
        try (AwaitedSamples looks = AwaitedSamples.in(directory, 40)) {
            // The shell stays and is busy itself; its thread must not be counted.
            List<String> command = launcher(cpu, looks);
            Experiment experiment = Experiment.of(
                            "jvm",
                            List.of(
                                    new Arm("inside", command, Map.of(), Expectation.within(CpuSet.of(cpu))),
                                    new Arm("outside", command, Map.of(), Expectation.within(CpuSet.of(cpu + 1)))))
                    .withRounds(1)
                    .withWarmUps(0)
                    .withSamplingInterval(Duration.ofMillis(20));
            arms = run(experiment).summary().arms();
        }
        assertThat(arms).allSatisfy(arm -> {
            assertThat(arm.completed()).isEqualTo(1);
            assertThat(arm.residency().counted()).isGreaterThan(10);
            assertThat(arm.migrations().betweenCpus())
                    .hasValueSatisfying(moves -> assertThat(moves.max()).isZero());
        });
        assertThat(arms.get(0).residency().share()).hasValue(1);
        assertThat(arms.get(1).residency().share()).hasValue(0);
    }

    @Test
    void movesOfAProcessAreCounted() throws IOException {
        Machine.requireCpus(2);
        CpuSet usable = usable();
        try (AwaitedSamples looks = AwaitedSamples.in(directory, 10)) {
            String seen = looks.shell("$i", "sleep 0.01");
            String script = "while :; do :; done & busy=$!; i=$$; " + seen + "; for i in 1 2 3 4 5 6; do i=$$-$i;"
                    + " taskset -cp %d $busy; %s; i=$i-back; taskset -cp %d $busy; %s; done; kill $busy"
                            .formatted(usable.first(), seen, usable.last(), seen);
            Experiment experiment = Experiment.of("moves", List.of(Arm.of("moves", "sh", "-c", script)))
                    .withWorkers(List.of(ThreadNamePattern.of("s?")))
                    .withRounds(1)
                    .withWarmUps(0)
                    .withThreads(ThreadScope.ALL)
                    .withSamplingInterval(Duration.ofMillis(10));
            SamplingSummary sampling = run(experiment).trials().get(0).sampling();
            assertThat(sampling.workerMigrations().betweenCpus()).isGreaterThanOrEqualTo(11);
            assertThat(sampling.migrations().betweenCpus())
                    .isGreaterThanOrEqualTo(sampling.workerMigrations().betweenCpus());
            directory = directory.resolve("others");
            Experiment others = experiment.withWorkers(List.of(ThreadNamePattern.of("worker-*")));
            SamplingSummary ofOthers = run(others).trials().get(0).sampling();
            assertThat(ofOthers.migrations().betweenCpus()).isGreaterThanOrEqualTo(11);
            assertThat(ofOthers.workerMigrations().betweenCpus()).isZero();
        }
    }

    /** Berth's own launcher is where it was started, not where it is about to bind its command to. */
    @Test
    void whatBindsACommandIsNoWork() throws Exception {
        Path launcher = Files.copy(Path.of("/bin/sh").toRealPath(), directory.resolve("berth-exec"));
        try (AwaitedSamples looks = AwaitedSamples.in(directory, 10)) {
            String binds = looks.shell("binds", ":");
            String works = " exec sh -c '" + looks.shell("works", ":") + "'";
            Experiment experiment = Experiment.of(
                            "launcher",
                            List.of(
                                    Arm.of("binds", launcher.toString(), "-c", binds),
                                    Arm.of("becomes", launcher.toString(), "-c", binds + ";" + works)))
                    .withRounds(1)
                    .withSeed(3034)
                    .withWarmUps(0)
                    .withThreads(ThreadScope.ALL)
                    .withSamplingInterval(Duration.ofMillis(10));
            List<Trial> trials = run(experiment).trials();
            assertThat(trials.get(0).sampling().samples()).isGreaterThanOrEqualTo(10);
            assertThat(trials.get(0).sampling().processes()).isZero();
            assertThat(trials.get(0).notes()).contains("no thread was seen");
            assertThat(trials.get(1).sampling().processes()).isEqualTo(1);
        }
    }

    @Test
    void interruptEndsTheChildrenAndKeepsWhatWasMeasured() throws IOException {
        Path ready = directory.resolve("ready");
        Experiment experiment = Experiment.of(
                        "stop",
                        List.of(
                                Arm.of("quick", "true"),
                                Arm.of(
                                        "slow",
                                        "sh",
                                        "-c",
                                        "trap '' TERM; touch " + ready + "; " + SLEEP + "; " + SLEEP)))
                .withSeed(3034)
                .withWarmUps(0);
        ExperimentResult result = new ExperimentRunner(experiment, TOPOLOGY, directory, new Progress() {
                    @Override
                    public void started(ScheduledRun run, Arm arm, int runs) {
                        if (run.number() == 2) {
                            interruptOnce(ready, Thread.currentThread());
                        }
                    }
                })
                .run();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(result.stopped()).isTrue();
        assertThat(result.trials()).extracting(Trial::outcome).containsExactly(Outcome.COMPLETED, Outcome.STOPPED);
        assertNobodyRuns(SLEEP);
        assertThat(lines("outcome")).containsExactly("COMPLETED", "STOPPED");
    }

    /** The pauses of the runs to come are the least that it can take. */
    @Test
    void afterEachRoundButTheLastTheTimeThatIsLeftIsTold() throws IOException {
        Duration pause = Duration.ofMillis(20);
        Experiment experiment = Experiment.of("left", List.of(Arm.of("a", "true"), Arm.of("b", "true")))
                .withRounds(3)
                .withConditions(Conditions.PLAIN.withCoolDown(pause));
        List<String> told = new ArrayList<>();
        List<String> passed = new ArrayList<>();
        new ExperimentRunner(experiment, TOPOLOGY, directory, new Progress() {
                    @Override
                    public void ended(int round, List<Trial> trials, Duration left) {
                        told.add(round + " " + trials.size() + " "
                                + (left.compareTo(pause.multipliedBy(2L * (3 - round) - 1)) >= 0));
                    }

                    @Override
                    public void passed(ScheduledRun run, Arm arm, Duration duration) {
                        passed.add(arm.name());
                    }
                })
                .run();
        assertThat(told).containsExactly("0 2 true", "1 4 true", "2 6 true");
        assertThat(passed).hasSize(8);
    }

    /** A killed runner leaves no children behind. */
    @Test
    void exitOfThisJvmEndsTheChildren() throws Exception {
        try (Child program = ChildJvm.of(ExperimentProgram.class, directory.toString(), "sh", "-c", SLEEP + "; true")
                .start()) {
            assertThat(program.readLine()).isEqualTo("started 1");
            Await.until(
                    "the command",
                    () -> Tool.output("ps", "-eo", "args=").lines().anyMatch(SLEEP::equals));
            program.signal("TERM");
            assertThat(program.finish()).as("no second run began").isEqualTo(new Child.Result(128 + 15, "", ""));
        }
        assertNobodyRuns(SLEEP);
        assertThat(lines("outcome")).hasSize(1).doesNotContain("COMPLETED");
    }

    /** When the run has begun: before, there is none to be stopped. */
    private static void interruptOnce(Path ready, Thread thread) {
        new Thread(() -> {
                    Await.until(ready + "", () -> Files.exists(ready));
                    thread.interrupt();
                })
                .start();
    }

    @Test
    void processesLeftBehindAreEnded() throws IOException {
        Experiment experiment = Experiment.of("left", List.of(Arm.of("a", "sh", "-c", SLEEP + " & sleep 0.3")))
                .withRounds(1)
                .withWarmUps(0);
        Trial trial = run(experiment).trials().get(0);
        assertThat(trial.outcome()).isEqualTo(Outcome.COMPLETED);
        assertThat(trial.notes()).contains("left running, and ended by berth: 1 process");
        assertNobodyRuns(SLEEP);
    }

    /** Twice cut loose: its parent has ended, and it has a session of its own. */
    @Test
    void daemonsAreEndedToo() throws IOException {
        Experiment experiment = Experiment.of("daemon", List.of(Arm.of("a", "sh", "-c", "setsid " + SLEEP + " &")))
                .withRounds(1)
                .withWarmUps(0);
        assertThat(run(experiment).trials().get(0).notes())
                .anyMatch(note -> note.equals("left running, and ended by berth: 1 process"));
        assertNobodyRuns(SLEEP);
    }

    @Test
    void rawNumbersAreJsonLines() throws IOException {
        Experiment experiment = Experiment.of("raw", List.of(Arm.of("say \"hi\"\n", "true")))
                .withRounds(2)
                .withMetric(new Metric("x", "s", Pattern.compile("x=(.*)")));
        List<Trial> trials = run(experiment).trials();
        assertThat(lines("kind")).containsExactly("experiment", "arm", "trial", "trial", "trial");
        assertThat(lines("arm")).containsOnly("say \"hi\"\n");
        assertThat(lines("round")).containsExactly("0", "1", "2");
        assertThat(Files.readString(directory.resolve("trials.jsonl"))).contains("\"metrics\":{}");
        assertThat(trials).allSatisfy(trial -> assertThat(trial.notes()).contains("printed no x (x=(.*))"));
        assertThat(lines("wallSeconds"))
                .containsExactlyElementsOf(trials.stream()
                        .map(trial -> Double.toString(trial.wallSeconds()))
                        .toList());
    }

    /** The values of a key in all lines that have it, read by Jackson. */
    private List<String> lines(String key) throws IOException {
        List<String> values = new ArrayList<>();
        for (String line : Files.readAllLines(directory.resolve("trials.jsonl"))) {
            Map<String, String> fields = new LinkedHashMap<>();
            try (JsonParser parser = new JsonFactory().createParser(line)) {
                for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                    if (token.isScalarValue() && parser.currentName() != null) {
                        fields.put(parser.currentName(), parser.getText());
                    }
                }
            }
            if (fields.containsKey(key)) {
                values.add(fields.get(key));
            }
        }
        return values;
    }

    private ExperimentResult run(Experiment experiment) throws IOException {
        return new ExperimentRunner(experiment, TOPOLOGY, directory, Progress.NONE).run();
    }

    private static List<String> launcher(int cpu, AwaitedSamples looks) {
        String java = System.getProperty("java.home") + "/bin/java";
        String script =
                "while :; do :; done & busy=$!; taskset -c %d '%s' -cp '%s' %s %s; code=$?; kill $busy; exit $code";
        return sh(script.formatted(
                cpu, java, System.getProperty("java.class.path"), BusyProgram.class.getName(), looks.folder()));
    }

    private static List<String> sh(String script) {
        return List.of("sh", "-c", script);
    }

    private static Map<String, String> env(Path order) {
        return Map.of("ORDER", order.toString());
    }

    private static OptionalDouble some(double value) {
        return OptionalDouble.of(value);
    }

    /** The witness is ps. */
    private static void assertNobodyRuns(String command) {
        assertThat(Tool.output("ps", "-eo", "stat=,args=")
                        .lines()
                        .filter(line -> !line.startsWith("Z") && line.endsWith(command)))
                .isEmpty();
    }

    private static CpuSet usable() {
        return CpuSet.parseList(Machine.cpuList());
    }
}

package org.berth.cli.tune;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.berth.cli.compare.arms.EngineJars;
import org.berth.cli.compare.arms.SparkCommand;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.arguments.WordList;
import org.berth.cli.shared.launch.SparkScripts;
import org.berth.cli.split.Placeholders;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.internal.kernel.HugePages;
import org.berth.observation.internal.process.CallerEnvironment;
import org.berth.placement.internal.shape.Division;
import org.berth.spark.conf.SparkKeys;
import picocli.CommandLine.Option;

/** The options of {@code tune} for a race of shapes: numbers and sizes of processes. */
final class ShapeOptions {
    @Option(
            names = "--into",
            paramLabel = "PARTS,...",
            description = "Race different numbers of processes, each with its part of the host as in 'berth split': l3,"
                    + " numa, package, or a number of parts, such as 1,2,numa,l3. All candidates have the same"
                    + " CPUs and the same heap together. The command takes the placeholders of 'berth split'.")
    private Optional<String> into = Optional.empty();

    @Option(
            names = "--spark",
            description = "With --into: the command starts a Spark driver, and the parts are its executors. Only"
                    + " needed when the command is java; scripts such as spark-submit are recognised.")
    private boolean spark;

    @Option(
            names = "--heap",
            paramLabel = "SIZE|PERCENT",
            description = "With --into, the total heap of all processes, such as 96g, or a percentage of the memory;"
                    + " default 50%%.")
    private Optional<String> heap = Optional.empty();

    @Option(
            names = "--memory",
            paramLabel = "LIST",
            description = "With --into, memory policies that race, in the words of 'berth run', such as bind,local;"
                    + " default: that of 'berth split'.")
    private Optional<String> memory = Optional.empty();

    @Option(
            names = "--smt",
            paramLabel = "LIST",
            description = "With --into, SMT settings that race: on (all PUs), off (one PU of each core); default: on.")
    private Optional<String> smt = Optional.empty();

    @Option(
            names = "--jvm-flags",
            paramLabel = "LIST",
            description =
                    "With --into, options of the JVM that race: none, numa (UseNUMA where a JVM has several nodes),"
                            + " gc-threads (one for each core of its part), thp (huge pages), or an option such as"
                            + " -XX:+UseZGC; + joins the flags of one candidate. Default: none.")
    private Optional<String> flags = Optional.empty();

    /** Whether shapes race. */
    boolean given() {
        return into.isPresent();
    }

    /** Whether the command starts the driver of a Spark application. */
    boolean isSpark(List<String> command) {
        return spark || SparkScripts.isScript(command);
    }

    /** Refuses a command that could only fail, before the first run. */
    void checkEnvironment(List<String> command) {
        if (given() && isSpark(command)) {
            new SparkCommand(command).requireHome(System.getenv());
        }
    }

    /** What to know when candidates need Spark's plugin and the command does not bring it. */
    Optional<String> missingPlugin(List<String> command, List<TuneCandidate> candidates) {
        boolean needed = SparkScripts.isScript(command)
                && candidates.stream()
                        .anyMatch(one -> one.shape().filter(TuneShape::bound).isPresent());
        return needed && !EngineJars.havePlugin(command, CallerEnvironment.variables())
                ? Optional.of(
                        "note: the command does not name the jar of Spark's plugin, without which bound candidates fail:"
                                + " add --jars berth-spark-VERSION.jar (" + EngineJars.BUILDER
                                + ") unless spark-defaults.conf has it")
                : Optional.empty();
    }

    /**
     * The candidates, without the user's own.
     *
     * @param levels the value of {@code --levels}
     * @param rules where a file with a rule for every thread is, or will be
     */
    TuneCandidates candidates(
            TargetMachine machine, Optional<String> levels, List<String> command, boolean javaLauncher, Path rules) {
        boolean forSpark = isSpark(command);
        String usual = TuneShape.NONE + "," + (forSpark ? SparkKeys.AUTO : SplitCandidates.PART);
        List<String> words = WordList.parse("--levels", levels.orElse(usual), Function.identity());
        words.forEach(forSpark ? SparkCandidates::check : SplitCandidates::check);
        ShapeDimensions dimensions = new ShapeDimensions(
                WordList.parse("--into", into.orElseThrow(), Division::parse),
                heap,
                words,
                memory.map(text -> WordList.parse("--memory", text, Arguments::memoryMode))
                        .orElse(List.of()),
                WordList.parse("--smt", smt.orElse("on"), List.of(true, false), on -> on ? "on" : "off"),
                flags.map(RacedFlags::parseList).orElse(List.of(RacedFlags.NONE)),
                machine.origin() == TargetMachine.Origin.LIVE
                        ? HugePages.read(Path.of("/")).transparent()
                        : Reading.refused(new Refusal("the machine is a recorded one", "")));
        if (!forSpark) {
            Placeholders.check(command);
        }
        ShapeCandidates maker = forSpark
                ? new SparkCandidates(SparkCommand.of(command, javaLauncher), machine.topology())
                : new SplitCandidates(command, javaLauncher, heap, rules);
        return ShapeGrid.of(machine, dimensions, maker);
    }
}

package org.berth.cli.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.cli.compare.arms.EngineJars;
import org.berth.cli.compare.arms.ExtraArms;
import org.berth.cli.compare.arms.HadoopCommand;
import org.berth.cli.compare.arms.LevelChoice;
import org.berth.cli.compare.arms.LevelOptions;
import org.berth.cli.compare.arms.SparkCommand;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.launch.ServiceScripts;
import org.berth.cli.shared.launch.SparkScripts;
import org.berth.observation.internal.process.CallerEnvironment;
import org.berth.spark.conf.SparkKeys;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of {@code compare} that choose the command and its levels. */
final class CommandOptions {
    @Mixin
    private LevelOptions levels = new LevelOptions();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description =
                    "At levels core and pu, how many cores or PUs the command gets as a whole; with --rule, how many threads"
                            + " have a place.")
    private Optional<String> threads = Optional.empty();

    @Option(
            names = "--rule",
            paramLabel = "GLOB",
            description = "Threads whose name matches (* and ?) get slots; may be repeated.")
    private List<String> rules = new ArrayList<>();

    @Parameters(arity = "0..*", paramLabel = "-- COMMAND", description = "The command to compare.")
    private List<String> command = new ArrayList<>();

    /** The work that the options choose; a usage error when there is none. */
    Work work(ComparisonOptions comparison) {
        Optional<Integer> count = threads.map(text -> Arguments.count("--threads", text));
        if (command.isEmpty()) {
            throw CommandException.usage("give the command to compare: -- COMMAND, such as 'berth compare -- java -jar"
                    + " job.jar'; 'berth bench' lists jobs that come with Berth");
        }
        ServiceScripts.preset(command).ifPresent(preset -> {
            throw CommandException.usage(
                    "'" + command.get(0) + "' starts a service, and a run ends with its command: compare a"
                            + " script that starts the service, loads it and stops it, with --arm \"threads=--level core --preset "
                            + preset
                            + "\" for its threads");
        });
        Map<String, String> environment = CallerEnvironment.variables();
        if (SparkScripts.isScript(command) && levels.names(SparkKeys.AUTO)) {
            throw CommandException.usage("--levels " + SparkKeys.AUTO + ": "
                    + (EngineJars.havePlugin(command, environment)
                            ? ""
                            : "it is a level of Spark's plugin, whose jar is not there: add --jars"
                                    + " berth-spark-VERSION.jar to the command (" + EngineJars.BUILDER + "); ")
                    + "without --levels the arms are none, auto and core");
        }
        LevelChoice choice = levels.choice(comparison.isSelfCheck(), comparison.kernel());
        ExtraArms arms = comparison.arms().arms();
        // Arms that are no parts of the machine; options for these choose a part.
        boolean asAWhole =
                count.isEmpty() && rules.isEmpty() && arms.balanceOrBind().isEmpty();
        if (asAWhole && SparkScripts.isScript(command) && EngineJars.havePlugin(command, environment)) {
            return new SparkWork(new SparkCommand(command), choice, arms);
        }
        if (asAWhole && HadoopCommand.isJob(command)) {
            HadoopCommand job = new HadoopCommand(command, environment);
            if (job.engine().isPresent()) {
                return new HadoopWork(job, choice, arms);
            }
            if (choice.given().isEmpty() && arms.isEmpty() && !choice.firstOnly()) {
                throw HadoopWork.noEngine(command);
            }
        }
        return new CommandWork(command, choice, count, rules, arms);
    }
}

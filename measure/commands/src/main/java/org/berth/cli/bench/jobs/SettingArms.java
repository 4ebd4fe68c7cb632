package org.berth.cli.bench.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.berth.cli.shared.CommandException;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.observation.internal.threads.Expectation;
import org.berth.placement.OrderedLevel;
import org.berth.placement.internal.NearestWord;
import org.berth.spark.conf.SparkKeys;

/**
 * The arms of a job on Spark that differ in the settings of the plugin: {@code stock} runs without it, {@code core} with
 * {@code spark.berth.level=core}, {@code core+guard=off} with {@code spark.berth.guard=off} too.
 */
public final class SettingArms {
    public static final String DEFAULT = "stock,auto,core";

    private static final String STOCK = "stock";
    private static final List<String> LEVELS = Stream.concat(
                    Stream.of(SparkKeys.AUTO), OrderedLevel.ALL.stream().map(OrderedLevel::word))
            .toList();

    public static final ArmWords<String> WORDS = new ArmWords<>("--policies", List.of(), "", SettingArms::arm);

    private SettingArms() {}

    private static String arm(String word) {
        options(word);
        return word;
    }

    /** The options of the JVM for one arm. */
    static List<String> options(String arm) {
        if (arm.equals(STOCK)) {
            return List.of();
        }
        String[] parts = arm.split("\\+", -1);
        List<String> options = new ArrayList<>();
        options.add("-D" + SparkKeys.PLUGINS + "=" + SparkKeys.PLUGIN);
        options.add("-D" + SparkKeys.LEVEL + "=" + parts[0]);
        boolean valid = LEVELS.contains(parts[0]);
        for (int i = 1; i < parts.length; i++) {
            valid &= parts[i].matches("[A-Za-z.]+=.+");
            options.add("-D" + SparkKeys.PREFIX + parts[i]);
        }
        if (!valid) {
            throw CommandException.usage("--policies '" + arm + "': give " + STOCK + " (Spark without the plugin) or a"
                    + " level (" + String.join(", ", LEVELS)
                    + "), which +KEY=VALUE extends by spark.berth.KEY=VALUE, such"
                    + " as core+guard=off" + NearestWord.hint(parts[0], LEVELS));
        }
        return options;
    }

    public static Experiment experiment(JobRun run, List<String> arms, int rounds) {
        List<Arm> list = arms.stream()
                .map(arm -> new Arm(arm, run.command(options(arm)), JobArms.SPARK, Expectation.none())
                        .withBinding(arm.equals(STOCK) ? Arm.Binding.UNBOUND : Arm.Binding.BOUND))
                .toList();
        return Experiment.of(run.job().name(), list)
                .withRounds(rounds)
                .withMetrics(run.job().metrics(run.options()))
                .withWorkers(run.job().workers());
    }
}

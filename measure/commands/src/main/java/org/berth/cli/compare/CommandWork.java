package org.berth.cli.compare;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.cli.compare.arms.CommandArms;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.cli.compare.arms.CompareFolder;
import org.berth.cli.compare.arms.EngineJars;
import org.berth.cli.compare.arms.ExtraArms;
import org.berth.cli.compare.arms.LevelChoice;
import org.berth.cli.compare.arms.PreparedComparison;
import org.berth.cli.compare.arms.ProcessArms;
import org.berth.cli.compare.arms.UserArm;
import org.berth.cli.run.Launch;
import org.berth.cli.run.LaunchPlanner;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.OwnName;
import org.berth.cli.shared.launch.CommandLookup;
import org.berth.cli.shared.launch.SparkScripts;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.observation.internal.process.CallerEnvironment;
import org.berth.observation.internal.threads.Expectation;
import org.berth.observation.internal.threads.ThreadNamePattern;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.ThreadOrder;
import org.berth.placement.ThreadRule;
import org.berth.text.ShellWord;
import org.berth.topology.Topology;

/**
 * A command of the user: bound as a whole, or, with rules, by single threads.
 *
 * @param rules patterns of the names of threads that get slots; empty for a command that is bound as a whole
 * @param more arms besides the levels
 */
record CommandWork(
        List<String> command, LevelChoice levels, Optional<Integer> threads, List<String> rules, ExtraArms more)
        implements Work {
    /** A reader would take the verdict of a level for one of the plugin's level of that name. */
    private static final String PLUGIN =
            "the Spark plugin: a level binds the command as a whole, all of Spark on the CPUs of that level; ";

    private static final String SEE = " (docs/commands/compare.md#sparks-plugin)";
    private static final String ADD_JAR = PLUGIN
            + "add --jars berth-spark-VERSION.jar to the command, and the levels of the plugin are compared" + SEE;
    private static final String LEAVE_OUT =
            PLUGIN + "without --threads, --rule and --balance-or-bind the levels of the plugin are compared" + SEE;

    @Override
    public CompareArms arms(Topology topology) {
        if (more.balanceOrBind().isPresent()) {
            return CompareArms.none();
        }
        Optional<Integer> width = width(topology);
        List<OrderedLevel> chosen = new ArrayList<>(levels.on(topology));
        List<OrderedLevel> ofThreads = rules.isEmpty() && width.isEmpty() && !isJavaLauncher()
                ? chosen.stream()
                        .filter(level -> level.level().compareTo(AffinityLevel.CORE) >= 0)
                        .toList()
                : List.of();
        chosen.removeAll(ofThreads);
        CompareArms arms = (rules.isEmpty()
                        ? ProcessArms.of(topology, chosen, width, isJavaLauncher())
                        : CompareArms.of(topology, chosen, threads, threadRules()))
                .withAbsent(leftOut(ofThreads));
        if (more.isEmpty()) {
            if (arms.plans().size() < 2 && !ofThreads.isEmpty() && !levels.firstOnly()) {
                throw CommandException.failure("nothing to compare: a node, a package and an L3 cache have all CPUs "
                        + topology.allowedCpuSet() + " here; "
                        + leftOut(ofThreads).get(0));
            }
            arms.requireTwo(
                    topology,
                    levels,
                    rules.isEmpty()
                            ? "give more --levels, --threads for fewer CPUs, --arm for options of your own, or --rule for"
                                    + " slots of single threads"
                            : "give --levels that differ on this machine");
        }
        return arms;
    }

    @Override
    public PreparedComparison comparison(
            Topology topology, CompareArms arms, Supplier<CompareFolder> folder, int rounds, PrintWriter err)
            throws IOException {
        CompareFolder results = folder.get();
        CommandArms others = new CommandArms(topology, command, isJavaLauncher(), results::planFile);
        others.add(more);
        others.notes().forEach(err::println);
        List<Arm> list = levelArms(topology, arms, results);
        List<String> absent = new ArrayList<>(arms.absent());
        absent.addAll(others.absent());
        List<String> later =
                SparkScripts.isScript(command) && list.stream().anyMatch(arm -> arm.binding() == Arm.Binding.BOUND)
                        ? List.of(EngineJars.havePlugin(command, CallerEnvironment.variables()) ? LEAVE_OUT : ADD_JAR)
                        : List.of();
        list.addAll(others.arms());
        if (list.size() < 2 && !levels.firstOnly()) {
            throw CommandException.failure("nothing to compare: " + String.join("; ", absent));
        }
        return new PreparedComparison(
                experiment(list).withRounds(rounds),
                arms.withAbsent(absent).withLines(lines(arms)).withLater(later),
                results);
    }

    /** What the user types to have an arm. */
    private Map<String, String> lines(CompareArms arms) {
        Map<String, String> lines = new HashMap<>();
        arms.plans().forEach((level, plan) -> {
            if (level.level() != AffinityLevel.NONE) {
                lines.put(level.word(), line("", options(level, plan)));
            }
        });
        for (UserArm arm : more.written()) {
            String settings = new TreeMap<>(arm.environment())
                    .entrySet().stream()
                            .map(one -> one.getKey() + "=" + ShellWord.quote(one.getValue()) + " ")
                            .collect(Collectors.joining());
            lines.put(arm.name(), line(settings, arm.words()));
        }
        return lines;
    }

    private String line(String settings, List<String> options) {
        return settings + OwnName.word() + " run "
                + Stream.of(options, List.of("--"), command)
                        .flatMap(List::stream)
                        .map(ShellWord::quote)
                        .collect(Collectors.joining(" "));
    }

    private static List<String> options(OrderedLevel level, PlacementPlan plan) {
        if (!plan.rules().isEmpty()) {
            List<String> words = new ArrayList<>(List.of("--level", level.word()));
            plan.rules().forEach(rule -> words.addAll(List.of("--rule", rule.glob())));
            return words;
        }
        boolean onePart = level.level().compareTo(AffinityLevel.CORE) < 0 && level.order() == ThreadOrder.PACK;
        return onePart
                ? List.of("--domain", level.level().word())
                : List.of(
                        "--level",
                        level.word(),
                        "--threads",
                        Integer.toString(plan.slots().size()));
    }

    private Experiment experiment(List<Arm> list) {
        try {
            Experiment experiment = Experiment.of(command.get(0), list).withWorkers(workers());
            return rules.isEmpty() ? experiment.withThreads(Experiment.ThreadScope.ALL) : experiment;
        } catch (IllegalArgumentException twoOfOneName) {
            throw CommandException.usage("--arm: " + twoOfOneName.getMessage() + "; give another name");
        }
    }

    private List<Arm> levelArms(Topology topology, CompareArms arms, CompareFolder results) {
        LaunchPlanner planner = LaunchPlanner.ofAllWorkers();
        boolean javaLauncher = isJavaLauncher();
        List<Arm> list = new ArrayList<>();
        arms.plans().forEach((level, plan) -> {
            LaunchPlanner.Means means = plan.level() == AffinityLevel.NONE
                    ? LaunchPlanner.Means.NOTHING
                    : planner.meansFor(plan, topology.allowedCpuSet(), javaLauncher);
            Launch launch = planner.launch(plan, means, command, () -> results.planFile(plan, level.word()));
            list.add(new Arm(level.word(), launch.words(), launch.environment(), expectation(plan))
                    .withBinding(means == LaunchPlanner.Means.NOTHING ? Arm.Binding.UNBOUND : Arm.Binding.BOUND));
        });
        return list;
    }

    private Expectation expectation(PlacementPlan plan) {
        return rules.isEmpty() ? ProcessArms.expectation(plan) : CompareArms.expectation(plan, workers());
    }

    /**
     * The line for levels of single threads, where nothing can give the threads places of their own: half of the cores for the whole
     * command would tell nothing about them.
     */
    private List<String> leftOut(List<OrderedLevel> ofThreads) {
        if (ofThreads.isEmpty()) {
            return List.of();
        }
        String words = ofThreads.stream().map(OrderedLevel::word).collect(Collectors.joining(", "));
        String why =
                "'" + command.get(0) + "' is no JVM, so its threads get no places of their own; --threads N gives the"
                        + " command as a whole N cores or PUs";
        if (levels.given().isPresent()) {
            throw CommandException.usage("--levels " + words + ": " + why);
        }
        return List.of(words + ": " + why);
    }

    /** Without --levels, levels next to the user's own arms must not add runs on fewer CPUs. */
    private Optional<Integer> width(Topology topology) {
        return threads.isEmpty() && levels.given().isEmpty() && !more.isEmpty()
                ? Optional.of(topology.allowedCpuSet().size())
                : threads;
    }

    private List<ThreadNamePattern> workers() {
        return rules.stream().map(ThreadNamePattern::of).toList();
    }

    private List<ThreadRule> threadRules() {
        return rules.stream().map(ThreadRule::of).toList();
    }

    private boolean isJavaLauncher() {
        Path program = CommandLookup.find(command.get(0), System.getenv().getOrDefault("PATH", ""));
        return CommandLookup.isJavaLauncher(program);
    }
}

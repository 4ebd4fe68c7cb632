package org.berth.cli.compare;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.cli.compare.arms.CompareFolder;
import org.berth.cli.compare.arms.ExtraArms;
import org.berth.cli.compare.arms.HadoopCommand;
import org.berth.cli.compare.arms.LevelChoice;
import org.berth.cli.compare.arms.PreparedComparison;
import org.berth.cli.shared.CommandException;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.text.ShellWord;
import org.berth.topology.Topology;

/**
 * A MapReduce job that a script of Hadoop starts, with Berth's engine at hand: its arms are the engine that the command has, and Berth's at
 * several levels. A part of the machine for the script would bind the client, and not the tasks.
 */
record HadoopWork(HadoopCommand command, LevelChoice levels, ExtraArms more) implements Work {
    private static final String STOCK = "stock";
    private static final String BERTH = "berth";

    /** A usage error for a job without Berth's engine, which has nothing to be compared with. */
    static CommandException noEngine(List<String> command) {
        return CommandException.usage(
                "'" + command.get(0) + "' starts a job whose tasks run elsewhere, so that a level would"
                        + " bind its client alone; export HADOOP_CLASSPATH=/PATH/TO/berth-hadoop-VERSION.jar, and the job is compared"
                        + " in Berth's engine; or give --levels for the client");
    }

    @Override
    public CompareArms arms(Topology topology) {
        command.requireNoEngine();
        return CompareArms.none();
    }

    @Override
    public PreparedComparison comparison(
            Topology topology, CompareArms arms, Supplier<CompareFolder> folder, int rounds, PrintWriter err)
            throws IOException {
        CompareFolder results = folder.get();
        WorkArms engine = new WorkArms(command.words());
        engine.add(STOCK, command.words(), Map.of(), false, line(Map.of()));
        for (OrderedLevel level : engineLevels()) {
            boolean bound = level.level() != AffinityLevel.NONE;
            String name = bound ? BERTH + "-" + level.word() : BERTH;
            Map<String, String> variables = command.inEngine(results.path().resolve("engine-" + name), level.word());
            engine.add(name, command.words(), variables, bound, line(variables));
        }
        return engine.comparison(topology, arms, more, results, rounds, err);
    }

    /** Without --levels Berth's engine as it comes, and with a core for each worker thread. */
    private List<OrderedLevel> engineLevels() {
        return levels.firstOnly()
                ? List.of()
                : levels.given()
                        .orElse(List.of(OrderedLevel.of(AffinityLevel.NONE), OrderedLevel.of(AffinityLevel.CORE)));
    }

    private String line(Map<String, String> variables) {
        String settings = new TreeMap<>(variables)
                .entrySet().stream()
                        .map(one -> one.getKey() + "=" + ShellWord.quote(one.getValue()) + " ")
                        .collect(Collectors.joining());
        return settings + ShellWord.line(command.words());
    }
}

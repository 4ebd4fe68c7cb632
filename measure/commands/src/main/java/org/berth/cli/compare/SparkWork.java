package org.berth.cli.compare;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.cli.compare.arms.CompareFolder;
import org.berth.cli.compare.arms.ExtraArms;
import org.berth.cli.compare.arms.LevelChoice;
import org.berth.cli.compare.arms.PreparedComparison;
import org.berth.cli.compare.arms.SparkCommand;
import org.berth.cli.shared.CommandException;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.spark.conf.SparkKeys;
import org.berth.text.ShellWord;
import org.berth.topology.Topology;

/**
 * An application that a script of Spark starts, with Berth's plugin at hand: its arms are levels of the plugin, which places tasks, and not
 * parts of the machine for all of Spark.
 */
record SparkWork(SparkCommand command, LevelChoice levels, ExtraArms more) implements Work {
    private static final String NONE = "none";

    @Override
    public CompareArms arms(Topology topology) {
        command.setting(SparkKeys.LEVEL).ifPresent(level -> {
            throw CommandException.usage(SparkKeys.LEVEL + "=" + level
                    + " in the command: each arm sets it; leave it out, and give --levels");
        });
        return CompareArms.none();
    }

    @Override
    public PreparedComparison comparison(
            Topology topology, CompareArms arms, Supplier<CompareFolder> folder, int rounds, PrintWriter err)
            throws IOException {
        WorkArms engine = new WorkArms(command.words());
        for (String level : words()) {
            List<String> words = words(level);
            engine.add(level, words, Map.of(), !level.equals(NONE), ShellWord.line(words));
        }
        return engine.comparison(topology, arms, more, folder.get(), rounds, err);
    }

    /** Without --levels the automatic choice of the plugin, and a core for each task. */
    private List<String> words() {
        List<String> usual = levels.firstOnly()
                ? List.of(NONE)
                : List.of(
                        NONE,
                        SparkKeys.AUTO,
                        OrderedLevel.of(AffinityLevel.CORE).word());
        return levels.given()
                .map(given -> given.stream().map(OrderedLevel::word).toList())
                .orElse(usual);
    }

    private List<String> words(String level) {
        List<String> plugins = command.setting(SparkKeys.PLUGINS).stream()
                .flatMap(list -> Stream.of(list.split(",", -1)))
                .filter(plugin -> !plugin.equals(SparkKeys.PLUGIN))
                .toList();
        Map<String, String> settings = new LinkedHashMap<>();
        if (!level.equals(NONE)) {
            settings.put(
                    SparkKeys.PLUGINS,
                    Stream.concat(plugins.stream(), Stream.of(SparkKeys.PLUGIN)).collect(Collectors.joining(",")));
            settings.put(SparkKeys.LEVEL, level);
        } else if (!plugins.isEmpty()) {
            settings.put(SparkKeys.PLUGINS, String.join(",", plugins));
        }
        return command.without(SparkKeys.PLUGINS).with(settings);
    }
}

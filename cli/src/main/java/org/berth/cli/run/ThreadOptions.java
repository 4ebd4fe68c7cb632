package org.berth.cli.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.binding.AgentOptions;
import org.berth.cli.shared.CommandException;
import picocli.CommandLine.Option;

/** The options of {@code run} that give slots to single threads of a JVM, by the agent. */
final class ThreadOptions {
    @Option(
            names = "--preset",
            paramLabel = "ENGINE",
            description =
                    "Thread rules for an engine: spark, hdfs, namenode, yarn, mapreduce, flink, kafka, storm, netty;"
                            + " may be repeated.")
    private List<String> presets = new ArrayList<>();

    @Option(
            names = "--rules",
            paramLabel = "FILE",
            description =
                    "Thread rules, one 'GLOB -> TARGET' per line; TARGET is slot, slots A-B, cpus LIST or process.")
    private Optional<Path> rules = Optional.empty();

    @Option(names = "--gc", paramLabel = "TARGET", description = "Target of the collector's threads, as in --rules.")
    private Optional<String> collector = Optional.empty();

    @Option(names = "--jit", paramLabel = "TARGET", description = "Target of the compiler's threads, as in --rules.")
    private Optional<String> compiler = Optional.empty();

    @Option(
            names = "--slots",
            paramLabel = "KIND",
            description = "With --domain, the size of a slot: pu (the default) or core.")
    private Optional<String> slots = Optional.empty();

    @Option(
            names = "--smt",
            paramLabel = "WHEN",
            description = "With --domain, use of the second PUs of cores: last (the default) or never.")
    private Optional<String> smt = Optional.empty();

    /** The options for the agent; a usage error for a mistake that shows before the JVM reads the rules. */
    AgentOptions agentOptions(boolean domain) {
        requireWord("--slots", slots, domain, "pu", "core");
        requireWord("--smt", smt, domain, "last", "never");
        if (rules.isPresent() && !Files.isReadable(rules.get())) {
            throw CommandException.usage("--rules " + rules.get() + " cannot be read");
        }
        try {
            return agentOptions();
        } catch (IllegalArgumentException e) {
            throw CommandException.usage("--" + e.getMessage());
        }
    }

    private AgentOptions agentOptions() {
        AgentOptions options = AgentOptions.none();
        for (String preset : presets) {
            options = options.withPreset(preset);
        }
        options = rules.isPresent() ? options.withRules(rules.get().toAbsolutePath()) : options;
        options = collector.isPresent() ? options.withGc(collector.get()) : options;
        options = compiler.isPresent() ? options.withJit(compiler.get()) : options;
        options = slots.equals(Optional.of("core")) ? options.withCoreSlots() : options;
        return smt.equals(Optional.of("never")) ? options.withoutSmt() : options;
    }

    private static void requireWord(
            String option, Optional<String> value, boolean domain, String first, String second) {
        if (value.isEmpty()) {
            return;
        }
        if (!domain) {
            throw CommandException.usage(option + " needs --domain; a level has its own slots");
        }
        if (!value.get().equals(first) && !value.get().equals(second)) {
            throw CommandException.usage(option + " '" + value.get() + "' is none of " + first + ", " + second);
        }
    }
}

package org.berth.cli.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.cli.shared.CommandException;
import picocli.CommandLine.Option;

/** Places of single threads of a JVM, which the agent gives: the options of {@code run}, in the agent's words. */
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
            description = "Thread rules, one 'GLOB -> PLACE' a line; PLACE is slot, slots A-B, cpus LIST or process.")
    private Optional<Path> rules = Optional.empty();

    @Option(names = "--gc", paramLabel = "PLACE", description = "The place of the collector's threads, as in --rules.")
    private Optional<String> collector = Optional.empty();

    @Option(names = "--jit", paramLabel = "PLACE", description = "The place of the compiler's threads, as in --rules.")
    private Optional<String> compiler = Optional.empty();

    @Option(
            names = "--slots",
            paramLabel = "KIND",
            description = "With --domain, what a slot is: pu (logical CPU, the default) or core.")
    private Optional<String> slots = Optional.empty();

    @Option(
            names = "--smt",
            paramLabel = "WHEN",
            description = "With --domain, when second PUs of cores are used: last (the default) or never.")
    private Optional<String> smt = Optional.empty();

    /** Wrong usage, as far as it can be told before the JVM reads the rules. */
    void check(boolean domain) {
        requireWord("--slots", slots, domain, "pu", "core");
        requireWord("--smt", smt, domain, "last", "never");
        if (rules.isPresent() && !Files.isReadable(rules.get())) {
            throw CommandException.usage("--rules " + rules.get() + " cannot be read");
        }
    }

    boolean isEmpty() {
        return words().isEmpty();
    }

    /** {@code preset=spark,gc=slots 0-1}, or nothing. */
    String words() {
        List<String> words = new ArrayList<>();
        presets.forEach(preset -> words.add("preset=" + preset));
        rules.ifPresent(file -> words.add("rules=" + file.toAbsolutePath()));
        collector.ifPresent(place -> words.add("gc=" + place));
        compiler.ifPresent(place -> words.add("jit=" + place));
        slots.ifPresent(kind -> words.add("slots=" + kind));
        smt.ifPresent(when -> words.add("smt=" + when));
        return String.join(",", words);
    }

    private static void requireWord(
            String option, Optional<String> value, boolean domain, String first, String second) {
        if (value.isEmpty()) {
            return;
        }
        if (!domain) {
            throw CommandException.usage(option + " needs --domain; a level has slots of its own");
        }
        if (!value.get().equals(first) && !value.get().equals(second)) {
            throw CommandException.usage(option + " '" + value.get() + "' is none of " + first + ", " + second);
        }
    }
}

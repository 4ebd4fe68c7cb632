package org.berth.cli.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.binding.internal.launch.AgentOptions;
import org.berth.binding.internal.launch.HeapPolicy;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.IoErrors;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.arguments.HeapMemoryArgument;
import org.berth.placement.internal.NearestWord;
import picocli.CommandLine.Option;

/** The options of {@code run} and {@code split} for parts of a JVM, by the agent: slots of single threads, pages of the heap. */
public final class ThreadOptions {
    /** The files in place/native/src/main/presets. */
    static final List<String> PRESETS = List.of(
            "spark",
            "hdfs",
            "namenode",
            "yarn",
            "mapreduce",
            "flink",
            "kafka",
            "storm",
            "trino",
            "cassandra",
            "elasticsearch",
            "hbase",
            "celeborn",
            "druid",
            "pinot",
            "netty");

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    @Option(
            names = "--preset",
            paramLabel = "ENGINE",
            description =
                    "Thread rules for an engine: spark, hdfs, namenode, yarn, mapreduce, flink, kafka, storm, trino, cassandra,"
                            + " elasticsearch, hbase, celeborn, druid, pinot, netty; may be repeated.")
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
            names = "--smt",
            paramLabel = "WHEN",
            description = "With --domain, use of the second PUs of cores: last (the default) or never.")
    private Optional<String> smt = Optional.empty();

    @Option(
            names = "--heap-memory",
            paramLabel = HeapMemoryArgument.LABEL,
            description =
                    "Where the pages of a JVM's heap go, apart from its other memory: weighted:3,1 puts three on the"
                            + " first node for each on the second; weighted uses the kernel's or the firmware's"
                            + " weights, and weighted:measured=DIR the results of 'bench bandwidth'; or a mode"
                            + " of --memory, such as bind@1 or bind@tier:hbm.")
    private Optional<String> heapMemory = Optional.empty();

    /** Their values; a usage error for a mistake that can be detected without the machine. */
    public ThreadChoice choice() {
        requireWord("--smt", smt, "last", "never");
        if (rules.isPresent() && !Files.isReadable(rules.get())) {
            throw CommandException.usage("--rules " + rules.get() + " cannot be read");
        }
        presets.forEach(ThreadOptions::requirePreset);
        List<ThreadTarget> targets =
                new ArrayList<>(rules.map(ThreadOptions::targets).orElse(List.of()));
        collector.ifPresent(text -> targets.add(target("--gc", text)));
        compiler.ifPresent(text -> targets.add(target("--jit", text)));
        try {
            return new ThreadChoice(agentOptions(), heapMemory.map(ThreadOptions::heapPolicy), targets);
        } catch (IllegalArgumentException e) {
            throw CommandException.usage("--" + e.getMessage());
        }
    }

    private static HeapPolicy heapPolicy(String text) {
        return HeapMemoryArgument.parse(
                text, () -> TargetMachine.live().topology().allowedNodeSet());
    }

    private AgentOptions agentOptions() {
        AgentOptions options = AgentOptions.none();
        for (String preset : presets) {
            options = options.withPreset(preset);
        }
        options = rules.isPresent() ? options.withRules(rules.get().toAbsolutePath()) : options;
        options = collector.isPresent() ? options.withGc(collector.get()) : options;
        options = compiler.isPresent() ? options.withJit(compiler.get()) : options;
        return smt.equals(Optional.of("never")) ? options.withoutSmt() : options;
    }

    private static void requirePreset(String preset) {
        if (!PRESETS.contains(preset)) {
            throw CommandException.usage("--preset " + preset + ": unknown preset; "
                    + NearestWord.of(preset, PRESETS)
                            .map(one -> "did you mean '" + one + "'? There is ")
                            .orElse("there is ")
                    + String.join(", ", PRESETS));
        }
    }

    private static ThreadTarget target(String option, String text) {
        return ThreadTarget.parse(option + " '" + text + "'", text);
    }

    /** The targets of a file of rules. A pipe can be read once, and that is for the agent. */
    private static List<ThreadTarget> targets(Path file) {
        List<ThreadTarget> targets = new ArrayList<>();
        if (!Files.isRegularFile(file)) {
            return targets;
        }
        List<String> lines = text(file).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                targets.add(ThreadTarget.ofRule("--rules " + file + ", line " + (i + 1), line));
            }
        }
        if (targets.isEmpty()) {
            throw CommandException.usage(
                    "--rules " + file + ": there is no rule in it; write one per line, as worker-* -> slot");
        }
        return targets;
    }

    /** The agent reads the same: UTF-8, with or without a byte order mark. */
    private static String text(Path file) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString();
            if (text.indexOf('\0') >= 0) {
                throw new MalformedInputException(1);
            }
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
        } catch (CharacterCodingException e) {
            throw CommandException.usage("--rules " + file + " is not UTF-8; save the file as UTF-8");
        } catch (IOException e) {
            throw CommandException.usage("--rules " + file + " cannot be read: " + IoErrors.reason(e));
        }
    }

    private static void requireWord(String option, Optional<String> value, String first, String second) {
        if (value.isPresent() && !List.of(first, second).contains(value.get())) {
            throw CommandException.usage(option + " '" + value.get() + "' is not one of " + first + ", " + second);
        }
    }
}

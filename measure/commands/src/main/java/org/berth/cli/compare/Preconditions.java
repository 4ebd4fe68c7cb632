package org.berth.cli.compare;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.berth.cli.compare.arms.EngineJars;
import org.berth.cli.compare.arms.HadoopCommand;
import org.berth.cli.compare.arms.SparkCommand;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.IoErrors;
import org.berth.cli.shared.launch.CommandLookup;
import org.berth.cli.shared.launch.SparkScripts;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.observation.internal.process.CallerEnvironment;

/** Checks before the first run what the runs need, as far as that can be known: a run of an hour must not fail for it. */
public final class Preconditions {
    /** Raw results of long comparisons take some MiB; a report must not end in half of a file. */
    private static final long LEAST_BYTES = 64L << 20;

    private static final Pattern AGENT = Pattern.compile("-(?:javaagent:|agentpath:)([^=\\s]+)");

    /** Options of java(1) whose value is the next word. */
    private static final Set<String> WITH_VALUE = Set.of(
            "-cp",
            "-classpath",
            "--class-path",
            "-p",
            "--module-path",
            "--upgrade-module-path",
            "--add-modules",
            "--add-exports",
            "--add-opens",
            "--add-reads",
            "--limit-modules",
            "--patch-module",
            "--source");

    private static final List<String> VARIABLES = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS");
    private static final Set<String> SPARK_FILES = Set.of("--jars", "--files", "--py-files");

    private static final Pattern SPARK_JOINED = Pattern.compile("(--(?:jars|files|py-files)|spark\\.jars)=(.*)");

    /** A word that is surely the name of a program: no quote, variable or function. */
    private static final Pattern PROGRAM = Pattern.compile("[A-Za-z0-9_.+-]+");

    private Preconditions() {}

    /** A failure that names the first thing that is missing, and what to do. */
    public static void check(Path folder, Experiment experiment) {
        checkSpace(folder);
        if (experiment.conditions().hooks().prepare().isPresent()) {
            // It may make the files.
            return;
        }
        for (Arm arm : experiment.arms()) {
            Stream.of(files(arm.command()), agents(arm), ofHadoop(arm))
                    .flatMap(List::stream)
                    .filter(file -> Files.notExists(file.path()))
                    .findFirst()
                    .ifPresent(file -> {
                        throw CommandException.failure("arm " + arm.name() + " needs " + file.path() + " ("
                                + file.option() + "), which does not exist"
                                + (EngineJars.isOne(file.path()) ? " (" + EngineJars.BUILDER + ")" : "")
                                + "; correct the path, or let --prepare make the file");
                    });
        }
    }

    private static void checkSpace(Path folder) {
        try {
            long free = Files.getFileStore(folder).getUsableSpace();
            if (free < LEAST_BYTES) {
                throw CommandException.failure("the folder for results " + folder + " has " + (free >> 20)
                        + " MiB of free space, and a comparison needs " + (LEAST_BYTES >> 20)
                        + "; give --results on another disk");
            }
        } catch (IOException e) {
            throw CommandException.failure(
                    "cannot read the free space of the folder for results " + folder + ": " + IoErrors.reason(e)
                            + "; give another --results",
                    e);
        }
    }

    /** A usage error when the shell does not know the first word of a command around runs. */
    static void checkHook(String option, String command) {
        String first = command.strip().split("\\s+", 2)[0];
        if (!PROGRAM.matcher(first).matches()) {
            return;
        }
        try {
            // The shell knows its own words, too.
            Process shell = CallerEnvironment.restore(new ProcessBuilder("sh", "-c", "command -v \"$1\"", "sh", first))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (shell.waitFor() != 0) {
                throw CommandException.usage(option + " '" + command + "': no command '" + first
                        + "' in PATH; install it, or give its path");
            }
        } catch (IOException e) {
            throw CommandException.failure("cannot run sh for " + option + ": " + IoErrors.reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A file that a command names. */
    record Needed(String option, Path path) {}

    /** The files that a command of Java or Spark opens at its start. */
    static List<Needed> files(List<String> command) {
        // Behind "--" of numactl or Berth's launcher the command is the user's own.
        int java = -1;
        for (int i = 0; i < command.size() && java < 0; i++) {
            java = isJava(command.get(i)) ? i : -1;
        }
        List<Needed> needed = new ArrayList<>();
        if (java >= 0) {
            jar(command, java + 1).ifPresent(needed::add);
        }
        if (SparkScripts.isScript(command)) {
            for (int i = 1; i < command.size(); i++) {
                Matcher joined = SPARK_JOINED.matcher(command.get(i));
                String option = joined.matches() ? joined.group(1) : command.get(i);
                if (joined.matches() || (SPARK_FILES.contains(option) && i + 1 < command.size())) {
                    Arrays.stream((joined.matches() ? joined.group(2) : command.get(i + 1)).split(",", -1))
                            .flatMap(word -> local(word).stream())
                            .forEach(path -> needed.add(new Needed(option, path)));
                }
            }
        }
        HadoopCommand.application(command)
                .flatMap(Preconditions::local)
                .ifPresent(path -> needed.add(new Needed("jar", path)));
        // Without its ending it is a class of Spark's own, such as spark-internal.
        SparkCommand.application(command)
                .filter(word -> word.endsWith(".jar") || word.endsWith(".py") || word.endsWith(".R"))
                .flatMap(Preconditions::local)
                .ifPresent(path -> needed.add(new Needed("the application", path)));
        return needed;
    }

    /** Berth's own jar, without which its engine is not there; Hadoop ignores other entries that are missing. */
    private static List<Needed> ofHadoop(Arm arm) {
        if (!HadoopCommand.isJob(arm.command())) {
            return List.of();
        }
        String name = HadoopCommand.CLASS_PATH;
        String entries = arm.environment()
                .getOrDefault(name, CallerEnvironment.variables().getOrDefault(name, ""));
        return Stream.of(entries.split(":", -1))
                .flatMap(entry -> local(entry).stream())
                .filter(EngineJars::isOne)
                .map(path -> new Needed(name, path))
                .toList();
    }

    private static Optional<Needed> jar(List<String> words, int from) {
        for (int i = from; i < words.size() && words.get(i).startsWith("-"); i++) {
            if (words.get(i).equals("-jar")) {
                return i + 1 < words.size()
                        ? local(words.get(i + 1)).map(path -> new Needed("-jar", path))
                        : Optional.empty();
            }
            i += WITH_VALUE.contains(words.get(i)) ? 1 : 0;
        }
        return Optional.empty();
    }

    private static boolean isJava(String program) {
        try {
            return program.endsWith("java")
                    && CommandLookup.isJavaLauncher(CommandLookup.find(
                            program, CallerEnvironment.variables().getOrDefault("PATH", "")));
        } catch (CommandException none) {
            return false;
        }
    }

    private static List<Needed> agents(Arm arm) {
        List<Needed> agents = new ArrayList<>();
        Stream<String> variables = VARIABLES.stream()
                .map(name -> arm.environment()
                        .getOrDefault(name, CallerEnvironment.variables().getOrDefault(name, "")));
        Stream<String> words = arm.command().stream().filter(word -> word.startsWith("-"));
        Stream.concat(words, variables).forEach(text -> {
            Matcher agent = AGENT.matcher(text);
            while (agent.find()) {
                String option = agent.group().substring(0, agent.group().indexOf(':'));
                local(agent.group(1)).ifPresent(path -> agents.add(new Needed(option, path)));
            }
        });
        return agents;
    }

    /** A path on this host; empty for a pattern, and for a URI of another kind. */
    private static Optional<Path> local(String word) {
        if (word.isEmpty() || word.contains("*") || word.contains("{") || word.contains("#")) {
            return Optional.empty();
        }
        try {
            if (!word.matches("[A-Za-z][A-Za-z0-9+.-]*:.*")) {
                return Optional.of(Path.of(word));
            }
            return word.startsWith("file:")
                    ? Optional.ofNullable(URI.create(word).getPath()).map(Path::of)
                    : Optional.empty();
        } catch (IllegalArgumentException noPath) {
            return Optional.empty();
        }
    }
}

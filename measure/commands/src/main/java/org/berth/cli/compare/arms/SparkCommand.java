package org.berth.cli.compare.arms;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.launch.SparkScripts;
import org.berth.text.Words;

/**
 * A command that starts the driver of a Spark application: one of Spark's scripts, which take {@code --conf}, or {@code
 * java}, which takes system properties.
 */
public record SparkCommand(List<String> words) {
    private static final String MASTER = "spark.master";

    /** Options of spark-submit without a value. */
    private static final Set<String> FLAGS =
            Set.of("--supervise", "--verbose", "-v", "--help", "-h", "--version", "--usage-error");

    /** What the race sets. */
    private static final List<String> OWN = List.of(
            "spark.executor.cores",
            "spark.executor.memory",
            "spark.executor.extraJavaOptions",
            "spark.executor.instances",
            "spark.plugins",
            "spark.berth.level",
            "--executor-cores",
            "--executor-memory",
            "--num-executors",
            "--total-executor-cores");

    public SparkCommand {
        words = List.copyOf(words);
    }

    /** A usage error for any other command, and for one that sets what the race sets. */
    public static SparkCommand of(List<String> words, boolean javaLauncher) {
        if (!SparkScripts.isScript(words) && !javaLauncher) {
            throw CommandException.usage(
                    "--spark: give spark-submit or another script of Spark, or java, not '" + words.get(0) + "'");
        }
        SparkCommand command = new SparkCommand(words);
        for (String name : OWN) {
            if (words.stream().anyMatch(word -> sets(word, name))) {
                throw CommandException.usage(
                        name + " in the command: the race sets it for each candidate; leave it out");
            }
        }
        command.master().ifPresent(SparkCommand::requireStandalone);
        return command;
    }

    /**
     * A usage error where {@code java} would start executors on this host and cannot: Spark's scripts set the
     * variables.
     */
    public void requireHome(Map<String, String> environment) {
        List<String> missing = Stream.of("SPARK_HOME", "SPARK_SCALA_VERSION")
                .filter(name -> environment.getOrDefault(name, "").isEmpty())
                .toList();
        if (!SparkScripts.isScript(words) && master().isEmpty() && !missing.isEmpty()) {
            throw CommandException.usage("executors start on this host by local-cluster, which needs "
                    + Words.and(missing) + " in the environment of java; set"
                    + " them, use spark-submit, or give -Dspark.master=spark://HOST:PORT");
        }
    }

    private static boolean sets(String word, String name) {
        String text = word.startsWith("--conf=") ? word.substring("--conf=".length()) : word;
        text = text.startsWith("-D") ? text.substring(2) : text;
        return text.equals(name) || text.startsWith(name + "=");
    }

    /** The value that the command gives a setting, the last one as in Spark. */
    public Optional<String> setting(String name) {
        return words.stream()
                .filter(word -> sets(word, name) && word.contains("="))
                .map(word -> word.substring(word.indexOf(name) + name.length() + 1))
                .reduce((first, second) -> second);
    }

    /** The same without a setting. */
    public SparkCommand without(String name) {
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            boolean next = word.equals("--conf") && i + 1 < words.size() && sets(words.get(i + 1), name);
            if (next) {
                i++;
            } else if (!sets(word, name)) {
                kept.add(word);
            }
        }
        return new SparkCommand(kept);
    }

    private static void requireStandalone(String master) {
        if (!master.startsWith("spark://")) {
            throw CommandException.usage("master " + master + ": executors race on this host, without a master in the"
                    + " command, or under a standalone master, spark://HOST:PORT");
        }
    }

    /** The master that the command names. */
    public Optional<String> master() {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals("--master") && i + 1 < words.size()) {
                return Optional.of(words.get(i + 1));
            }
            if (word.startsWith("--master=") || sets(word, MASTER)) {
                return Optional.of(word.substring(word.indexOf('=', word.startsWith("--conf=") ? 7 : 0) + 1));
            }
        }
        return Optional.empty();
    }

    /** The application of {@code spark-submit [OPTION]… FILE}. */
    public static Optional<String> application(List<String> words) {
        if (!Path.of(words.get(0)).endsWith("spark-submit")) {
            return Optional.empty();
        }
        int word = 1;
        while (word < words.size() && words.get(word).startsWith("-")) {
            word += FLAGS.contains(words.get(word)) || words.get(word).contains("=") ? 1 : 2;
        }
        return word < words.size() ? Optional.of(words.get(word)) : Optional.empty();
    }

    /** The words with settings behind the first one. */
    public List<String> with(Map<String, String> settings) {
        List<String> all = new ArrayList<>(List.of(words.get(0)));
        settings.forEach((key, value) -> {
            if (SparkScripts.isScript(words)) {
                all.addAll(List.of("--conf", key + "=" + value));
            } else {
                all.add("-D" + key + "=" + value);
            }
        });
        all.addAll(words.subList(1, words.size()));
        return all;
    }
}

package org.berth.cli.compare.arms;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.launch.CommandLookup;

/**
 * A command that starts a MapReduce job by one of Hadoop's scripts, as in {@code hadoop jar app.jar in out}.
 *
 * @param words the command
 * @param environment the variables that it gets
 */
public record HadoopCommand(List<String> words, Map<String, String> environment) {
    /** Chooses the engine of MapReduce. */
    public static final String FRAMEWORK = "mapreduce.framework.name";

    private static final String LEVEL = "berth.mapreduce.level";

    /** The variable that names jars for Hadoop's scripts. */
    public static final String CLASS_PATH = "HADOOP_CLASSPATH";

    private static final String SITE = "mapred-site.xml";
    private static final Set<String> SCRIPTS = Set.of("hadoop", "yarn", "mapred");
    private static final String JAR = "jar";
    private static final Set<String> JOBS = Set.of(JAR, "streaming");
    private static final String CONFIG = "--config";

    /** Options of the scripts that are followed by a value. */
    private static final Set<String> WITH_VALUE = Set.of(CONFIG, "--loglevel", "--hosts", "--hostnames");

    public HadoopCommand {
        words = List.copyOf(words);
        environment = Map.copyOf(environment);
    }

    /** Whether a command starts a job. */
    public static boolean isJob(List<String> words) {
        int word = behindOptions(words);
        return word < words.size() && JOBS.contains(words.get(word));
    }

    /** The jar of the user in {@code hadoop jar FILE}. */
    public static Optional<String> application(List<String> words) {
        int word = behindOptions(words);
        return word + 1 < words.size() && words.get(word).equals(JAR)
                ? Optional.of(words.get(word + 1))
                : Optional.empty();
    }

    /** The place of what a script of Hadoop is to do; behind the last word for another command. */
    private static int behindOptions(List<String> words) {
        Path script = Path.of(words.get(0)).getFileName();
        if (script == null || !SCRIPTS.contains(script.toString())) {
            return words.size();
        }
        int word = 1;
        while (word < words.size() && words.get(word).startsWith("--")) {
            word += WITH_VALUE.contains(words.get(word)) ? 2 : 1;
        }
        return word;
    }

    /** The jar of Berth's engine that Hadoop's scripts are told of. */
    public Optional<String> engine() {
        return Stream.of(environment.getOrDefault(CLASS_PATH, "").split(":", -1))
                .filter(entry -> entry.substring(entry.lastIndexOf('/') + 1).startsWith(EngineJars.HADOOP))
                .findFirst();
    }

    /** A usage error for a command that names its engine. */
    public void requireNoEngine() {
        words.stream()
                .filter(word -> word.contains(FRAMEWORK + "=") || word.contains(LEVEL + "="))
                .findFirst()
                .ifPresent(word -> {
                    throw CommandException.usage(
                            word + " in the command: each arm sets it; leave it out, and give --levels");
                });
    }

    /**
     * The variables of Hadoop's scripts with which the job runs in Berth's engine, also where its program does not read {@code -D}: a
     * configuration that comes before the user's own, and includes that.
     *
     * @param folder is made, and holds the configuration
     * @param level of the worker threads
     */
    public Map<String, String> inEngine(Path folder, String level) throws IOException {
        String included = configuration()
                .map(directory -> directory.resolve(SITE))
                .filter(Files::isReadable)
                .map(site -> "  <xi:include href=\"%s\"/>\n".formatted(escaped(site)))
                .orElse("");
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(SITE), """
                <?xml version="1.0"?>
                <configuration xmlns:xi="http://www.w3.org/2001/XInclude">
                %s  <property><name>%s</name><value>berth</value></property>
                  <property><name>%s</name><value>%s</value></property>
                </configuration>
                """.formatted(included, FRAMEWORK, LEVEL, level));
        return Map.of(
                CLASS_PATH,
                folder + ":" + environment.getOrDefault(CLASS_PATH, ""),
                "HADOOP_USER_CLASSPATH_FIRST",
                "true");
    }

    private static String escaped(Path file) {
        return file.toAbsolutePath()
                .toString()
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace("\"", "&quot;");
    }

    /** The folder that the script reads: by its option, by its variables, else next to it. */
    private Optional<Path> configuration() {
        int option = words.indexOf(CONFIG);
        if (option > 0 && option + 1 < words.size()) {
            return Optional.of(Path.of(words.get(option + 1)));
        }
        return Optional.ofNullable(environment.get("HADOOP_CONF_DIR"))
                .map(Path::of)
                .or(() -> Optional.ofNullable(environment.get("HADOOP_HOME")).map(HadoopCommand::inHome))
                .or(this::besideTheScript);
    }

    private static Path inHome(String home) {
        return Path.of(home, "etc", "hadoop");
    }

    private Optional<Path> besideTheScript() {
        try {
            Path script = CommandLookup.find(words.get(0), environment.getOrDefault("PATH", ""))
                    .toRealPath();
            return Optional.ofNullable(script.getParent()).map(Path::getParent).map(home -> inHome(home.toString()));
        } catch (IOException noScript) {
            return Optional.empty();
        }
    }
}

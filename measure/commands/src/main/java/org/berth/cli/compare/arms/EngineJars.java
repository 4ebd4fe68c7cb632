package org.berth.cli.compare.arms;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.berth.spark.conf.SparkKeys;

/** The jars that bring Berth into an engine. */
public final class EngineJars {
    /** The start of the file's name. */
    static final String HADOOP = "berth-hadoop";

    /** The start of the file's name. */
    static final String SPARK = "berth-spark";

    /** Stands in messages for what makes them. */
    public static final String BUILDER = "'./package' in a checkout builds it";

    private EngineJars() {}

    /** Whether a file is one of them, which Berth builds. */
    public static boolean isOne(Path file) {
        String name = String.valueOf(file.getFileName());
        return Stream.of(HADOOP, SPARK).anyMatch(name::startsWith);
    }

    /** Whether the driver will find Spark's plugin: the command names its jar or the plugin, or Spark's own folder has the jar. */
    public static boolean havePlugin(List<String> command, Map<String, String> environment) {
        boolean named = command.stream().anyMatch(word -> word.contains(SPARK) || word.contains(SparkKeys.PLUGIN));
        return named || isInFolder(environment.getOrDefault("SPARK_HOME", ""));
    }

    private static boolean isInFolder(String home) {
        if (home.isEmpty()) {
            return false;
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(Path.of(home, "jars"), SPARK + "*.jar")) {
            return found.iterator().hasNext();
        } catch (IOException noFolder) {
            return false;
        }
    }
}

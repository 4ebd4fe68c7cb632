package org.berth.cli.mapreduce;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.cli.shared.CommandException;

/** Looks for the driver of {@code --engine spark}, which the build of this command leaves out for its size. */
final class SparkDriver {
    private static final String JAR = "berth-mapreduce-spark-";

    private SparkDriver() {}

    /** @throws CommandException one line that tells how to get it, when the class path has none */
    static void require(String classPath) {
        for (String entry : classPath.split(":", -1)) {
            if (has(entry)) {
                return;
            }
        }
        throw CommandException.usage("--engine spark: HADOOP_CLASSPATH does not have the driver; build it with"
                + " 'mvn -Dquick -DskipTests -pl carry/mapreduce/spark -am package', and set HADOOP_CLASSPATH to"
                + " \"$PWD/carry/mapreduce/spark/target/mapreduce/lib/*:$SPARK_HOME/jars/*\" and"
                + " HADOOP_USER_CLASSPATH_FIRST=true");
    }

    private static boolean has(String entry) {
        if (!entry.endsWith("/*")) {
            return Path.of(entry).getFileName() != null
                    && Path.of(entry).getFileName().toString().startsWith(JAR);
        }
        Path folder = Path.of(entry.substring(0, entry.length() - 2));
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, JAR + "*.jar")) {
            return jars.iterator().hasNext();
        } catch (IOException e) {
            return false;
        }
    }
}

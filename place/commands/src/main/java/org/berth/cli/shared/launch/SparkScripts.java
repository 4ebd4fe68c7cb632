package org.berth.cli.shared.launch;

import java.nio.file.Path;
import java.util.List;

/** The scripts of Spark that start the driver of an application. */
public final class SparkScripts {
    private static final List<String> NAMES =
            List.of("spark-submit", "spark-sql", "spark-shell", "pyspark", "sparkR", "spark-class");

    private SparkScripts() {}

    /** Whether a command is one of them, in any folder. */
    public static boolean isScript(List<String> command) {
        Path name = Path.of(command.get(0)).getFileName();
        return name != null && NAMES.contains(name.toString());
    }
}

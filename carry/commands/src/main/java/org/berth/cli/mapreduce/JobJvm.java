package org.berth.cli.mapreduce;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.cli.run.Launch;
import org.berth.cli.shared.CommandException;

/**
 * The JVM of a job: its class path and options.
 *
 * @param conf a folder of the user's with Hadoop's site files
 * @param heap maximum heap, in the words of {@code java -Xmx}
 */
record JobJvm(Optional<Path> conf, Optional<String> heap) {
    /** The folder with the engine and Hadoop's libraries, which the {@code berth} script has built. */
    private static final String LIBRARIES = "org.berth.mapreduce.lib";

    /** A class-data archive, next to the libraries that it is made of. */
    private static final String ARCHIVE = "mapreduce.jsa";

    /** What Hadoop's own scripts open, and what Spark needs in addition. */
    private static final List<String> OPENED = List.of(
            "java.lang",
            "java.lang.invoke",
            "java.lang.reflect",
            "java.io",
            "java.math",
            "java.net",
            "java.nio",
            "java.text",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "java.util.zip",
            "sun.nio.ch",
            "sun.nio.cs",
            "sun.security.action",
            "sun.util.calendar");

    Launch launch(Map<String, String> settings, List<String> words) {
        Path libraries = Path.of(System.getProperty(LIBRARIES, ""));
        if (!Files.isDirectory(libraries) || libraries.toString().isEmpty()) {
            throw CommandException.failure(
                    "cannot find the MapReduce engine: it and Hadoop's libraries are in a checkout"
                            + " only; start './berth mapreduce' there, which builds them");
        }
        Path folder = JobProperties.write(settings);
        List<String> classPath = new ArrayList<>();
        conf.ifPresent(given -> classPath.add(given.toString()));
        // The names that the scripts of Hadoop have for this.
        String more = System.getenv().getOrDefault("HADOOP_CLASSPATH", "");
        boolean first = System.getenv().containsKey("HADOOP_USER_CLASSPATH_FIRST");
        if (first && !more.isEmpty()) {
            classPath.add(more);
        }
        classPath.add(libraries + "/*");
        if (!first && !more.isEmpty()) {
            classPath.add(more);
        }
        // The last one: a class-data archive wants its own class path first, and no other folder has this file.
        classPath.add(folder.toString());
        List<String> front = new ArrayList<>();
        front.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        Path archive = libraries.resolveSibling(ARCHIVE);
        if (Files.exists(archive)) {
            // One of other jars or of another JVM is ignored, which the JVM would warn of at each start.
            front.addAll(List.of("-XX:SharedArchiveFile=" + archive, "-Xshare:auto", "-Xlog:cds*=off"));
        }
        heap.ifPresent(size -> front.add("-Xmx" + size));
        OPENED.forEach(name -> front.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
        front.add("--enable-native-access=ALL-UNNAMED");
        front.add("-Dberth.job.properties=" + folder);
        front.add("-cp");
        front.add(String.join(":", classPath));
        front.add("org.berth.mapreduce.standalone.JobJar");
        return new Launch(Map.of(), front, words);
    }
}

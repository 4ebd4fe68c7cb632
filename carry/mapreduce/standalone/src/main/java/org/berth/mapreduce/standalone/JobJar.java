package org.berth.mapreduce.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.util.ConfigUtil;
import org.apache.hadoop.util.RunJar;

/**
 * Runs a job's jar as {@code hadoop jar} does. The properties of the command line come last of all site files, so that programs
 * that do not read {@code -D} have them, too.
 */
public final class JobJar {
    /** Names the folder with the properties; it is in the class path, and belongs to this JVM. */
    private static final String FOLDER = "berth.job.properties";

    private static final String FILE = "berth-site.xml";

    private JobJar() {}

    /** The words are those of {@code hadoop jar}: the jar, its main class unless the manifest has one, arguments. */
    public static void main(String[] words) throws Throwable {
        String folder = System.getProperty(FOLDER, "");
        if (!folder.isEmpty()) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(Path.of(folder)), "berth-properties"));
        }
        ConfigUtil.loadResources();
        Configuration.addDefaultResource(FILE);
        RunJar.main(words);
    }

    /** Jobs that are killed at the end of the JVM make no new configuration, so the file may go at any time then. */
    private static void remove(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : List.copyOf(files.toList())) {
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (IOException e) {
            System.err.println("berth: cannot remove " + folder + ": " + e);
        }
    }
}

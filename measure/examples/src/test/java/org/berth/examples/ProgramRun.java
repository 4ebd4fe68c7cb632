package org.berth.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.ExampleDriver;
import org.berth.hadoopjobs.TestJobs;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;

/**
 * What a program of Hadoop's examples did, which the main class of their jar started in a JVM of its own.
 *
 * @param printed its standard output
 * @param counters of its jobs, added up, by group and name as the client logs them
 */
record ProgramRun(String printed, Map<String, Long> counters) {
    private static final Pattern COUNTER = Pattern.compile("\t\t(.+)=(\\d+)");
    private static final int MARKER_BYTES = 16;
    private static final Pattern JOB = Pattern.compile("Job (job_\\S+) running in uber mode : (\\w+)");

    /** Counters that each engine has for itself, and the length of names of temporary folders. */
    private static final Pattern OWN = Pattern.compile("File System Counters\\..*|Job Counters\\..*|"
            + "Map-Reduce Framework\\..*(Spilled|time|heap|memory|materialized|shuffle bytes|split bytes).*");

    /**
     * Writes what an administrator writes: the folder with the configuration of clients.
     *
     * @param framework name of the engine
     * @param folder empty, for all that the client and its jobs write
     */
    static void configure(String framework, Path folder, Configuration settings) throws IOException {
        Path conf = Files.createDirectories(folder.resolve("conf"));
        settings.set("mapreduce.framework.name", framework);
        settings.set("fs.defaultFS", "file:///");
        settings.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
        settings.set("mapreduce.job.reduces", "2");
        settings.set("mapreduce.client.completion.pollinterval", "50");
        settings.set("mapreduce.client.progressmonitor.pollinterval", "50");
        // Each part of Hadoop reads its defaults after the files of the part before it.
        for (String part : List.of("core", "mapred", "yarn")) {
            try (OutputStream out = Files.newOutputStream(conf.resolve(part + "-site.xml"))) {
                settings.writeXml(out);
            }
        }
        Files.writeString(conf.resolve("log4j.properties"), """
                log4j.rootLogger=WARN, err
                log4j.logger.org.apache.hadoop.mapreduce.Job=INFO
                log4j.appender.err=org.apache.log4j.ConsoleAppender
                log4j.appender.err.target=System.err
                log4j.appender.err.layout=org.apache.log4j.PatternLayout
                log4j.appender.err.layout.ConversionPattern=%m%n
                """);
    }

    /**
     * Runs a program to its end, which must be a success.
     *
     * @param jobs how the identifiers of its jobs begin, which tells the engine that ran them
     * @param folder that {@link #configure} has made
     * @param line the program and its words, in which ~ is the folder
     */
    static ProgramRun of(String jobs, Path folder, String line) {
        ChildJvm client = ChildJvm.of(
                        ExampleDriver.class,
                        line.replace("~", folder.toString()).split(" ", -1))
                .with("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
        ProcessBuilder builder = client.classPath(folder.resolve("conf") + ":" + client.classPath())
                .builder()
                .directory(folder.toFile());
        Child.Result result = Child.run(builder);
        String what = folder.getFileName() + ": " + line;
        assertThat(result.exitCode()).as(what + "\n" + result.err()).isZero();
        assertThat(JOB.matcher(result.err()).results())
                .as(what)
                .isNotEmpty()
                .allSatisfy(job -> assertThat(job.group(1)).startsWith(jobs))
                .allSatisfy(job -> assertThat(job.group(2)).isEqualTo("false"));
        return new ProgramRun(result.out(), counters(result.err()));
    }

    private static Map<String, Long> counters(String log) {
        Map<String, Long> result = new TreeMap<>();
        String group = "";
        for (String line : log.lines().toList()) {
            Matcher counter = COUNTER.matcher(line);
            if (counter.matches()) {
                result.merge(group + "." + counter.group(1), Long.valueOf(counter.group(2)), Long::sum);
            } else {
                group = line.strip();
            }
        }
        return result;
    }

    /** Counters that mean the same in both engines. */
    Map<String, Long> comparable() {
        Map<String, Long> result = new TreeMap<>(counters);
        result.keySet().removeIf(OWN.asMatchPredicate());
        return result;
    }

    /** What it printed as its result; the rest are seconds and paths. */
    List<String> result() {
        return printed.lines()
                .filter(line -> line.startsWith("Estimated value"))
                .toList();
    }

    /** What the programs have left below a folder. */
    static Map<String, String> files(Path folder) throws IOException {
        Map<String, String> result = TestJobs.output(folder);
        result.keySet().removeIf(name -> name.startsWith("conf/"));
        result.replaceAll((name, bytes) -> withoutMarker(bytes));
        return result;
    }

    /** Hadoop puts a random marker of 16 bytes into each SequenceFile: after the header, and again every few records. */
    private static String withoutMarker(String bytes) {
        if (!bytes.startsWith("SEQ")) {
            return bytes;
        }
        // The names of two classes with their lengths, whether records or blocks are compressed, and the number of
        // metadata.
        int value = 5 + bytes.charAt(4);
        int marker = value + 1 + bytes.charAt(value) + 6;
        assertThat(bytes.substring(marker - 6, marker)).isEqualTo("\0".repeat(6));
        return bytes.replace(bytes.substring(marker, marker + MARKER_BYTES), "(marker)");
    }
}

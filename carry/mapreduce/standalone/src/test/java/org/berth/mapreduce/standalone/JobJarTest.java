package org.berth.mapreduce.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.examples.WordCount;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unmodified job jars in a JVM of their own: output, exit codes, properties, and what a signal leaves behind. */
@Tag("one-jdk")
class JobJarTest {
    @TempDir
    Path work;

    private Path properties;

    @BeforeEach
    void input() throws IOException {
        Files.createDirectories(work.resolve("in"));
        Files.writeString(work.resolve("in/a"), "b a\nc a\n");
        properties = work.resolve("properties");
        writeProperties();
    }

    private void writeProperties() throws IOException {
        Files.createDirectories(properties);
        Files.writeString(
                properties.resolve("berth-site.xml"),
                "<configuration>" + property("mapreduce.framework.name", "berth")
                        + property("hadoop.tmp.dir", work.resolve("tmp").toString())
                        + property("mapreduce.job.reduces", "2") + "</configuration>");
    }

    private static String property(String name, String value) {
        return "<property><name>" + name + "</name><value>" + value + "</value></property>";
    }

    private ChildJvm job(String... words) {
        return ChildJvm.of(JobJar.class, words)
                .classPath(properties + File.pathSeparator + System.getProperty("java.class.path"))
                .with("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dberth.job.properties=" + properties);
    }

    private static String examples() throws Exception {
        return Path.of(WordCount.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
    }

    @Test
    void unmodifiedJarRunsWithThePropertiesOfTheCommandLine() throws Exception {
        String in = work.resolve("in").toString();
        Child.Result result =
                job(examples(), "wordcount", in, work.resolve("out").toString()).run();
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.err())
                .contains("mapreduce.Job:  map 100% reduce 100%", "completed successfully")
                .contains("Running job: job_berth");
        List<String> lines = new ArrayList<>();
        lines.addAll(Files.readAllLines(work.resolve("out/part-r-00000")));
        lines.addAll(Files.readAllLines(work.resolve("out/part-r-00001")));
        assertThat(lines).containsExactlyInAnyOrder("a\t2", "b\t1", "c\t1");
        assertThat(properties).doesNotExist();
    }

    @Test
    void exitCodeIsTheProgramsAndItsErrorsAreSeen() throws Exception {
        assertThat(job(examples(), "wordcount").run().exitCode()).isEqualTo(2);
        writeProperties();
        String none = work.resolve("none").toString();
        Child.Result missing = job(
                        examples(), "wordcount", none, work.resolve("out").toString())
                .run();
        assertThat(missing.exitCode()).isNotZero();
        assertThat(missing.err()).contains("Input path does not exist");
    }

    private Path jar(String file, Class<?>... types) throws IOException {
        Path jar = work.resolve(file);
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out)) {
            for (Class<?> type : types) {
                String name = type.getName().replace('.', '/') + ".class";
                entries.putNextEntry(new JarEntry(name));
                try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
                    in.transferTo(entries);
                }
                entries.closeEntry();
            }
        }
        return jar;
    }

    /** The class path without the classes of these tests, which are to come from the jars. */
    private static String libraries() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    @Test
    void librariesLinksAndArchivesAreThereUntilTheLastJobEnds() throws Exception {
        Path directory = Files.createDirectories(work.resolve("directory"));
        Path side = Files.writeString(work.resolve("side"), "from a link\n");
        Path archive = jar("archive.jar", WaitingJob.class);
        Path out = work.resolve("out");
        ChildJvm job = job(
                        jar("main.jar", LibraryJob.class, LibraryJob.Opens.class)
                                .toString(),
                        LibraryJob.class.getName(),
                        "-libjars",
                        jar("library.jar", LibraryJob.Library.class).toString(),
                        "-files",
                        side + "#link",
                        "-archives",
                        archive + "#unpacked",
                        work.resolve("in").toString(),
                        out.toString())
                .classPath(properties + File.pathSeparator + libraries());
        Path log = work.resolve("log");
        Process process = job.builder()
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(process.waitFor()).as(Files.readString(log)).isZero();
        for (String folder : List.of("out", "out-second")) {
            assertThat(Files.readAllLines(work.resolve(folder).resolve("part-m-00000")))
                    .containsExactly("hello b a\tfrom a link org", "hello c a\tfrom a link org");
        }
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
        try (Stream<Path> left = Files.walk(work.resolve("tmp"))) {
            assertThat(left.filter(path -> path.getFileName().toString().startsWith("job_")))
                    .isEmpty();
        }
    }

    @Test
    void interruptKillsTheJobAndLeavesNothing() throws Exception {
        String in = work.resolve("in").toString();
        String out = work.resolve("out").toString();
        // A shell's background job has SIGINT ignored, and what it starts inherits that; a user's terminal has not.
        try (Child job = job(
                        jar("waiting.jar", WaitingJob.class, WaitingJob.Waits.class)
                                .toString(),
                        WaitingJob.class.getName(),
                        in,
                        out)
                .under(List.of("env", "--default-signal=INT"))
                .start()) {
            job.readUntil("map is waiting");
            assertThat(work.resolve("out/_temporary")).exists();
            Child.run("kill", "-INT", Long.toString(job.pid()));
            assertThat(job.exitCode()).isEqualTo(130);
        }
        assertThat(work.resolve("out/_temporary")).doesNotExist();
        assertThat(work.resolve("out/_SUCCESS")).doesNotExist();
        assertThat(properties).doesNotExist();
        try (Stream<Path> files = Files.walk(work.resolve("tmp"))) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
    }
}

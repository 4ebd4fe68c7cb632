package org.berth.shipped;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.berth.oracle.Child;
import org.berth.oracle.JarFiles;

/**
 * A user's jar with his jobs, their input, and what they are to print.
 *
 * @param folder for all of it
 */
record UserJobs(Path folder) {
    Path job() throws IOException {
        return JarFiles.job(
                folder.resolve("job.jar"),
                SeenHere.class,
                SparkProgram.class,
                WordCount.class,
                WordCount.Words.class,
                WordCountInSpark.class);
    }

    /** Two files, for two maps. */
    String input() throws IOException {
        Path input = Files.createDirectories(folder.resolve("in"));
        Files.writeString(input.resolve("a"), "one two\ntwo\n");
        Files.writeString(input.resolve("b"), "two one three\n");
        return input.toString();
    }

    void assertWords(Child.Result result, String way) throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> parts = Files.list(folder.resolve("out"))) {
            for (Path part : parts.filter(file -> file.getFileName().toString().startsWith("part-"))
                    .toList()) {
                lines.addAll(Files.readAllLines(part, StandardCharsets.UTF_8));
            }
        }
        assertThat(lines).as(result.err()).contains("one\t2", "two\t3", "three\t1", way + "\t2");
        assertThat(lines.stream().filter(line -> line.startsWith("cpus ")))
                .isNotEmpty()
                .allMatch(line -> line.matches("cpus \\d+\t\\d"));
    }

    static void assertTasksAreBound(Child.Result result, String way) {
        assertThat(result.out().lines().filter(line -> line.startsWith("map ")))
                .as(result.err())
                .isNotEmpty()
                .allMatch(line -> line.matches("map \\d+ " + way + ", reduce \\d+ " + way));
    }
}

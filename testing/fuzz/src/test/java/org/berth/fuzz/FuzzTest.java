package org.berth.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.berth.machines.Machines;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Jazzer on each target, from the committed corpus, in a JVM of its own: a crash of native code is a finding too. What
 * it finds new is in target/fuzz/NAME/corpus; what failed is in target/fuzz/NAME/crash-*, and with it the seed.
 */
@Tag("one-jdk")
class FuzzTest {
    private static final int LONG_RUN_SECONDS = Integer.getInteger("berth.fuzz.seconds", 0);
    private static final Path DIRECTORY = Path.of(System.getProperty("berth.fuzz.directory", "target/fuzz"));

    @ParameterizedTest(name = "{0}")
    @CsvSource({"list,1", "mask,1", "plan,1", "xml,1", "diff,1", "synthetic,100"})
    void everyParserWithstandsTheFuzzer(String name, int costOfOne) throws Exception {
        Path work = Files.createDirectories(DIRECTORY.resolve(name));
        Path corpus = Files.createDirectories(work.resolve("corpus"));
        if (name.equals("xml")) {
            for (String machine : List.of("2arm-2c", "8em64t-2s4c-heterogeneous", "4fake-4gr1nu1pu")) {
                Files.writeString(corpus.resolve(machine), Machines.xml(machine));
            }
        }
        // The build gives the same answer twice; new ground is for the long run.
        int seed = LONG_RUN_SECONDS > 0 ? new SecureRandom().nextInt(Integer.MAX_VALUE - 1) + 1 : 1;
        Path log = work.resolve("log");
        String simple = Character.toUpperCase(name.charAt(0)) + name.substring(1) + "Target";
        int exitCode = new ProcessBuilder(
                        command("org.berth.fuzz." + simple, seed, costOfOne, work, corpus, committed(name)))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
        System.out.println(name + ": seed " + seed + ", exit code " + exitCode);
        assertThat(exitCode)
                .as("seed %d; the end of %s:\n%s", seed, log, tail(log))
                .isZero();
        assertThat(tail(log)).contains("Done ");
    }

    /** So that a target that finds nothing is known to be able to. */
    @Test
    void findsAPlantedFault() throws Exception {
        Path work = Files.createDirectories(DIRECTORY.resolve("planted"));
        Path corpus = Files.createDirectories(work.resolve("corpus"));
        Path log = work.resolve("log");
        List<String> command = command("org.berth.fuzz.PlantedTarget", 1, 1, work, corpus, committed("list"));
        // As many as it takes, also where the others have fewer: the last option counts.
        command.add("-runs=20000");
        int exitCode = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
        assertThat(exitCode).isNotZero();
        assertThat(tail(log)).contains("planted");
    }

    private static List<String> command(
            String target, int seed, int costOfOne, Path work, Path corpus, Path committed) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
        if (LONG_RUN_SECONDS == 0) {
            // A short run mostly starts.
            command.add("-XX:TieredStopAtLevel=1");
        }
        command.add("com.code_intelligence.jazzer.Jazzer");
        command.add("--target_class=" + target);
        command.add("--instrumentation_includes=org.berth.**");
        command.add("--reproducer_path=" + work);
        command.add("-artifact_prefix=" + work + "/");
        command.add("-seed=" + seed);
        command.add("-timeout=300");
        command.add("-max_len=65536");
        command.add(
                LONG_RUN_SECONDS > 0
                        ? "-max_total_time=" + LONG_RUN_SECONDS
                        : "-runs=" + Integer.getInteger("berth.fuzz.runs", 400) / costOfOne);
        command.addAll(List.of(corpus.toString(), committed.toString()));
        return command;
    }

    private static Path committed(String name) throws URISyntaxException {
        return Path.of(Objects.requireNonNull(FuzzTest.class.getResource("/corpus/" + name))
                .toURI());
    }

    private static String tail(Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log, java.nio.charset.StandardCharsets.ISO_8859_1)) {
            List<String> all = lines.toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - 40), all.size()));
        }
    }
}

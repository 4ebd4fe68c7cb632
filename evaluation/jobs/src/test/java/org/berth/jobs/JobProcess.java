package org.berth.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A job as a user starts it: in a JVM of its own. */
final class JobProcess {
    private static final Pattern RESULT = Pattern.compile("(?m)^berth-job-result=(.+)$");
    private static final Pattern SECONDS = Pattern.compile("(?m)^berth-job-seconds=\\d+\\.\\d{3}$");

    record Run(int exitCode, String out, String err) {
        /** Of a run that went well. */
        String result() {
            assertThat(exitCode).as("%s", this).isZero();
            assertThat(SECONDS.matcher(out).results()).as("%s", this).hasSize(1);
            Matcher matcher = RESULT.matcher(out);
            assertThat(matcher.find()).as("%s", this).isTrue();
            return matcher.group(1);
        }

        void assertFails(int code, String line) {
            assertThat(err).isEqualTo("berth: " + line + "\n");
            assertThat(out).isEmpty();
            assertThat(exitCode).isEqualTo(code);
        }
    }

    private JobProcess() {}

    static Run run(Path folder, Class<?> job, String... arguments) throws IOException, InterruptedException {
        return run(folder, List.of(), List.of(), job, arguments);
    }

    /** Bound by taskset(1) to the first CPU that this JVM may use. */
    static Run runOnOneCpu(Path folder, Class<?> job, String... arguments) throws IOException, InterruptedException {
        String allowed = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .findFirst()
                .orElseThrow();
        String first = allowed.substring(allowed.indexOf(':') + 1).strip().split("[,-]", -1)[0];
        return run(folder, List.of("taskset", "-c", first), List.of(), job, arguments);
    }

    static Run run(Path folder, List<String> prefix, List<String> jvmOptions, Class<?> job, String... arguments)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "job", ".out");
        Path err = Files.createTempFile(folder, "job", ".err");
        Process process = new ProcessBuilder(command(prefix, jvmOptions, job, arguments))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        int exitCode;
        try {
            exitCode = process.waitFor();
        } finally {
            // When the test's time is over, no job may disturb the next one.
            process.destroyForcibly();
        }
        return new Run(exitCode, Files.readString(out), Files.readString(err));
    }

    static List<String> command(List<String> prefix, List<String> jvmOptions, Class<?> job, String... arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.add(System.getProperty("java.home") + "/bin/java");
        // Half the processor time of a start with the default collector and compilers.
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx2g"));
        command.addAll(jvmOptions);
        command.addAll(List.of("-XX:+IgnoreUnrecognizedVMOptions", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("--sun-misc-unsafe-memory-access=allow"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), job.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}

package org.berth.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.Machine;

/** A job as a user starts it: in a JVM of its own. */
public final class JobProcess {
    private static final Pattern RESULT = Pattern.compile("(?m)^berth-job-result=(.+)$");
    private static final Pattern SECONDS = Pattern.compile("(?m)^berth-job-seconds=\\d+\\.\\d{3}$");

    public record Run(int exitCode, String out, String err) {
        /** The result that the run printed; the run must have succeeded. */
        public String result() {
            assertThat(exitCode).as("%s", this).isZero();
            assertThat(SECONDS.matcher(out).results()).as("%s", this).hasSize(1);
            Matcher matcher = RESULT.matcher(out);
            assertThat(matcher.find()).as("%s", this).isTrue();
            return matcher.group(1);
        }

        public void assertFails(int code, String line) {
            assertThat(err).isEqualTo("berth: " + line + "\n");
            assertThat(out).isEmpty();
            assertThat(exitCode).isEqualTo(code);
        }
    }

    private JobProcess() {}

    public static Run run(Path folder, Class<?> job, String... arguments) throws IOException, InterruptedException {
        return run(folder, List.of(), List.of(), job, arguments);
    }

    /** Bound by taskset(1) to the first CPU that this JVM may use. */
    public static Run runOnOneCpu(Path folder, Class<?> job, String... arguments)
            throws IOException, InterruptedException {
        String first = Machine.cpus().get(0).toString();
        return run(folder, List.of("taskset", "-c", first), List.of(), job, arguments);
    }

    public static Run run(Path folder, List<String> prefix, List<String> jvmOptions, Class<?> job, String... arguments)
            throws IOException, InterruptedException {
        Child.Result result =
                Child.run(command(prefix, jvmOptions, job, arguments).toArray(String[]::new));
        return new Run(result.exitCode(), result.out(), result.err());
    }

    public static List<String> command(
            List<String> prefix, List<String> jvmOptions, Class<?> job, String... arguments) {
        return ChildJvm.of(job, arguments)
                .under(prefix)
                // Half the processor time of a start with the default collector and compilers.
                .with("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx2g")
                .with(jvmOptions.toArray(String[]::new))
                .with("-XX:+IgnoreUnrecognizedVMOptions", "--enable-native-access=ALL-UNNAMED")
                .with("--sun-misc-unsafe-memory-access=allow")
                .command();
    }
}

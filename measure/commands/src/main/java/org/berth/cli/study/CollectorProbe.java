package org.berth.cli.study;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.berth.experiments.Arm;
import org.berth.observation.internal.process.CallerEnvironment;

/**
 * Whether a JVM starts with a collector as it is bound, and whether UseNUMA stays on in it.
 *
 * @param refused the JVM's reason when it does not start
 * @param usesNuma the final value of UseNUMA
 * @param reason why the JVM switched UseNUMA off, by its own words; JDK 17 and 21 do not tell
 */
record CollectorProbe(Optional<String> refused, boolean usesNuma, Optional<String> reason) {
    private static final Pattern FLAG = Pattern.compile("(?m)^ *bool UseNUMA +:?= (true|false)\\b");
    private static final Pattern DISABLED = Pattern.compile("(?m)NUMA support disabled: *(.*)$");
    private static final Pattern NO_REASON = Pattern.compile(
            "^(Picked up .*|Error occurred during initialization of (boot layer|VM)|Error: (Could not create|A fatal"
                    + " exception).*|\\s*)$");

    /** Starts the command, which prints the JVM's flags and ends. */
    static CollectorProbe of(Arm arm) throws IOException, InterruptedException {
        ProcessBuilder builder = CallerEnvironment.restore(new ProcessBuilder(arm.command()))
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().putAll(arm.environment());
        Process process = builder.start();
        String output;
        int exitCode;
        try {
            output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            exitCode = process.waitFor();
        } finally {
            process.destroy();
        }
        return of(output, exitCode);
    }

    static CollectorProbe of(String output, int exitCode) {
        if (exitCode != 0) {
            String reason = Stream.of(output.split("\n", -1))
                    .filter(line -> !NO_REASON.matcher(line).matches())
                    .findFirst()
                    .orElse("exit code " + exitCode);
            return new CollectorProbe(Optional.of(reason.strip()), false, Optional.empty());
        }
        Matcher flag = FLAG.matcher(output);
        Matcher disabled = DISABLED.matcher(output);
        return new CollectorProbe(
                Optional.empty(),
                flag.find() && flag.group(1).equals("true"),
                disabled.find() ? Optional.of(disabled.group(1).strip()) : Optional.empty());
    }
}

package org.berth.hostile;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.regex.Pattern;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;

/** {@code berth doctor} asks a JVM that lies: it ends, and what it prints can be shown on a terminal. */
final class QuestionWork implements Work {
    private static final Pattern UNCLEAN =
            Pattern.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]");

    private static final int LONGEST_BYTES = 1 << 20;

    private final Path output;
    private final String classPath;
    private final Random random;

    QuestionWork(Path output, String classPath, long seed) {
        this.output = output;
        this.classPath = classPath;
        this.random = new Random(seed);
    }

    @Override
    public void once(Row row) throws Exception {
        ProcessBuilder lying = ChildJvm.of(LyingJvm.class, Long.toString(random.nextLong()))
                .with("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .builder();
        try (Child jvm = Child.start(lying)) {
            jvm.readUntil("ready");
            try {
                ask(row, jvm.pid());
            } finally {
                Files.deleteIfExists(LyingJvm.socket(jvm.pid()));
            }
        }
    }

    private void ask(Row row, long pid) throws Exception {
        Process doctor = new ProcessBuilder(
                        ChildJvm.JAVA.toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        "org.berth.cli.Main",
                        "doctor",
                        Long.toString(pid))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            int code = doctor.waitFor();
            if (Files.size(output) > LONGEST_BYTES) {
                row.wrong("doctor printed " + Files.size(output) + " bytes");
                return;
            }
            String text = Files.readString(output, StandardCharsets.UTF_8);
            if ((code != 0 && code != 1) || text.contains("\tat ")) {
                row.lost("doctor ended with " + code + ": " + text);
            } else if (UNCLEAN.matcher(text).find()) {
                row.wrong("doctor printed what a terminal obeys: " + text);
            }
        } finally {
            doctor.destroyForcibly().waitFor();
        }
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}

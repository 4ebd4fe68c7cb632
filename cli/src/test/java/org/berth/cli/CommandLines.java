package org.berth.cli;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.cli.shared.Terminal;

/** Runs {@code berth}, in this JVM or in one of its own. */
public final class CommandLines {
    /** What came of it. */
    public record Result(int exitCode, String out, String err) {}

    private CommandLines() {}

    public static Result run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = Terminal.of(new PrintWriter(out), new PrintWriter(err), 80, true);
        int exitCode = terminal.finish(Main.run(terminal, args));
        return new Result(exitCode, out.toString(), err.toString());
    }

    /** A JVM of its own, as users start it; the words before the JVM may be taskset or env. */
    public static Result fork(List<String> before, Map<String, String> environment, String... args) {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "org.berth.cli.Main"));
        command.addAll(List.of(args));
        return start(command, environment);
    }

    public static Result start(List<String> command, Map<String, String> environment) {
        try {
            Path errors = Files.createTempFile("berth-stderr-", ".txt");
            try {
                ProcessBuilder builder = new ProcessBuilder(command)
                        .redirectError(errors.toFile())
                        .redirectInput(new File("/dev/null"));
                builder.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.equals("COLUMNS"));
                builder.environment().remove("JAVA_TOOL_OPTIONS");
                builder.environment().put("LANG", "C.UTF-8");
                builder.environment().putAll(environment);
                Process process = builder.start();
                try (InputStream in = process.getInputStream()) {
                    String out = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                    return new Result(process.waitFor(), out, Files.readString(errors));
                }
            } finally {
                Files.delete(errors);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

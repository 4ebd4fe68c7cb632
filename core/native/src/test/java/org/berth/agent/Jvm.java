package org.berth.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A running JVM with the {@link Probe}. */
final class Jvm implements AutoCloseable {
    private final Process process;
    private final Path errors;
    private final BufferedReader output;
    private final Writer input;

    Jvm(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.output = process.inputReader(StandardCharsets.UTF_8);
        this.input = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** The PID that the parent got from fork: the one that a user, a shell or a batch system knows. */
    long pid() {
        return process.pid();
    }

    /** Waits until it runs and returns its first line. */
    String ready() throws IOException {
        String line = readLine();
        if (!line.startsWith("ready ")) {
            throw new IOException("the probe did not start: " + line + "\n" + errorText());
        }
        return line;
    }

    String readLine() throws IOException {
        String line = output.readLine();
        // What the JVM itself says on standard output, above all -Xcheck:jni, is an error for these tests.
        return line == null ? "end of output" : line;
    }

    String ask(String command) throws IOException {
        input.write(command + "\n");
        input.flush();
        return readLine();
    }

    int startThread(String name) throws IOException {
        return Integer.parseInt(ask("start " + name));
    }

    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(pid())).start().waitFor();
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(100, TimeUnit.SECONDS)) {
            throw new IllegalStateException("still running");
        }
        return process.exitValue();
    }

    /** Lines of the agent on standard error. */
    List<String> messages() throws IOException {
        return errorText().lines().filter(line -> line.startsWith("berth: ")).toList();
    }

    /** All of standard error, without what a JDK says about itself. */
    String errorText() throws IOException {
        return Files.readAllLines(errors).stream()
                .filter(line -> !line.startsWith("Picked up ") && !line.startsWith("WARNING: "))
                .collect(Collectors.joining("\n"));
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        Files.delete(errors);
    }
}

package org.berth.observation;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of ours to look at, ended with everything at close. */
final class Child implements AutoCloseable {
    private final Process process;

    private Child(Process process) {
        this.process = process;
    }

    static Child start(String... command) throws IOException {
        return new Child(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** A JVM that runs {@link ChildProgram}, bound by taskset. */
    static Child java(String cpus, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "taskset",
                "-c",
                cpus,
                System.getProperty("java.home") + "/bin/java",
                // No thread comes or goes by itself: compilers and helpers of other collectors do.
                "-XX:+UseSerialGC",
                "-XX:-UseDynamicNumberOfCompilerThreads",
                "-cp",
                System.getProperty("java.class.path"),
                ChildProgram.class.getName()));
        command.addAll(List.of(arguments));
        Child child = start(command.toArray(String[]::new));
        child.line(); // it is ready
        return child;
    }

    /** A single thread that never sleeps, on one CPU. */
    static Child busyShell(int cpu) throws IOException {
        Child child = start("taskset", "-c", Integer.toString(cpu), "sh", "-c", "echo ready; while :; do :; done");
        child.line();
        return child;
    }

    long pid() {
        return process.pid();
    }

    String line() throws IOException {
        return process.inputReader().readLine();
    }

    void send(String line) throws IOException {
        process.outputWriter().write(line + "\n");
        process.outputWriter().flush();
    }

    /** What another program says, as an independent witness. */
    static String output(String... command) throws IOException, InterruptedException {
        Process witness = new ProcessBuilder(command).redirectErrorStream(true).start();
        StringBuilder text = new StringBuilder();
        try (BufferedReader reader = witness.inputReader()) {
            reader.lines().forEach(line -> text.append(line).append('\n'));
        }
        if (!witness.waitFor(60, TimeUnit.SECONDS) || witness.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + text);
        }
        return text.toString();
    }

    @Override
    public void close() {
        kill();
    }

    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}

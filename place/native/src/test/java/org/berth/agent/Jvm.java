package org.berth.agent;

import java.util.List;
import java.util.stream.Collectors;
import org.berth.oracle.Child;

/** A running JVM with the {@link AgentSubject}. */
record Jvm(Child child) implements AutoCloseable {
    /** The PID that the parent got from fork: the one that a user, a shell or a batch system knows. */
    long pid() {
        return child.pid();
    }

    /** Waits until it runs and returns its first line. */
    String ready() {
        String line = readLine();
        // What the JVM itself says on standard output, above all -Xcheck:jni, is an error for these tests.
        if (!line.startsWith("ready ")) {
            throw new AssertionError("the probe did not start: " + line + "\n" + errorText());
        }
        return line;
    }

    String readLine() {
        return child.readLine();
    }

    String ask(String command) {
        return child.ask(command);
    }

    int startThread(String name) {
        return Integer.parseInt(ask("start " + name));
    }

    int exitCode() {
        return child.exitCode();
    }

    /** Lines of the agent on standard error. */
    List<String> messages() {
        return child.errors().lines().filter(line -> line.startsWith("berth: ")).toList();
    }

    /** All of standard error, without what a JDK says about itself. */
    String errorText() {
        return child.errors()
                .lines()
                .filter(line -> !line.startsWith("Picked up ") && !line.startsWith("WARNING: "))
                .collect(Collectors.joining("\n"));
    }

    @Override
    public void close() {
        child.close();
    }
}

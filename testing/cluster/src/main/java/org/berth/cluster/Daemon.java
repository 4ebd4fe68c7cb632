package org.berth.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A daemon of a cluster: a JVM with the class path of this one, behind a folder with its configuration.
 *
 * @param name of its log
 * @param process of it
 * @param log what it printed
 */
record Daemon(String name, Process process, Path log) {
    /** More on a machine that is emulated. */
    private static final long PATIENCE_SECONDS = Long.getLong("berth.cluster.patience.seconds", 180);

    private static final int LAST_LINES = 40;

    /**
     * Starts one.
     *
     * @param configuration folder that is first in its class path
     * @param words the main class and its arguments
     */
    static Daemon start(String name, Path log, Path configuration, List<String> jvmOptions, List<String> words)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", configuration + ":" + System.getProperty("java.class.path")));
        command.addAll(words);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return new Daemon(name, builder.start(), log);
    }

    /**
     * Waits until a condition holds.
     *
     * @param daemons that must live meanwhile
     * @throws IllegalStateException with the last lines of all, as soon as one of them has ended, or when it takes too long
     */
    static void await(String what, Collection<Daemon> daemons, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            boolean over = System.nanoTime() > end;
            if (over || !daemons.stream().allMatch(daemon -> daemon.process.isAlive())) {
                StringBuilder text =
                        new StringBuilder(what + " did not come" + (over ? " in time" : ": a daemon ended"));
                daemons.forEach(daemon -> text.append('\n').append(daemon.tail()));
                throw new IllegalStateException(text.toString());
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting for " + what, e);
            }
        }
    }

    /** Its last lines, for when something went wrong. */
    String tail() {
        try {
            List<String> lines = Files.readAllLines(log);
            return name + ":\n"
                    + String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
        } catch (IOException e) {
            return name + ": " + e;
        }
    }

    /** Kills it (SIGKILL) and waits for its end. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }
}

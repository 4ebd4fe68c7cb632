package org.berth.oracle;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * A process that a test looks at: its lines in and out, its standard error, its end. Closing ends it with all that it
 * started, and waits for that. A process that is silent for longer than {@link Await#PATIENCE} while a line is awaited
 * is ended, since nothing else interrupts the reading of a pipe. Belongs to one thread.
 */
public final class Child implements AutoCloseable {
    private static final long ZOMBIE_NANOS = 5_000_000_000L;

    private final Process process;
    private final BufferedReader out;
    private final Path errors;

    private Child(Process process, Path errors) {
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
        this.errors = errors;
    }

    /** What a process that has ended left behind. */
    public record Result(int exitCode, String out, String err) {
        /**
         * Its standard output without the last line break.
         *
         * @throws AssertionError with its standard error unless the exit code is 0
         */
        public String output() {
            if (exitCode != 0) {
                throw new AssertionError("exit code " + exitCode + ": " + out + err);
            }
            return out.strip();
        }
    }

    /** Starts a command. */
    public static Child start(String... command) {
        return start(new ProcessBuilder(command));
    }

    /** Starts a command; its standard error is kept for {@link #errors} unless it is redirected already. */
    public static Child start(ProcessBuilder builder) {
        try {
            Path errors = Files.createTempFile("berth-test", ".err");
            if (builder.redirectError().equals(ProcessBuilder.Redirect.PIPE)) {
                builder.redirectError(errors.toFile());
            }
            return new Child(builder.start(), errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a command to its end, without input. */
    public static Result run(String... command) {
        return run(new ProcessBuilder(command));
    }

    /**
     * Runs a command to its end, without input unless that is redirected. Its output goes to a file: a pipe would stay
     * open for as long as any process that it left behind.
     */
    public static Result run(ProcessBuilder builder) {
        try {
            Path out = Files.createTempFile("berth-test", ".out");
            try (Child child = start(builder.redirectOutput(out.toFile()))) {
                child.process.getOutputStream().close();
                int exitCode = child.exitCode();
                return new Result(exitCode, read(out), child.errors());
            } finally {
                Files.delete(out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    public long pid() {
        return process.pid();
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * The next line of its standard output.
     *
     * @throws AssertionError with its standard error when it ends instead
     */
    public String readLine() {
        return readUntil("a line", line -> true);
    }

    /** Skips lines up to the first one that begins so, and returns that one. */
    public String readUntil(String beginning) {
        return readUntil("'" + beginning + "…'", line -> line.startsWith(beginning));
    }

    private String readUntil(String what, Predicate<String> wanted) {
        List<String> before = new ArrayList<>();
        CompletableFuture<Void> limit = limit();
        try {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (wanted.test(line)) {
                    return line;
                }
                before.add(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            limit.cancel(false);
        }
        throw new AssertionError("the process ended with " + exitCode() + " without " + what + "; it printed " + before
                + " and on standard error: " + errors());
    }

    private CompletableFuture<Void> limit() {
        Executor later = CompletableFuture.delayedExecutor(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        return CompletableFuture.runAsync(this::kill, later);
    }

    /** Writes a line to its standard input. */
    public void send(String line) {
        try {
            process.outputWriter(StandardCharsets.UTF_8).write(line + "\n");
            process.outputWriter(StandardCharsets.UTF_8).flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a line and reads the answer. */
    public String ask(String line) {
        send(line);
        return readLine();
    }

    /** Sends a signal, such as {@code TERM}. */
    public void signal(String name) {
        Tool.output("kill", "-s", name, Long.toString(pid()));
    }

    /** Its standard error so far. */
    public String errors() {
        try {
            return read(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Waits for its end.
     *
     * @return the exit code, 128 and the number of the signal that ended it
     */
    public int exitCode() {
        try {
            if (process.waitFor(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                return process.exitValue();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for the end of process " + pid(), e);
        }
        throw new AssertionError("process " + pid() + " did not end; on standard error: " + errors());
    }

    /** Closes its standard input, and waits for its end and that of all processes that have its standard output. */
    public Result finish() {
        CompletableFuture<Void> limit = limit();
        try {
            process.getOutputStream().close();
            StringBuilder text = new StringBuilder();
            char[] part = new char[8192];
            for (int count = out.read(part); count >= 0; count = out.read(part)) {
                text.append(part, 0, count);
            }
            return new Result(exitCode(), text.toString(), errors());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            limit.cancel(false);
        }
    }

    /** Ends it and all that it started (SIGKILL), without waiting. */
    public void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Waits for the end of all: what they held, a lease or a folder, is free afterwards. */
    @Override
    public void close() {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        all.forEach(ProcessHandle::destroyForcibly);
        // Not onExit, which waits for the next child of this JVM that gets the number of a descendant.
        all.forEach(Child::awaitEnd);
        try {
            Files.deleteIfExists(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Works on an interrupted thread, too. */
    private static void awaitEnd(ProcessHandle process) {
        long begin = System.nanoTime();
        while (process.isAlive()) {
            long waited = System.nanoTime() - begin;
            if (waited > ZOMBIE_NANOS && isZombie(process.pid())) {
                return;
            }
            if (waited > Await.PATIENCE.toNanos()) {
                throw new AssertionError("process " + process.pid() + " did not end within "
                        + Await.PATIENCE.toSeconds() + " s after SIGKILL");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /**
     * It holds nothing any more. This JVM never fetches the exit code of a child that got the number of another one too
     * soon, and others do at once.
     */
    private static boolean isZombie(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
        } catch (IOException ended) {
            return true;
        }
    }
}

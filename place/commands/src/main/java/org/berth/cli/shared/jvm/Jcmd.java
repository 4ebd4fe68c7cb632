package org.berth.cli.shared.jvm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.IoErrors;
import org.berth.cli.shared.launch.CommandLookup;
import org.berth.drawing.internal.text.Canvas;
import org.berth.observation.Refusal;
import org.berth.observation.internal.ProcessStat;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.text.Bytes;
import org.berth.text.ForeignText;
import org.jspecify.annotations.Nullable;

/** Asks a JVM through the {@code jcmd} of a JDK, but only a JVM that survives the attach request. */
public final class Jcmd {
    /** An attach without an answer times out after ten seconds. */
    private static final long PATIENCE_SECONDS = 30;

    /** The print of 10,000 threads has 8 MiB. */
    private static final int LIMIT_BYTES = 16 << 20;

    /** The words are the JVM's own. */
    private static final int REASON_COLUMNS = 300;

    private final Optional<Path> program;

    private Jcmd(Optional<Path> program) {
        this.program = program;
    }

    /** The answer of a JVM: the text, or the reason why there is none. */
    public record Answer(Optional<String> text, String reason) {
        static Answer none(String reason) {
            return new Answer(Optional.empty(), reason);
        }
    }

    /**
     * Finds the jcmd of this JVM's JDK, otherwise of PATH. Never uses the one next to the target's java: root would run
     * a program of another user.
     */
    public static Jcmd find() {
        return find(Path.of(System.getProperty("java.home")), System.getenv().getOrDefault("PATH", ""));
    }

    public static Jcmd find(Path javaHome, String searchPath) {
        Path own = javaHome.resolve("bin").resolve("jcmd");
        if (Files.isExecutable(own)) {
            return new Jcmd(Optional.of(own));
        }
        try {
            return new Jcmd(Optional.of(CommandLookup.find("jcmd", searchPath)));
        } catch (CommandException notThere) {
            return new Jcmd(Optional.empty());
        }
    }

    public Answer ask(ProcessFacts process, String question) {
        if (!process.javaMachine().orElse(false)) {
            return Answer.none(process.javaMachine()
                    .refusal()
                    .map(Refusal::toString)
                    .orElse("process " + process.pid() + " is not a JVM"));
        }
        // Attaching begins with SIGQUIT, which ends a process that does not handle it (a JVM with -Xrs, or just
        // started).
        if (!process.catchesQuit()) {
            return Answer.none(
                    "the JVM does not handle SIGQUIT (-Xrs, or it is still starting), so it cannot be asked");
        }
        if (process.arguments().contains("-XX:+DisableAttachMechanism")) {
            return Answer.none("the JVM was started with -XX:+DisableAttachMechanism");
        }
        if (isStopped(process.pid())) {
            return Answer.none("the process is stopped (SIGSTOP), so the JVM cannot answer");
        }
        if (program.isEmpty()) {
            return Answer.none("jcmd was not found: install a JDK, in PATH or as JAVA_HOME of berth");
        }
        // What the rest is about may have ended since, and the SIGQUIT would end the next process with its PID.
        if (!process.lives()) {
            return Answer.none("process " + process.pid() + " has ended");
        }
        Answer answer = run(process.pid(), question);
        return process.lives() ? answer : Answer.none("process " + process.pid() + " ended while it was asked");
    }

    /** Such a process would print its threads for the pending SIGQUIT when it goes on. */
    private static boolean isStopped(long pid) {
        return ProcessStat.field(Path.of("/proc", Long.toString(pid)), ProcessStat.STATE)
                .startsWith("T");
    }

    /** The process may be another user's, and may never stop answering. */
    private Answer run(long pid, String question) {
        ProcessBuilder builder = new ProcessBuilder(program.orElseThrow().toString(), Long.toString(pid), question)
                .redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.endsWith("JAVA_OPTIONS") || name.endsWith("TOOL_OPTIONS"));
        Process process = null;
        Thread atExit = null;
        try {
            Process started = builder.start();
            process = started;
            // A JVM that does not answer would keep it when this one is ended by a signal.
            atExit = new Thread(started::destroyForcibly, "berth-jcmd-exit");
            Runtime.getRuntime().addShutdownHook(atExit);
            process.getOutputStream().close();
            FutureTask<byte[]> answer = new FutureTask<>(new Output(process.getInputStream()));
            Thread reader = new Thread(answer, "berth-jcmd");
            reader.setDaemon(true);
            reader.start();
            byte[] bytes = answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (bytes.length > LIMIT_BYTES) {
                return Answer.none("the answer of the JVM is longer than " + Bytes.text(LIMIT_BYTES));
            }
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return Answer.none("jcmd did not end within " + PATIENCE_SECONDS + " s");
            }
            String text = new String(bytes, StandardCharsets.UTF_8);
            return process.exitValue() == 0
                    ? new Answer(Optional.of(text), "")
                    : Answer.none("jcmd failed: " + Canvas.fit(ForeignText.clean(failure(text)), REASON_COLUMNS));
        } catch (TimeoutException e) {
            return Answer.none("jcmd got no answer within " + PATIENCE_SECONDS + " s");
        } catch (ExecutionException e) {
            return Answer.none("the answer of jcmd cannot be read: " + e.getCause());
        } catch (IOException e) {
            return Answer.none("jcmd cannot be run: " + IoErrors.reason(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.none("jcmd was interrupted");
        } catch (IllegalStateException ending) {
            return Answer.none("berth ends");
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
            forget(atExit);
        }
    }

    private static void forget(@Nullable Thread atExit) {
        try {
            if (atExit != null) {
                Runtime.getRuntime().removeShutdownHook(atExit);
            }
        } catch (IllegalStateException ending) {
            // It runs, or has run.
        }
    }

    /** Reads at most one byte more than an answer may have. */
    private record Output(InputStream in) implements Callable<byte[]> {
        @Override
        public byte[] call() throws IOException {
            return in.readNBytes(LIMIT_BYTES + 1);
        }
    }

    /** The line that names the exception, without the stack behind it. */
    private static String failure(String text) {
        return text.lines()
                .filter(line -> line.contains("Exception"))
                .findFirst()
                .or(() -> text.lines().reduce((first, second) -> second))
                .orElse("no output");
    }
}

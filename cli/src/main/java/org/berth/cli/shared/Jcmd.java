package org.berth.cli.shared;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.berth.observation.ProcessFacts;
import org.berth.observation.Refusal;
import org.jspecify.annotations.Nullable;

/** Asks a JVM through the {@code jcmd} of a JDK, but only a JVM that survives the attach request. */
public final class Jcmd {
    /** An attach without an answer times out after ten seconds. */
    private static final long PATIENCE_SECONDS = 30;

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
     * Finds the jcmd of this JVM's JDK, otherwise of PATH. Never uses the one next to the target's java: root would run a
     * program of another user.
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
        return run(process.pid(), question);
    }

    /** Such a process would print its threads for the pending SIGQUIT when it goes on. */
    private static boolean isStopped(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
            return stat.substring(stat.lastIndexOf(')') + 1).strip().startsWith("T");
        } catch (IOException ended) {
            return false;
        }
    }

    private Answer run(long pid, String question) {
        Path out = null;
        try {
            out = Files.createTempFile("berth-jcmd-", ".txt");
            ProcessBuilder builder = new ProcessBuilder(program.orElseThrow().toString(), Long.toString(pid), question)
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile());
            builder.environment()
                    .keySet()
                    .removeIf(name -> name.endsWith("JAVA_OPTIONS") || name.endsWith("TOOL_OPTIONS"));
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                return Answer.none("jcmd got no answer within " + PATIENCE_SECONDS + " s");
            }
            String text = new String(Files.readAllBytes(out), StandardCharsets.UTF_8);
            return process.exitValue() == 0
                    ? new Answer(Optional.of(text), "")
                    : Answer.none("jcmd failed: " + failure(text));
        } catch (IOException e) {
            return Answer.none("jcmd cannot be run: " + IoErrors.reason(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.none("jcmd was interrupted");
        } finally {
            delete(out);
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

    private static void delete(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException left) {
            return;
        }
    }
}

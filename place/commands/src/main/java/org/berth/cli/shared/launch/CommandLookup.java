package org.berth.cli.shared.launch;

import java.io.File;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.IoErrors;

/** Finds the program of a command like execvp(3), so that a wrong name is reported before anything is bound. */
public final class CommandLookup {
    /** Exit codes of env(1). */
    static final int CANNOT_EXECUTE = 126;

    static final int NOT_FOUND = 127;

    private static final Path UNKNOWN = Path.of("/");

    private CommandLookup() {}

    /**
     * Finds a program by its path or name; an error with the exit code of env(1) when there is none.
     *
     * <p>The result is {@code /} for a program that only execvp(3) can look for, because a name has bytes that are no letters in
     * the locale.
     *
     * @param searchPath value of PATH
     */
    public static Path find(String name, String searchPath) {
        if (isDamaged(name)) {
            return UNKNOWN;
        }
        if (name.indexOf('/') >= 0) {
            return check(name, Path.of(name));
        }
        Optional<Path> refused = Optional.empty();
        for (String folder : searchPath.split(File.pathSeparator, -1)) {
            if (isDamaged(folder)) {
                continue;
            }
            Path candidate = Path.of(folder.isEmpty() ? "." : folder).resolve(name);
            if (Files.isRegularFile(candidate)) {
                if (Files.isExecutable(candidate)) {
                    return candidate;
                }
                refused = Optional.of(candidate);
            }
        }
        if (isDamaged(searchPath)) {
            return UNKNOWN;
        }
        if (refused.isPresent()) {
            return check(name, refused.get());
        }
        throw CommandException.exit(NOT_FOUND, "cannot run '" + name + "': no such command in PATH");
    }

    /** Java puts this character in the place of bytes that it cannot decode. */
    private static boolean isDamaged(String text) {
        return text.indexOf('\uFFFD') >= 0;
    }

    /**
     * Refuses a program that does not start with Berth's agent in its environment.
     *
     * @param name of the command
     */
    public static void requireTakesAgent(String name) {
        Path program;
        try {
            program = find(name, System.getenv().getOrDefault("PATH", ""));
        } catch (CommandException toldWhenItIsStarted) {
            return;
        }
        if (ElfInterpreter.isMusl(program)) {
            throw CommandException.usage(
                    "cannot place single threads or the heap of " + program
                            + ": it is for musl, and Berth's agent needs glibc; take a JVM for glibc, or leave these options out");
        }
    }

    private static Path check(String name, Path file) {
        try {
            Files.readAttributes(file, BasicFileAttributes.class);
        } catch (AccessDeniedException e) {
            throw CommandException.exit(CANNOT_EXECUTE, "cannot run '" + name + "': " + IoErrors.reason(e));
        } catch (IOException e) {
            throw CommandException.exit(NOT_FOUND, "cannot run '" + name + "': no such file");
        }
        if (Files.isDirectory(file)) {
            throw CommandException.exit(CANNOT_EXECUTE, "cannot run '" + name + "': it is a directory");
        }
        if (!Files.isExecutable(file)) {
            throw CommandException.exit(CANNOT_EXECUTE, "cannot run '" + name + "': " + file + " is not executable");
        }
        return file;
    }

    /**
     * Whether the program is a JDK's or JRE's own {@code java} launcher, which understands {@code -agentpath} and can load Berth's agent.
     * The libraries next to it identify it, since a script of that name may do anything with its arguments. One for musl is none: it
     * does not start with an agent for glibc.
     */
    public static boolean isJavaLauncher(Path program) {
        try {
            Path real = program.toRealPath();
            Path bin = real.getParent();
            if (bin == null || !real.endsWith("java") || ElfInterpreter.isMusl(real)) {
                return false;
            }
            Path lib = bin.resolveSibling("lib");
            return Files.exists(lib.resolve("libjli.so"))
                    || Files.exists(lib.resolve("server").resolve("libjvm.so"));
        } catch (IOException unreadable) {
            return false;
        }
    }
}

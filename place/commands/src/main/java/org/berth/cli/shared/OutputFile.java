package org.berth.cli.shared;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Writes a text to a file that the user named; {@code -} is standard output. */
public final class OutputFile {
    public static final String STANDARD_OUTPUT = "-";

    private OutputFile() {}

    /** Refuses a file that cannot be written, before long work produces its content. Creates no file. */
    public static void check(String target, String what) {
        if (target.equals(STANDARD_OUTPUT)) {
            return;
        }
        Path file = path(target, what);
        Path folder = file.toAbsolutePath().getParent();
        if (Files.exists(file) ? !Files.isWritable(file) : folder == null || !Files.isWritable(folder)) {
            throw CommandException.failure(cannot(target, what) + obstacle(folder));
        }
    }

    private static String obstacle(@Nullable Path folder) {
        if (folder == null || !Files.isDirectory(folder)) {
            return "no folder " + folder + " that can be written";
        }
        try {
            return Files.getFileStore(folder).isReadOnly()
                    ? "its file system is read-only; choose another file"
                    : IoErrors.PERMISSION_DENIED;
        } catch (IOException unknown) {
            return IoErrors.PERMISSION_DENIED;
        }
    }

    public static void write(Terminal terminal, String target, String what, String text) {
        if (target.equals(STANDARD_OUTPUT)) {
            terminal.out().print(text);
            return;
        }
        try {
            Files.write(path(target, what), text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw CommandException.failure(cannot(target, what) + IoErrors.reason(e), e);
        }
    }

    private static Path path(String target, String what) {
        Path file;
        try {
            file = Path.of(target);
        } catch (InvalidPathException e) {
            throw CommandException.failure(cannot(target, what) + IoErrors.reason(e), e);
        }
        if (Files.isDirectory(file)) {
            throw CommandException.failure(cannot(target, what) + "it is a directory");
        }
        return file;
    }

    private static String cannot(String target, String what) {
        return "cannot write " + what + " '" + target + "': ";
    }
}

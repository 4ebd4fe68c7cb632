package org.berth.binding.internal.interrupts;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.berth.binding.errors.BindingException;
import org.berth.observation.SystemFiles;
import org.berth.observation.internal.PublicFiles;
import org.berth.topology.CpuSet;
import org.berth.topology.FailureKind;

/**
 * The file of what was moved: "berth-interrupts 1 BOOT", and a line "NUMBER BEFORE TO ACTION" for each interrupt. That
 * of an earlier start of the machine counts as empty.
 */
final class InterruptRecord {
    private static final String HEAD = "berth-interrupts 1 ";

    private final Path file;
    private final Path root;

    InterruptRecord(Path file, Path root) {
        this.file = file;
        this.root = root;
    }

    List<InterruptBinding.Moved> read() {
        try {
            List<String> lines = PublicFiles.readOwn(file).lines().toList();
            if (lines.isEmpty() || !lines.get(0).startsWith(HEAD)) {
                throw new IOException("this is not a record of moved interrupts");
            }
            if (!lines.get(0).equals(HEAD + boot())) {
                return List.of();
            }
            List<InterruptBinding.Moved> moved = new ArrayList<>();
            for (String line : lines.subList(1, lines.size())) {
                moved.add(parse(line));
            }
            return moved;
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException | IllegalArgumentException e) {
            throw unusable("read", e);
        }
    }

    /** Appears at once and whole (rename(2)); goes when there is nothing to remember. */
    void write(List<InterruptBinding.Moved> moved) {
        try {
            if (moved.isEmpty()) {
                Files.deleteIfExists(file);
                return;
            }
            StringBuilder text = new StringBuilder(HEAD).append(boot()).append('\n');
            for (InterruptBinding.Moved one : moved) {
                text.append(one.number())
                        .append(' ')
                        .append(one.before())
                        .append(' ')
                        .append(one.to())
                        .append(' ')
                        .append(one.action())
                        .append('\n');
            }
            // A name that no other user can foresee, and put a link under.
            Path fresh = Files.createTempFile(
                    file.toAbsolutePath().getParent(),
                    "berth-",
                    ".new",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
            try {
                Files.writeString(fresh, text);
                Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(fresh);
            }
        } catch (IOException e) {
            throw unusable("write", e);
        }
    }

    private static InterruptBinding.Moved parse(String line) throws IOException {
        String[] words = line.split(" ", 4);
        if (words.length < 4) {
            throw new IOException("a line is cut off: " + line);
        }
        return new InterruptBinding.Moved(
                Integer.parseInt(words[0]), words[3], CpuSet.parseList(words[1]), CpuSet.parseList(words[2]));
    }

    private String boot() throws IOException {
        return new SystemFiles(root).bootId().orElseThrow(IOException::new);
    }

    private BindingException unusable(String operation, Exception cause) {
        String reason = cause instanceof NoSuchFileException missing
                ? "no such file or directory: " + missing.getFile()
                : cause instanceof AccessDeniedException ? "permission denied" : String.valueOf(cause.getMessage());
        return BindingException.of(
                FailureKind.FAILED,
                operation,
                "the record of moved interrupts " + file,
                reason,
                "give another file, in a directory that you may write to",
                cause);
    }
}

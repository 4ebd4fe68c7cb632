package org.berth.cli;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Java's I/O exceptions often carry only the file's name; this says why. */
final class Reasons {
    private Reasons() {}

    static String of(Exception e) {
        if (e instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied; run as a user who may, or choose another file";
        }
        if (e instanceof FileSystemException problem && problem.getReason() != null) {
            return problem.getReason();
        }
        return String.valueOf(e.getMessage());
    }
}

package org.berth.cli.shared;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Java's I/O exceptions often carry only the file's name; this says why. */
public final class Reasons {
    static final String PERMISSION_DENIED = "permission denied; run as a user who may, or choose another file";

    private Reasons() {}

    public static String of(Exception e) {
        if (e instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (e instanceof AccessDeniedException) {
            return PERMISSION_DENIED;
        }
        if (e instanceof FileAlreadyExistsException) {
            return "something of that name is there already";
        }
        if (e instanceof FileSystemException problem && problem.getReason() != null) {
            return problem.getReason();
        }
        return String.valueOf(e.getMessage());
    }
}

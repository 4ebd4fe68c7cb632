package org.berth.cli.shared;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Reasons of I/O errors: Java's exceptions often contain only the file's name. */
public final class IoErrors {
    static final String PERMISSION_DENIED = "permission denied; run as a user with access, or choose another file";

    private IoErrors() {}

    public static String reason(Exception e) {
        if (e instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (e instanceof AccessDeniedException) {
            return PERMISSION_DENIED;
        }
        if (e instanceof FileAlreadyExistsException) {
            return "a file of that name exists";
        }
        if (e instanceof FileSystemException problem && problem.getReason() != null) {
            return problem.getReason();
        }
        return String.valueOf(e.getMessage());
    }
}

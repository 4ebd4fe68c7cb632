package org.berth.observation.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * Files and directories with names that can be foreseen, where other users may write: they may have put a link, a pipe or a file
 * of theirs there. In C, public_files.c does the same. Thread-safe.
 */
public final class PublicFiles {
    private static final int TRIES = 100;

    private static final int KIND = 0170000;
    private static final int REGULAR = 0100000;

    private PublicFiles() {}

    /** Makes a directory that was not there before: of this name, or, when it is taken, with "-2" and so on at its end. */
    public static Path newDirectory(Path wanted) throws IOException {
        Path name = wanted;
        for (int i = 2; ; i++) {
            try {
                return Files.createDirectory(name);
            } catch (FileAlreadyExistsException taken) {
                if (i > TRIES) {
                    throw taken;
                }
                name = wanted.resolveSibling(wanted.getFileName() + "-" + i);
            }
        }
    }

    /**
     * The text of a file that this user or root has written.
     *
     * @throws NoSuchFileException when there is none
     * @throws IOException for a link, a pipe or a file of another user
     */
    public static String readOwn(Path file) throws IOException {
        // Where the kernel does not forbid it, another user gives a file of ours a second name.
        boolean linked = (int) Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS) != 1;
        if ((mode(file) & KIND) != REGULAR || linked) {
            throw new FileSystemException(file.toString(), null, "it is a link or no regular file");
        }
        long owner = owner(file);
        if (owner != 0 && owner != Users.effective()) {
            throw new FileSystemException(file.toString(), null, "it belongs to user " + owner);
        }
        Set<OpenOption> options = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        try (var in = Files.newInputStream(file, options.toArray(OpenOption[]::new))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static int mode(Path file) throws IOException {
        return (int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    }

    /** A number above 2^31 is negative in Java's attribute. */
    static long owner(Path file) throws IOException {
        return Integer.toUnsignedLong((int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS));
    }
}

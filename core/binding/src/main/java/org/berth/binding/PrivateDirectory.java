package org.berth.binding;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** A directory that only this user can write to: no other user may choose what we load, or what we give back. */
final class PrivateDirectory {
    static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private PrivateDirectory() {}

    /** The directory berth-UID in a root, made if absent. */
    static Path in(Path root) throws IOException {
        return in(root, "berth-");
    }

    /** The directory of that name and the user's number in a root, made if absent. */
    static Path in(Path root, String prefix) throws IOException {
        int user = ProcessStatus.self()
                .effectiveUserId()
                .orElseThrow(() -> new IOException("no Uid line in /proc/self/status"));
        if (!Files.isDirectory(root)) {
            // Not for a link to a directory, which createDirectories refuses before Java 19.
            Files.createDirectories(root);
        }
        Path directory = root.resolve(prefix + user);
        try {
            return Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } catch (FileAlreadyExistsException e) {
            requireOurs(directory, user);
            return directory;
        }
    }

    private static void requireOurs(Path directory, int user) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(directory.getFileName() + " is not a directory");
        }
        if (!Integer.valueOf(user).equals(Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS))) {
            throw new IOException(directory.getFileName() + " belongs to another user");
        }
        if (!Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS).equals(OWNER_ONLY)) {
            throw new IOException(directory.getFileName() + " is open to other users (its mode must be 0700)");
        }
    }
}

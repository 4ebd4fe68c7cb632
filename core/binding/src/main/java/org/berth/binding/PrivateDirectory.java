package org.berth.binding;

import java.io.IOException;
import java.nio.file.DirectoryStream;
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

    static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rwxr-xr-x");

    private static final int STICKY = 01000;
    private static final int OTHERS_WRITE = 0002;
    private static final int MOST_NAMES = 1000;

    private PrivateDirectory() {}

    /** The directory berth-UID in a root, made if absent. */
    static Path in(Path root) throws IOException {
        return in(root, "berth-");
    }

    /**
     * The same for files that other users may read: root's is open to them (mode 0755), because a JVM that root starts as another
     * user reads its agent and plan there.
     */
    static Path readableIn(Path root) throws IOException {
        requireSticky(root);
        long user = user();
        Path directory = root.resolve("berth-" + user);
        try {
            Files.createDirectories(root);
            Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } catch (FileAlreadyExistsException e) {
            requireOwner(directory, user);
        }
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS);
        if (mode.equals(OWNER_ONLY)) {
            Files.setPosixFilePermissions(directory, READABLE);
        } else if (!mode.equals(READABLE)) {
            throw new IOException(directory.getFileName() + " has another mode than 0755");
        }
        return directory;
    }

    /** Where others may write, they may rename our directory, too, unless the sticky bit is set. */
    private static void requireSticky(Path root) throws IOException {
        if (Files.isDirectory(root)) {
            int mode = (int) Files.getAttribute(root, "unix:mode");
            if ((mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0) {
                throw new IOException("other users can write to it");
            }
        }
    }

    /** The directory of that name and the user's number in a root, made if absent. */
    static Path in(Path root, String prefix) throws IOException {
        requireSticky(root);
        long user = user();
        if (!Files.isDirectory(root)) {
            // Not for a link to a directory, which createDirectories refuses before Java 19.
            Files.createDirectories(root);
        }
        Path directory = root.resolve(prefix + user);
        try {
            return Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } catch (FileAlreadyExistsException e) {
            if (isForeign(directory, user)) {
                return another(root, prefix + user + "-", user);
            }
            requireOurs(directory, user);
            return directory;
        }
    }

    private static boolean isForeign(Path directory, long user) {
        try {
            requireOwner(directory, user);
            return false;
        } catch (IOException foreign) {
            return true;
        }
    }

    /** Another user has taken the name. Ours has a name that could not be foreseen, and is found again. */
    private static Path another(Path root, String start, long user) throws IOException {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(root, start + "*")) {
            int looked = 0;
            for (Path directory : found) {
                if (looked++ == MOST_NAMES) {
                    break;
                }
                try {
                    requireOurs(directory, user);
                    return directory;
                } catch (IOException foreign) {
                    // The next one then.
                }
            }
        }
        return Files.createTempDirectory(root, start, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    }

    private static long user() throws IOException {
        return ProcessStatus.self()
                .effectiveUserId()
                .orElseThrow(() -> new IOException("no Uid line in /proc/self/status"));
    }

    private static void requireOurs(Path directory, long user) throws IOException {
        requireOwner(directory, user);
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS);
        // The command line of root opens it to readers.
        if (!mode.equals(OWNER_ONLY) && !mode.equals(READABLE)) {
            throw new IOException(directory.getFileName() + " has another mode than 0700 or 0755");
        }
    }

    private static void requireOwner(Path directory, long user) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(directory.getFileName() + " is not a directory");
        }
        // A number above 2^31 is negative in Java.
        int owner = (int) Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        if (Integer.toUnsignedLong(owner) != user) {
            throw new IOException(directory.getFileName() + " belongs to another user");
        }
    }
}

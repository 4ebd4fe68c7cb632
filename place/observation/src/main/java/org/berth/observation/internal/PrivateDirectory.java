package org.berth.observation.internal;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/** A directory that only this user can write to: no other user may choose what we load, or what we restore. */
public final class PrivateDirectory {
    /** Closed to all others. */
    public static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    /** Other users who know the name of a file in it may reach the file; only the owner may list it. */
    public static final Set<PosixFilePermission> PASSABLE = PosixFilePermissions.fromString("rwx--x--x");

    static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rwxr-xr-x");

    private static final int STICKY = 01000;
    private static final int GROUP_AND_OTHERS_WRITE = 0022;
    private static final int OTHERS_WRITE = 0002;
    private static final int RANDOM_DIGITS = 12;

    /** The names of a full /tmp are not all looked at. */
    private static final int MOST_NAMES = 65_536;

    private PrivateDirectory() {}

    /**
     * The directory of that name and the user's number in a root, made if absent; with more in its name where others
     * have taken it.
     */
    public static Path in(Path root, String prefix) throws IOException {
        return of(root.resolve(prefix + Users.effective()), OWNER_ONLY);
    }

    /**
     * The same for files that other users may read: root's is open to them (mode 0755), because a JVM that root starts
     * as another user reads its agent and plan there. Its name is never another one.
     */
    public static Path readableIn(Path root, String prefix) throws IOException {
        Path directory = root.resolve(prefix + Users.effective());
        makeRoot(root);
        try {
            Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } catch (FileAlreadyExistsException e) {
            requireOurs(directory);
        }
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS);
        if (mode.equals(OWNER_ONLY)) {
            // It is ours, where others cannot rename it: the name is no link by now.
            Files.setPosixFilePermissions(directory, READABLE);
        } else if (!mode.equals(READABLE)) {
            throw new IOException(directory.getFileName() + " has another mode than 0755");
        }
        return directory;
    }

    /**
     * A directory of that name, made with the mode if absent. Where another user has taken the name, one next to it
     * whose name could not be foreseen, and which is found again.
     */
    public static Path of(Path directory, Set<PosixFilePermission> mode) throws IOException {
        Path root = directory.toAbsolutePath().getParent();
        if (root == null) {
            throw new IOException(directory + " is the root directory");
        }
        makeRoot(root);
        try {
            return Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(mode));
        } catch (FileAlreadyExistsException e) {
            if (isForeign(directory)) {
                return another(root, directory.getFileName() + "-", mode);
            }
            requireOurs(directory);
            return directory;
        }
    }

    private static void makeRoot(Path root) throws IOException {
        if (!Files.isDirectory(root)) {
            // Not for a link to a directory, which createDirectories refuses before Java 19.
            Files.createDirectories(root);
        }
        Path real = root.toRealPath();
        int mode = PublicFiles.mode(real);
        if ((mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0) {
            throw new IOException("other users can write to it");
        }
        long owner = PublicFiles.owner(real);
        if (owner != 0 && owner != Users.effective() && !Users.isUnmapped(owner)) {
            throw new IOException("it belongs to user " + owner + ", who could exchange what is in it");
        }
    }

    private static boolean isForeign(Path directory) {
        try {
            requireOwner(directory);
            return false;
        } catch (IOException foreign) {
            return true;
        }
    }

    /** Another user has taken the name. */
    private static Path another(Path root, String start, Set<PosixFilePermission> mode) throws IOException {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(
                root, entry -> String.valueOf(entry.getFileName()).startsWith(start))) {
            int looked = 0;
            for (Path directory : found) {
                if (looked++ == MOST_NAMES) {
                    break;
                }
                try {
                    requireOurs(directory);
                    return directory;
                } catch (IOException foreign) {
                    // The next one then.
                }
            }
        }
        String random = UUID.randomUUID().toString().replace("-", "").substring(0, RANDOM_DIGITS);
        return Files.createDirectory(root.resolve(start + random), PosixFilePermissions.asFileAttribute(mode));
    }

    private static void requireOurs(Path directory) throws IOException {
        requireOwner(directory);
        if ((PublicFiles.mode(directory) & GROUP_AND_OTHERS_WRITE) != 0) {
            throw new IOException("other users may write to the directory " + directory);
        }
    }

    private static void requireOwner(Path directory) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(directory.getFileName() + " is not a directory");
        }
        long owner = PublicFiles.owner(directory);
        if (owner != Users.effective()) {
            throw new IOException(directory.getFileName() + " belongs to user " + owner);
        }
    }
}

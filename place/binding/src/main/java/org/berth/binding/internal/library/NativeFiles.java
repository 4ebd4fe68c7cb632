package org.berth.binding.internal.library;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import org.berth.binding.errors.BindingException;
import org.berth.observation.ProcessStatus;
import org.berth.observation.internal.PrivateDirectory;
import org.berth.topology.FailureKind;
import org.jspecify.annotations.Nullable;

/**
 * Writes native files out of jars into a private directory in which the kernel lets them run.
 *
 * <p>A file's name holds a checksum of its content, so it stays the same for the life of a version and can be handed to
 * other JVMs; its size and checksum are compared on every use (only this user can change it). Directories that cannot hold it (noexec, read-only,
 * another user's) are passed over, and all of them are named when none is left.
 *
 * <p>It is not part of the API.
 */
public final class NativeFiles {
    private static final String NAME = "berth-";

    /** Drafts and copies of processes that were killed. */
    private static final Duration LEFT_OVER = Duration.ofDays(7);

    /** Other versions: the unit file of a service may name one, and be started again after months. */
    private static final Duration STALE = Duration.ofDays(180);

    /** Drafts, and private copies: stem, PID and a time. */
    private static final String LEFT_OVER_NAME = ".*\\.new|[a-z-]+-\\d+-\\d{6,}(\\.so)?";

    private NativeFiles() {}

    /** Uses the unpacked file; may refuse it, and then the next directory is tried. */
    public interface Use {
        void accept(Path file) throws IOException;
    }

    /** A file to be written out: its name without and its suffix, as in "libberth" and ".so". */
    public static final class Content {
        private final String stem;
        private final String suffix;
        private final byte[] bytes;
        private final long checksum;

        /** The bytes are neither copied nor changed. */
        public Content(String stem, String suffix, byte[] bytes) {
            this.stem = stem;
            this.suffix = suffix;
            this.bytes = bytes;
            this.checksum = checksum(bytes);
        }

        private String fileName() {
            return stem + "-" + Long.toHexString(checksum) + suffix;
        }
    }

    public static byte[] readResource(ClassLoader loader, String resource) throws IOException {
        try (InputStream in = loader.getResourceAsStream(resource)) {
            if (in == null) {
                throw new NoSuchFileException("no " + resource + " on the class path");
            }
            return in.readAllBytes();
        }
    }

    /** Puts the file into the first directory in which it can be used. */
    public static Path place(Content content, Use use) {
        return tryEach(content, directory -> {
            Path file = write(directory, content);
            use.accept(file);
            return file;
        });
    }

    /** Uses a private copy that is deleted afterwards. */
    public static void useOnce(Content content, Use use) {
        tryEach(content, directory -> {
            Path file = directory.resolve(
                    content.stem + "-" + ProcessHandle.current().pid() + "-" + System.nanoTime() + content.suffix);
            try {
                create(file, content.bytes);
                // Before its use: a class whose initializer fails to load it cannot try again in another directory.
                requireExecutable(file);
                use.accept(file);
            } finally {
                Files.deleteIfExists(file);
            }
            return file;
        });
    }

    /** The first directory that can be written to, for what goes with these files. */
    static Path directory() {
        List<String> failures = new ArrayList<>();
        for (Path root : roots()) {
            try {
                Path directory = directoryIn(root);
                if (Files.isWritable(directory)) {
                    return directory;
                }
                failures.add(root + ": it cannot be written to");
            } catch (IOException e) {
                failures.add(root + ": " + reason(e));
            }
        }
        throw BindingException.of(
                FailureKind.UNAVAILABLE,
                "find",
                "a directory of this user alone",
                "",
                String.join(", ", failures),
                "set XDG_DATA_HOME or -Djava.io.tmpdir to a directory that can be written to");
    }

    private interface Attempt {
        Path in(Path directory) throws IOException;
    }

    private static Path tryEach(Content content, Attempt attempt) {
        List<String> failures = new ArrayList<>();
        for (Path root : roots()) {
            try {
                return attempt.in(directoryIn(root));
            } catch (IOException | UnsatisfiedLinkError e) {
                failures.add(root + ": " + reason(e));
            }
        }
        throw BindingException.of(
                FailureKind.UNAVAILABLE,
                "use",
                content.stem + content.suffix,
                "",
                "no directory can hold it: " + String.join(", ", failures),
                "unpack it from the jar and give its path with -D" + NativeLibrary.PATH_PROPERTY
                        + "=FILE, or set -Djava.io.tmpdir to a directory that allows execution");
    }

    /**
     * The folders to try, the best one first. A JVM whose {@code -agentpath} names no file does not start, so the
     * user's data come first, which no cleaner reaches, and the folder of temporary files is for users without a home.
     * The working directory is the last resort because users see it.
     */
    private static List<Path> roots() {
        List<Path> roots = new ArrayList<>();
        String home = System.getProperty("user.home");
        addRoot(roots, System.getenv("XDG_DATA_HOME"));
        if (isShared()) {
            // Root's home is closed to others, and a JVM that root starts as another user needs its agent.
            addRoot(roots, "/var/lib");
        }
        if (System.getenv("XDG_DATA_HOME") == null) {
            addRoot(roots, home + "/.local/share");
        }
        addRoot(roots, System.getProperty("java.io.tmpdir"));
        addRoot(roots, System.getenv().getOrDefault("XDG_CACHE_HOME", home + "/.cache"));
        addRoot(roots, "/dev/shm");
        addRoot(roots, System.getProperty("user.dir"));
        if (isShared()) {
            roots.sort(Comparator.comparing(root -> !isOpen(root)));
        }
        return roots;
    }

    /** Whether all users may pass through a root, or through the part of it that exists. */
    private static boolean isOpen(Path root) {
        Path there = root;
        while (there != null && !Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
            there = there.getParent();
        }
        try {
            for (Path folder = there; folder != null; folder = folder.getParent()) {
                if (!Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                    return false;
                }
            }
        } catch (IOException unknown) {
            return false;
        }
        return true;
    }

    /** The first of them: the user's data, and the folder of temporary files. */
    public static List<Path> lastingRoots() {
        List<Path> roots = new ArrayList<>();
        addRoot(roots, dataHome());
        addRoot(roots, System.getProperty("java.io.tmpdir"));
        return roots;
    }

    private static String dataHome() {
        return System.getenv().getOrDefault("XDG_DATA_HOME", System.getProperty("user.home") + "/.local/share");
    }

    private static Path directoryIn(Path root) throws IOException {
        return isShared() ? PrivateDirectory.readableIn(root, NAME) : PrivateDirectory.in(root, NAME);
    }

    /** The files of the command line, which gives them to commands; an engine's files are for its own JVM. */
    private static boolean isShared() {
        try {
            return Boolean.getBoolean("org.berth.native.shared")
                    && ProcessStatus.self().effectiveUserId().orElse(-1L) == 0;
        } catch (IOException unknown) {
            return false;
        }
    }

    private static void addRoot(List<Path> roots, @Nullable String path) {
        // A "=" would end the path in -agentpath:PATH=OPTIONS, and a blank the word in JAVA_TOOL_OPTIONS.
        // Bytes that the locale does not know have become U+FFFD, which would be a folder of another name.
        if (path == null
                || !path.startsWith("/")
                || path.indexOf(' ') >= 0
                || path.indexOf('=') >= 0
                || path.indexOf('\uFFFD') >= 0) {
            return;
        }
        try {
            Path root = Path.of(path);
            if (!roots.contains(root)) {
                roots.add(root);
            }
        } catch (InvalidPathException lettersUnknownToTheLocale) {
            return;
        }
    }

    private static Path write(Path directory, Content content) throws IOException {
        Path file = directory.resolve(content.fileName());
        if (holds(file, content)) {
            touch(file);
            openAs(directory, file);
        } else {
            Path fresh = directory.resolve(content.fileName() + "." + System.nanoTime() + ".new");
            try {
                create(fresh, content.bytes);
                Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(fresh);
            }
            deleteStale(directory);
        }
        requireExecutable(file);
        return file;
    }

    /** Asks access(2) with X_OK, the kernel's own answer on noexec mounts. */
    private static void requireExecutable(Path file) throws IOException {
        if (!Files.isExecutable(file)) {
            throw new IOException("files there cannot be executed (mounted noexec?)");
        }
    }

    private static void touch(Path file) {
        try {
            Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
        } catch (IOException e) {
            // Read-only, so that it is never taken for stale and deleted.
            return;
        }
    }

    /** Compares checksums, because a comparison of bytes takes a JVM that has just started, and interprets, 3 ms for hwloc. */
    private static boolean holds(Path file, Content content) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && Files.size(file) == content.bytes.length
                && checksum(Files.readAllBytes(file)) == content.checksum;
    }

    private static long checksum(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return crc.getValue();
    }

    private static void create(Path file, byte[] content) throws IOException {
        try (WritableByteChannel out = Files.newByteChannel(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PrivateDirectory.OWNER_ONLY))) {
            ByteBuffer buffer = ByteBuffer.wrap(content);
            while (buffer.hasRemaining()) {
                out.write(buffer);
            }
        }
        openAs(file.resolveSibling("."), file);
    }

    /**
     * Lets others run and read root's files, whatever the umask is, and though they were written before the directory
     * was opened.
     */
    private static void openAs(Path directory, Path file) throws IOException {
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(directory);
        if (!Files.getPosixFilePermissions(file).containsAll(mode)) {
            Files.setPosixFilePermissions(file, mode);
        }
    }

    /** Removes files that no process has used for long; those in use are touched on every use. */
    private static void deleteStale(Path directory) throws IOException {
        Instant now = Instant.now();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Instant used = Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS)
                        .toInstant();
                boolean leftOver = file.getFileName().toString().matches(LEFT_OVER_NAME);
                if (used.isBefore(now.minus(leftOver ? LEFT_OVER : STALE)) && (leftOver || !NamedFiles.isNamed(file))) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (NoSuchFileException e) {
            // Another process tidied up at the same time, which is as good.
            return;
        }
    }

    private static String reason(Throwable failure) {
        if (failure instanceof FileSystemException e) {
            // Its path is that of the directory, which stands before the reason.
            String kind = e.getClass().getSimpleName().replace("Exception", "");
            String reason = e.getReason();
            // Without a kind of its own it has the kernel's words: "Read-only file system".
            return reason == null ? kind : e.getClass() == FileSystemException.class ? reason : kind + " " + reason;
        }
        return String.valueOf(failure.getMessage());
    }
}

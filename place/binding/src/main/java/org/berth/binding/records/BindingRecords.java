package org.berth.binding.records;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.ids.ProcessIdentity;
import org.berth.binding.internal.library.NativeFiles;
import org.berth.observation.SystemFiles;
import org.berth.observation.internal.PrivateDirectory;
import org.berth.topology.FailureKind;

/**
 * The masks that processes had before they were bound from outside, kept in a directory that only this user can use:
 * one file per process, named by PID and start time, so that a reused PID never matches. The next bind removes the
 * files of processes that have ended. Any thread may use it; threads that bind the same process at once must
 * coordinate.
 *
 * @since 0.1.0
 */
public final class BindingRecords {
    private static final String PREFIX = "bound-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d+)-(\\d+)");
    private static final Duration OF_ANOTHER_BOOT = Duration.ofDays(180);

    private final Path root;

    private BindingRecords(Path root) {
        this.root = root;
    }

    /**
     * Those of this user: below {@code $XDG_DATA_HOME} or {@code ~/.local/share}, which no cleaner reaches, else, for a
     * user
     * without a home that can be written to, below {@code java.io.tmpdir}. The directory is made when it is not there.
     */
    public static BindingRecords ofUser() {
        return NativeFiles.lastingRoots().stream()
                .map(BindingRecords::below)
                .filter(BindingRecords::canBeWritten)
                .findFirst()
                .orElseGet(() -> below(Path.of(System.getProperty("java.io.tmpdir"))));
    }

    private boolean canBeWritten() {
        try {
            return Files.isWritable(directory());
        } catch (IOException e) {
            return false;
        }
    }

    /** The folder of the records. */
    public Path root() {
        return root;
    }

    /** In the directory berth-bound-UID of another one. */
    public static BindingRecords below(Path root) {
        return new BindingRecords(root);
    }

    /** Is empty when there is none. BindingException when it cannot be read, or another user may write there. */
    public Optional<BindingRecord> find(int pid, String startTime) {
        try {
            Path file = directory().resolve(PREFIX + pid + "-" + startTime);
            return Optional.of(BindingRecord.parse(Files.readString(file), pid, startTime, boot()));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            throw unusable("read", pid, e);
        }
    }

    /**
     * Writes a record; its file appears at once and whole (rename(2)).
     *
     * @throws BindingException when it cannot be written
     */
    public void write(BindingRecord record) {
        try {
            Path directory = directory();
            removeStale(directory);
            Path fresh = Files.createTempFile(
                    directory,
                    "new-",
                    ".tmp",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            try {
                Files.writeString(fresh, record.toText(boot()), StandardCharsets.UTF_8);
                Files.move(fresh, file(directory, record), StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(fresh);
            }
        } catch (IOException e) {
            throw unusable("write", record.pid(), e);
        }
    }

    /**
     * Removes a record.
     *
     * @throws BindingException when the file cannot be removed
     */
    public void remove(BindingRecord record) {
        try {
            Files.deleteIfExists(file(directory(), record));
        } catch (IOException e) {
            throw unusable("remove", record.pid(), e);
        }
    }

    private static Path file(Path directory, BindingRecord record) {
        return directory.resolve(PREFIX + record.pid() + "-" + record.startTime());
    }

    private Path directory() throws IOException {
        // Not with the native files, where old ones are removed.
        return PrivateDirectory.in(root, "berth-bound-");
    }

    private static String boot() throws IOException {
        return SystemFiles.LIVE.bootId().orElseThrow(IOException::new);
    }

    private static void removeStale(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "*")) {
            for (Path file : files) {
                Matcher name = NAME.matcher(file.getFileName().toString());
                if (name.matches()
                        && !name.group(2).equals(ProcessIdentity.startTimeOrEmpty(Path.of("/proc", name.group(1))))
                        && isOfThisBoot(file)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** Hosts may share a home. What another boot has left is removed when it is old. */
    private static boolean isOfThisBoot(Path file) throws IOException {
        return Files.readString(file).contains(boot())
                || Files.getLastModifiedTime(file)
                        .toInstant()
                        .isBefore(Instant.now().minus(OF_ANOTHER_BOOT));
    }

    private BindingException unusable(String operation, int pid, Exception cause) {
        return BindingException.of(
                FailureKind.FAILED,
                operation,
                "what process " + pid + " had before, below " + root,
                cause instanceof NoSuchFileException ? "no such directory" : String.valueOf(cause.getMessage()),
                "set XDG_DATA_HOME to a directory of your own that can be written to",
                cause);
    }
}

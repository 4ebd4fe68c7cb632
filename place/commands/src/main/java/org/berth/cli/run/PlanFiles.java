package org.berth.cli.run;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.regex.Pattern;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.IoErrors;

/**
 * Files with plans that outlive this process: the agent reads one when the command starts, and agents in JVMs that the
 * command starts later read it too. A file's name holds a checksum of the plan, so that commands with the same plan
 * share one file, and the line of a dry run stays valid. Files that were not used for long are removed.
 */
final class PlanFiles {
    private static final Pattern NAME = Pattern.compile("plan-[0-9a-f]{16}(-\\d+\\.new)?");

    /**
     * Time for which files are kept, as for other versions of the library: a line that names one may be pasted after
     * months.
     */
    private static final Duration UNUSED = Duration.ofDays(180);

    private final Path folder;

    PlanFiles(Path folder) {
        this.folder = folder;
    }

    /** A folder in which no other user can write, because the name of a file can be foreseen. */
    static PlanFiles ofUser() {
        return new PlanFiles(NativeLibrary.userDirectory());
    }

    /** The file with this plan (mode 0600, root's 0644), written unless it is there. */
    Path write(String plan, Instant now) {
        removeUnused(now);
        String name = "plan-" + checksum(plan);
        Path file = folder.resolve(name);
        try {
            if (Files.isRegularFile(file)
                    && Files.isWritable(file)
                    && Files.readString(file).equals(plan)) {
                Files.setLastModifiedTime(file, FileTime.from(now));
                return file;
            }
            // A JVM that reads the file meanwhile sees all of it.
            Path draft = folder.resolve(name + "-" + ProcessHandle.current().pid() + ".new");
            Files.deleteIfExists(draft);
            Files.createFile(draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(draft, plan, StandardCharsets.UTF_8);
            if (Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_READ)) {
                // Root's: for JVMs that it starts as another user.
                Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-r--r--"));
            }
            return Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw CommandException.failure(
                    "cannot write the plan for the agent to " + folder + ": " + IoErrors.reason(e)
                            + "; set XDG_DATA_HOME or -Djava.io.tmpdir to a directory that can be written",
                    e);
        }
    }

    /** Best effort: files of other users stay, and a directory that cannot be listed is skipped. */
    private void removeUnused(Instant now) {
        try (DirectoryStream<Path> plans = Files.newDirectoryStream(folder, "plan-*")) {
            for (Path plan : plans) {
                boolean ours = NAME.matcher(String.valueOf(plan.getFileName())).matches();
                if (ours
                        && Files.getLastModifiedTime(plan)
                                .toInstant()
                                .plus(UNUSED)
                                .isBefore(now)) {
                    Files.deleteIfExists(plan);
                }
            }
        } catch (IOException leftForTheNextRun) {
            return;
        }
    }

    private static String checksum(String plan) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(plan.getBytes(StandardCharsets.UTF_8));
            return String.format(Locale.ROOT, "%064x", new BigInteger(1, digest))
                    .substring(0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}

package org.berth.cli.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.IoErrors;

/**
 * Files with plans that outlive this process: the agent reads one when the command starts, and agents in JVMs that the
 * command starts later read it too. No process is left to delete it, so each run removes old files of ended processes.
 */
final class PlanFiles {
    private static final String PREFIX = "berth-plan-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d+)-.*");

    /** A command may end while programs that it left running still start JVMs. */
    private static final Duration KEPT_AFTER_END = Duration.ofDays(1);

    private final Path folder;

    PlanFiles(Path folder) {
        this.folder = folder;
    }

    static PlanFiles temporary() {
        return new PlanFiles(Path.of(System.getProperty("java.io.tmpdir")));
    }

    /** A new file (mode 0600) in a new folder (mode 0700) named after the process that will run the command. */
    Path write(String plan, long pid) {
        try {
            Path own = Files.createTempDirectory(
                    folder,
                    PREFIX + pid + "-",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Path file = Files.createFile(
                    own.resolve("plan"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            return Files.writeString(file, plan, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw CommandException.failure(
                    "cannot write the plan for the agent below " + folder + ": " + IoErrors.reason(e)
                            + "; set TMPDIR or -Djava.io.tmpdir to a folder that can be written",
                    e);
        }
    }

    /** Best effort: files of other users stay, and a folder that cannot be listed is skipped. */
    void removeOld(Instant now) {
        try (DirectoryStream<Path> plans = Files.newDirectoryStream(folder, PREFIX + "*")) {
            for (Path plan : plans) {
                Matcher name = NAME.matcher(String.valueOf(plan.getFileName()));
                if (name.matches() && !Files.exists(Path.of("/proc", name.group(1))) && isOld(plan, now)) {
                    Files.deleteIfExists(plan.resolve("plan"));
                    Files.deleteIfExists(plan);
                }
            }
        } catch (IOException leftForTheNextRun) {
            return;
        }
    }

    private static boolean isOld(Path plan, Instant now) throws IOException {
        return Files.getLastModifiedTime(plan).toInstant().plus(KEPT_AFTER_END).isBefore(now);
    }
}

package org.berth.observation;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Why something could not be read, and who could read it.
 *
 * @param reason what was tried, and the kernel's answer; one line
 * @param remedy what to do; empty when there is nothing to do
 * @since 0.1.0
 */
public record Refusal(String reason, String remedy) {
    private static final String OUTSIDE =
            "not by this root either: the process has capabilities that this one lacks, or a sandbox or security module"
                    + " forbids it; run outside the container";

    /** "REASON; REMEDY". */
    @Override
    public String toString() {
        return remedy.isEmpty() ? reason : reason + "; " + remedy;
    }

    /**
     * A file of another process (ptrace(2), "Ptrace access mode checking"). For root, "run as root" would be no remedy.
     */
    public static Refusal of(Object file, Path process) {
        return isRoot(process.resolveSibling("self"))
                ? new Refusal(file + " may not be read, " + OUTSIDE, "")
                : new Refusal(file + " may not be read", "run as the user of the process or as root");
    }

    /** A file of the kernel below a root. */
    public static Refusal of(String file, IOException cause, Path root) {
        String errno = errno(cause);
        boolean denied = errno.startsWith("EACCES") || errno.startsWith("EPERM");
        String remedy = !denied
                ? ""
                : isRoot(root.resolve("proc/self")) ? "run outside the container or sandbox" : "run as root";
        return new Refusal("/" + file + " cannot be read: " + errno, remedy);
    }

    private static String errno(IOException cause) {
        String reason = cause instanceof FileSystemException one && one.getReason() != null
                ? one.getReason()
                : String.valueOf(cause.getMessage());
        return cause instanceof AccessDeniedException
                ? "EACCES (permission denied)"
                : reason.equals("Operation not permitted") ? "EPERM (operation not permitted)" : reason;
    }

    private static boolean isRoot(Path self) {
        try {
            return ProcessStatus.of(self).effectiveUserId().equals(Optional.of(0L));
        } catch (IOException unknown) {
            return false;
        }
    }
}

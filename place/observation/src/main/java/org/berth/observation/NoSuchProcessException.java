package org.berth.observation;

import java.nio.file.Path;
import org.berth.topology.FailureKind;

/**
 * Thrown when a process has ended, or never existed. A watcher meets this at the end of every process that it watches.
 *
 * @since 0.1.0
 */
public final class NoSuchProcessException extends ObservationException {
    /** Reports a process that has ended, with the reason of the kernel. */
    public NoSuchProcessException(long pid, String reason) {
        super(FailureKind.GONE, "no process " + pid + ": " + reason);
    }

    /**
     * Whether /proc has no such folder. Asked with stat(2): access(2), behind Files.exists, also fails where the folder is
     * there but closed (hidepid=1).
     */
    public static boolean isAbsent(Path process) {
        return !process.toFile().exists();
    }

    /** The first process always lives; a process that cannot see it sees none of other users (hidepid=2). */
    public static NoSuchProcessException absent(long pid, Path process) {
        boolean hidden = isAbsent(process.resolveSibling("1")) && !isAbsent(process.resolveSibling("self"));
        String reason = process + " does not exist";
        return new NoSuchProcessException(
                pid, hidden ? reason + ", or /proc hides it from this user (hidepid); run as root to see it" : reason);
    }
}

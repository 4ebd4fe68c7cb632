package org.berth.oracle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Starts a process with the PID of one that has ended. */
public final class ReusedPid {
    private static final Path LAST_ID = Path.of("/proc/sys/kernel/ns_last_pid");
    private static final int ATTEMPTS = 200;
    /** Start times have a resolution of 10 ms. */
    private static final int LATER_MILLIS = 50;

    private ReusedPid() {}

    /**
     * The file's mode allows all users to write, and the kernel only those with CAP_SYS_ADMIN or
     * CAP_CHECKPOINT_RESTORE.
     */
    public static boolean isPossible() {
        try {
            Files.writeString(LAST_ID, Files.readString(LAST_ID).strip());
            return true;
        } catch (IOException notAllowed) {
            return false;
        }
    }

    /** Is empty when other processes took the PID each time. */
    public static Optional<Child> start(long pid, String... command) throws IOException, InterruptedException {
        Thread.sleep(LATER_MILLIS);
        for (int i = 0; i < ATTEMPTS; i++) {
            Files.writeString(LAST_ID, Long.toString(pid - 1));
            Child child = Child.start(command);
            if (child.pid() == pid) {
                return Optional.of(child);
            }
            child.close();
        }
        return Optional.empty();
    }
}

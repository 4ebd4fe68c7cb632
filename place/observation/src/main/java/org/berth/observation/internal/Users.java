package org.berth.observation.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The user of this process, and the overflow user. */
final class Users {
    private static final String UIDS = "Uid:";

    private Users() {}

    /** The user who owns the files that this process makes. */
    static long effective() throws IOException {
        // A thread's name may be no UTF-8.
        for (String line : Files.readString(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1)
                .split("\n", -1)) {
            if (line.startsWith(UIDS)) {
                return Long.parseLong(line.substring(UIDS.length()).strip().split("\\s+", -1)[1]);
            }
        }
        throw new IOException("no Uid line in /proc/self/status");
    }

    /** Whether a number stands for all users of the host that a container has no number for, its root included. */
    static boolean isUnmapped(long user) throws IOException {
        String[] map = Files.readString(Path.of("/proc/self/uid_map")).strip().split("\\s+", -1);
        boolean all = map.length == 3 && Long.parseLong(map[2]) >= 0xFFFF_FFFFL;
        return !all
                && user
                        == Long.parseLong(Files.readString(Path.of("/proc/sys/fs/overflowuid"))
                                .strip());
    }
}

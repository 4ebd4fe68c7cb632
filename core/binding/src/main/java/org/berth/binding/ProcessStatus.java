package org.berth.binding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The kernel's own words on a process or thread: /proc/PID/status (proc_pid_status(5)). */
final class ProcessStatus {
    private final String text;

    private ProcessStatus(String text) {
        this.text = text;
    }

    /** Of the leader thread of this process; its masks are what the process inherited. */
    static ProcessStatus self() throws IOException {
        return new ProcessStatus(Files.readString(Path.of("/proc/self/status")));
    }

    /** The value of a line, "Cpus_allowed_list" gives "0-3,8". */
    Optional<String> field(String name) {
        String start = name + ":";
        return text.lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()).strip())
                .findFirst();
    }

    /** The effective user id, which owns the files that this process makes. */
    Optional<Integer> effectiveUserId() {
        return field("Uid").map(ids -> Integer.valueOf(ids.split("\\s+", -1)[1]));
    }
}

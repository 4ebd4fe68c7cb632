package org.berth.binding;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.berth.topology.CpuSet;

/** The kernel's own words on a process or thread: /proc/PID/status (proc_pid_status(5)). */
final class ProcessStatus {
    private final String text;

    private ProcessStatus(String text) {
        this.text = text;
    }

    /** Reads that of the leader thread of this process, whose masks are what the process inherited. */
    static ProcessStatus self() throws IOException {
        return of(Path.of("/proc/self"));
    }

    /**
     * Reads that of a process or thread, by its folder in /proc. The kernel cuts off names after 15 bytes, in the middle of
     * a character if need be, so the text is not always UTF-8.
     */
    static ProcessStatus of(Path proc) throws IOException {
        return new ProcessStatus(Files.readString(proc.resolve("status"), StandardCharsets.ISO_8859_1));
    }

    /** Every CPU that this machine can ever have. */
    static CpuSet possibleCpus() {
        Path file = Path.of("/sys/devices/system/cpu/possible");
        try {
            return CpuSet.parseList(Files.readString(file).strip());
        } catch (IOException e) {
            throw BindingException.of("read", file.toString(), String.valueOf(e.getMessage()), "is /sys mounted?", e);
        }
    }

    /** The value of a line, "Cpus_allowed_list" gives "0-3,8". */
    Optional<String> field(String name) {
        String start = name + ":";
        return text.lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()).strip())
                .findFirst();
    }

    /** The user id for access to files, which owns the files that this process makes now. */
    Optional<Long> fileUserId() {
        return field("Uid").map(ids -> Long.valueOf(ids.split("\\s+", -1)[3]));
    }

    /** The id of the process in its own PID namespace, the innermost one. */
    Optional<Long> innermostPid() {
        return field("NSpid").map(ids -> Long.valueOf(ids.substring(ids.lastIndexOf('\t') + 1)));
    }

    /** The effective user id, which owns the files that this process makes. */
    Optional<Long> effectiveUserId() {
        return field("Uid").map(ids -> Long.valueOf(ids.split("\\s+", -1)[1]));
    }
}

package org.berth.observation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.berth.text.ForeignText;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * What the kernel reports about a process or thread in {@code /proc/PID/status} or {@code /proc/PID/task/TID/status}.
 * Immutable.
 *
 * @param fields the values by name, without the tab before them: {@code Cpus_allowed_list} has "0-3,8"
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_status.5.html">proc_pid_status(5)</a>
 * @since 0.1.0
 */
public record ProcessStatus(Map<String, String> fields) {
    private static final int EFFECTIVE = 1;
    private static final int FOR_FILES = 3;

    public ProcessStatus {
        fields = Map.copyOf(fields);
    }

    static ProcessStatus parse(String text) {
        Map<String, String> fields = new TreeMap<>();
        for (String line : text.split("\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                // Not stripped: a name that was cut off may end with a blank.
                String value = line.substring(colon + 1);
                fields.putIfAbsent(line.substring(0, colon), value.startsWith("\t") ? value.substring(1) : value);
            }
        }
        return new ProcessStatus(fields);
    }

    /** Reads that of the first thread of this process, whose masks are what the process inherited. */
    public static ProcessStatus self() throws IOException {
        return of(Path.of("/proc/self"));
    }

    /**
     * Reads that of a process or thread by its folder in /proc. The kernel cuts names off after 15 bytes, in the middle
     * of a letter if need be, so the text is not always UTF-8.
     */
    public static ProcessStatus of(Path proc) throws IOException {
        return parse(SystemFiles.text(proc.resolve("status")));
    }

    /** Reads that of a process of this machine; absent when it has ended. */
    public static Reading<ProcessStatus> read(long pid) {
        return SystemFiles.LIVE.read("proc/" + pid + "/status").map(ProcessStatus::parse);
    }

    /**
     * Reads the status of a thread; empty when it has ended: ENOENT when opened, ESRCH when read.
     *
     * @throws IOException when it cannot be read for another reason
     */
    public static Optional<ProcessStatus> ofLiving(Path proc) throws IOException {
        try {
            return Optional.of(of(proc));
        } catch (IOException e) {
            if (NoSuchProcessException.isAbsent(proc)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** The value of a line; empty where this kernel has no such line. */
    public Optional<String> field(String name) {
        String value = fields.get(name);
        return value == null ? Optional.empty() : Optional.of(value.strip());
    }

    /** Any program may put line breaks or terminal escapes into names. */
    public String name() {
        return ForeignText.clean(fields.getOrDefault("Name", "?"));
    }

    /** Returns the CPUs that the thread may run on. */
    public CpuSet cpus() {
        return CpuSet.parseList(fields.getOrDefault("Cpus_allowed_list", ""));
    }

    /** A kernel without NUMA has no such line, and node 0. */
    public NodeSet memoryNodes() {
        return NodeSet.parseList(fields.getOrDefault("Mems_allowed_list", "0"));
    }

    /** Whether it has ended, and its parent has not fetched the exit code. */
    public boolean hasEnded() {
        return fields.getOrDefault("State", "").matches("[ZX] .*");
    }

    /**
     * Memory in RAM (VmRSS), which the kernel has without a walk; 0 for kernel threads and ended processes, which have
     * none. */
    public long residentBytes() {
        String kilobytes = fields.getOrDefault("VmRSS", "").replaceAll("\\D", "");
        return kilobytes.isEmpty() ? 0 : Long.parseLong(kilobytes) * 1024;
    }

    /** The user id for access to files, which owns the files that this process makes now. */
    public Optional<Long> fileUserId() {
        return userId(FOR_FILES);
    }

    /** The effective user id. */
    public Optional<Long> effectiveUserId() {
        return userId(EFFECTIVE);
    }

    private Optional<Long> userId(int column) {
        return field("Uid")
                .map(ids -> ids.split("\\s+", -1))
                .filter(ids -> ids.length > column)
                .map(ids -> Long.valueOf(ids[column]));
    }

    /** Returns a field that is a number. */
    public Reading<Integer> number(String field) {
        String text = fields.getOrDefault(field, "");
        return text.matches("\\d{1,9}")
                ? Reading.of(Integer.valueOf(text))
                : Reading.absent("there is no line " + field + " in its status");
    }

    /** The id in its own PID namespace, the innermost one: the last number of NSpid. */
    public Optional<Integer> innermostId() {
        return field("NSpid")
                .map(ids -> ids.substring(Math.max(ids.lastIndexOf('\t'), ids.lastIndexOf(' ')) + 1))
                .filter(last -> !last.isEmpty())
                .map(Integer::valueOf);
    }

    /**
     * Tells whether the process has a handler for a signal.
     *
     * @param signalBit the number of the signal minus one
     */
    public boolean catches(int signalBit) {
        return ((Long.parseUnsignedLong(fields.getOrDefault("SigCgt", "0"), 16) >>> signalBit) & 1) == 1;
    }
}

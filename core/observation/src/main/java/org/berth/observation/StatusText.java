package org.berth.observation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.berth.text.ForeignText;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/** The fields of /proc/PID/status or /proc/PID/task/TID/status. */
record StatusText(Map<String, String> fields) {
    static StatusText parse(String text) {
        Map<String, String> fields = new TreeMap<>();
        text.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                // Not stripped: a name that was cut off may end with a blank.
                String value = line.substring(colon + 1);
                fields.putIfAbsent(line.substring(0, colon), value.startsWith("\t") ? value.substring(1) : value);
            }
        });
        return new StatusText(fields);
    }

    static StatusText read(Path proc) throws IOException {
        return parse(new String(Files.readAllBytes(proc.resolve("status")), StandardCharsets.UTF_8));
    }

    /** Empty when the thread has ended: ENOENT when opened, ESRCH when read. */
    static Optional<StatusText> readIfThere(Path proc) throws IOException {
        try {
            return Optional.of(read(proc));
        } catch (IOException e) {
            if (NoSuchProcessException.isAbsent(proc)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Any program may put line breaks or terminal escapes into names. */
    String name() {
        return ForeignText.clean(fields.getOrDefault("Name", "?"));
    }

    CpuSet cpus() {
        return CpuSet.parseList(fields.getOrDefault("Cpus_allowed_list", ""));
    }

    /** A kernel without NUMA has no such line, and node 0. */
    NodeSet memoryNodes() {
        return NodeSet.parseList(fields.getOrDefault("Mems_allowed_list", "0"));
    }

    Reading<Integer> number(String field) {
        String text = fields.getOrDefault(field, "");
        return text.matches("\\d{1,9}")
                ? Reading.of(Integer.valueOf(text))
                : Reading.absent("there is no line " + field + " in its status");
    }

    /** The last number of NSpid is that of the innermost PID namespace. */
    Optional<Integer> innerId() {
        String ids = fields.getOrDefault("NSpid", "");
        String last = ids.substring(Math.max(ids.lastIndexOf('\t'), ids.lastIndexOf(' ')) + 1);
        return last.isEmpty() ? Optional.empty() : Optional.of(Integer.valueOf(last));
    }

    boolean catches(int signalBit) {
        return ((Long.parseUnsignedLong(fields.getOrDefault("SigCgt", "0"), 16) >>> signalBit) & 1) == 1;
    }
}

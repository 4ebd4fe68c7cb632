package org.berth.observation.internal.kernel;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory of a NUMA node, and how much of it is free, from its meminfo in /sys/devices/system/node.
 *
 * @since 0.1.0
 */
public record NodeMemory(long totalBytes, long freeBytes) {
    static Optional<NodeMemory> parse(String meminfo) {
        OptionalLong total = field(meminfo, "MemTotal");
        OptionalLong free = field(meminfo, "MemFree");
        return total.isEmpty() || free.isEmpty()
                ? Optional.empty()
                : Optional.of(new NodeMemory(total.getAsLong(), free.getAsLong()));
    }

    /** "Node 0 MemTotal:  24684612 kB". */
    private static OptionalLong field(String meminfo, String name) {
        Matcher line = Pattern.compile(name + ":\\s+(\\d+) kB").matcher(meminfo);
        return line.find() ? OptionalLong.of(Long.parseLong(line.group(1)) * 1024) : OptionalLong.empty();
    }
}

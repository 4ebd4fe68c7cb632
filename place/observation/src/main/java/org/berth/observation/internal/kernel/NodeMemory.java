package org.berth.observation.internal.kernel;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;

/**
 * The memory of a NUMA node, and how much of it is free, from its meminfo in /sys/devices/system/node.
 *
 * @since 0.1.0
 */
public record NodeMemory(long totalBytes, long freeBytes) {
    private static final String NODES = "sys/devices/system/node/";

    /** That of each node by its osIndex; absent on a kernel without NUMA. */
    public static Reading<SortedMap<Integer, NodeMemory>> read(SystemFiles files) {
        return files.numbered(NODES, "node").flatMap(nodes -> {
            SortedMap<Integer, NodeMemory> memory = new TreeMap<>();
            for (int node : nodes) {
                Reading<String> text = files.read(NODES + "node" + node + "/meminfo");
                if (text.refusal().isPresent()) {
                    return Reading.refused(text.refusal().get());
                }
                text.value().flatMap(NodeMemory::parse).ifPresent(found -> memory.put(node, found));
            }
            return Reading.of(memory);
        });
    }

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

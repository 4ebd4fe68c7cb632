package org.berth.cli.bind;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.berth.binding.LiveProcess;
import org.berth.observation.ObservationException;
import org.berth.observation.memory.MemorySnapshot;
import org.berth.text.Bytes;
import org.berth.topology.CpuSet;

/**
 * The state of a process: its threads by allowed CPUs, the most frequent set first, and its pages by node.
 *
 * @param memoryMissing why the pages are unknown; empty when they are known
 */
public record LiveState(Map<CpuSet, Integer> threads, Optional<MemorySnapshot> memory, String memoryMissing) {
    static LiveState of(LiveProcess process) {
        Map<CpuSet, Integer> counts = count(process.masks());
        try {
            return new LiveState(counts, Optional.of(MemorySnapshot.of(process.pid())), "");
        } catch (ObservationException e) {
            return new LiveState(counts, Optional.empty(), String.valueOf(e.getMessage()));
        }
    }

    public static Map<CpuSet, Integer> count(Map<Integer, CpuSet> masks) {
        Map<CpuSet, Integer> counts = new LinkedHashMap<>();
        masks.values().forEach(cpus -> counts.merge(cpus, 1, Integer::sum));
        List<Map.Entry<CpuSet, Integer>> entries = new ArrayList<>(counts.entrySet());
        entries.sort((one, other) -> other.getValue().equals(one.getValue())
                ? one.getKey().compareFirst(other.getKey())
                : other.getValue() - one.getValue());
        Map<CpuSet, Integer> ordered = new LinkedHashMap<>();
        entries.forEach(entry -> ordered.put(entry.getKey(), entry.getValue()));
        return ordered;
    }

    /** "25 on CPUs 0-3, 2 on CPUs 1". */
    public String threadsText() {
        List<String> parts = new ArrayList<>();
        threads.forEach((cpus, count) -> parts.add(count + " on CPUs " + cpus));
        return String.join(", ", parts);
    }

    /** "node 0: 120 MiB (97.5 %), node 1: 3 MiB (2.5 %)". */
    String memoryText() {
        if (memory.isEmpty()) {
            return memoryMissing;
        }
        List<String> parts = new ArrayList<>();
        long total = Math.max(1, memory.get().totalBytes());
        memory.get()
                .bytesByNode()
                .forEach((node, bytes) -> parts.add(String.format(
                        Locale.ROOT, "node %d: %s (%.1f %%)", node, Bytes.text(bytes), 100.0 * bytes / total)));
        return String.join(", ", parts);
    }
}

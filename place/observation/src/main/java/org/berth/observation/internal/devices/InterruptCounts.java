package org.berth.observation.internal.devices;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.SystemFiles;
import org.berth.topology.CpuSet;

/**
 * How many interrupts of devices each CPU took since boot, from {@code /proc/interrupts}; those of the kernel itself
 * (timers, rescheduling) have names instead of numbers and are left out. Immutable.
 *
 * @param countsByCpu for each interrupt number the counts by osIndex of the CPU
 * @param names for each interrupt number its device
 * @since 0.1.0
 */
public record InterruptCounts(Map<Integer, Map<Integer, Long>> countsByCpu, Map<Integer, String> names) {
    /**
     * Interrupts of one number that some CPUs took.
     *
     * @param effective the CPUs that the kernel delivers it to; empty when it does not tell
     */
    public record Arrival(int number, String name, long count, Optional<CpuSet> effective) {}

    /**
     * Reads those of this machine ({@code /}), or of a recorded one. A container runtime may lay an empty file over it.
     */
    public static Reading<InterruptCounts> read(Path root) {
        return new SystemFiles(root)
                .read("proc/interrupts")
                .flatMap(text -> text.isEmpty()
                        ? Reading.refused(new Refusal("/proc/interrupts is empty", "run outside the container"))
                        : Reading.of(parse(text)));
    }

    static InterruptCounts parse(String text) {
        Map<Integer, Map<Integer, Long>> counts = new LinkedHashMap<>();
        Map<Integer, String> names = new LinkedHashMap<>();
        String[] lines = text.split("\n", -1);
        List<Integer> cpus = new ArrayList<>();
        for (String word : lines[0].strip().split("\\s+", -1)) {
            if (word.matches("CPU\\d+")) {
                cpus.add(Integer.valueOf(word.substring(3)));
            }
        }
        for (int i = 1; i < lines.length; i++) {
            String[] words = lines[i].strip().split("\\s+", cpus.size() + 2);
            if (words[0].matches("\\d+:") && words.length > cpus.size()) {
                Integer number = Integer.valueOf(words[0].substring(0, words[0].length() - 1));
                Map<Integer, Long> byCpu = new TreeMap<>();
                for (int c = 0; c < cpus.size(); c++) {
                    byCpu.put(cpus.get(c), Long.valueOf(words[c + 1]));
                }
                counts.put(number, byCpu);
                names.put(number, words.length > cpus.size() + 1 ? words[cpus.size() + 1].strip() : "");
            }
        }
        return new InterruptCounts(counts, names);
    }

    /** The interrupts that arrived on some CPUs since an earlier reading, the most frequent first. */
    public List<Arrival> since(InterruptCounts before, CpuSet cpus, Path root) {
        SystemFiles files = new SystemFiles(root);
        List<Arrival> arrivals = new ArrayList<>();
        countsByCpu.forEach((number, now) -> {
            Map<Integer, Long> then = before.countsByCpu().getOrDefault(number, Map.of());
            long count = 0;
            for (Map.Entry<Integer, Long> cpu : now.entrySet()) {
                if (cpus.contains(cpu.getKey())) {
                    count += cpu.getValue() - then.getOrDefault(cpu.getKey(), cpu.getValue());
                }
            }
            if (count > 0) {
                Optional<CpuSet> effective = files.cpuList("proc/irq/" + number + "/effective_affinity_list")
                        .value();
                arrivals.add(new Arrival(number, names.getOrDefault(number, ""), count, effective));
            }
        });
        arrivals.sort((one, other) -> Long.compare(other.count(), one.count()));
        return arrivals;
    }
}

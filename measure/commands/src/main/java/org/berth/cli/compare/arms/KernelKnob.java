package org.berth.cli.compare.arms;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.berth.cli.shared.CommandException;
import org.berth.experiments.KernelSwitch;
import org.berth.observation.internal.kernel.CacheAwareScheduling;
import org.berth.placement.internal.NearestWord;

/** A setting of the kernel that a comparison may switch, by its word on the command line. */
enum KernelKnob {
    NUMA_BALANCING("numa-balancing", "/proc/sys/kernel/numa_balancing", "numa_balancing", "0|1|2|3"),
    CACHE_AWARE("cache-aware", CacheAwareScheduling.FOLDER + "/enabled", "llc_enabled", "on|off"),
    LLC_TOLERANCE("llc-tolerance", CacheAwareScheduling.FOLDER + "/aggr_tolerance", "llc_tolerance", "0…100"),
    HUGE_PAGES("thp", "/sys/kernel/mm/transparent_hugepage/enabled", "transparent_hugepage", "always|madvise|never");

    private static final int MOST_TOLERANT = 100;

    private final String word;
    private final String setting;
    private final String note;
    private final String choice;

    /** @param choice values that may be given, with bars between them, or a range */
    KernelKnob(String word, String setting, String note, String choice) {
        this.word = word;
        this.setting = setting;
        this.note = note;
        this.choice = choice;
    }

    /** "numa-balancing=0|1|2|3, …". */
    static String words() {
        return String.join(
                ", ",
                Stream.of(values()).map(knob -> knob.word + "=" + knob.choice).toList());
    }

    /** Parses "cache-aware=on"; other words are usage errors. */
    static KernelSwitch parse(String text) {
        String[] parts = text.split("=", -1);
        for (KernelKnob knob : values()) {
            if (parts.length == 2 && parts[0].equals(knob.word) && knob.takes(parts[1])) {
                return knob.switched(parts[1]);
            }
        }
        List<String> known = Stream.of(values()).map(knob -> knob.word).toList();
        throw CommandException.usage("--kernel '" + text + "': give one of " + words() + ", or several joined by +"
                + (known.contains(parts[0]) ? "" : NearestWord.hint(parts[0], known)));
    }

    private boolean takes(String value) {
        return this == LLC_TOLERANCE
                ? value.matches("\\d{1,3}") && Integer.parseInt(value) <= MOST_TOLERANT
                : List.of(choice.split("\\|", -1)).contains(value);
    }

    /** The setting with this value. */
    KernelSwitch switched(String value) {
        String written = value.equals("on") ? "1" : value.equals("off") ? "0" : value;
        return KernelSwitch.of(Path.of(setting), written, note);
    }

    /**
     * Puts back what a comparison that was killed has left in any of the settings.
     *
     * @return a line for each
     * @throws IOException when another comparison has switched one, or one cannot be written
     */
    static List<String> restoreLeftOver() throws IOException {
        List<String> lines = new ArrayList<>();
        for (KernelKnob knob : values()) {
            Optional<String> line = knob.switched("").restoreLeftOver();
            line.ifPresent(lines::add);
        }
        return lines;
    }
}

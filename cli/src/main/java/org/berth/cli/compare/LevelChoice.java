package org.berth.cli.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.cli.shared.Arguments;
import org.berth.placement.AffinityLevel;
import org.berth.topology.Topology;

/**
 * The levels to compare.
 *
 * @param given the value of {@code --levels}; empty for the default of the machine
 * @param firstOnly only the first of them, for a self-check
 */
public record LevelChoice(Optional<List<AffinityLevel>> given, boolean firstOnly) {
    /** Parses "none,package,core"; each level counts once. */
    public static List<AffinityLevel> parse(String list) {
        List<AffinityLevel> levels = new ArrayList<>();
        for (String name : list.split(",", -1)) {
            AffinityLevel level = Arguments.level(name.strip());
            if (!levels.contains(level)) {
                levels.add(level);
            }
        }
        return levels;
    }

    /** The default: all levels, but nodes only where there are several. */
    static List<AffinityLevel> all(Topology topology) {
        List<AffinityLevel> levels = new ArrayList<>(List.of(AffinityLevel.values()));
        if (CompareArms.nodes(topology) < 2) {
            levels.remove(AffinityLevel.NUMA);
        }
        return levels;
    }

    List<AffinityLevel> on(Topology topology) {
        List<AffinityLevel> levels = given.orElseGet(() -> all(topology));
        return firstOnly ? levels.subList(0, 1) : levels;
    }
}

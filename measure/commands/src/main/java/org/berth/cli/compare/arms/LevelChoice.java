package org.berth.cli.compare.arms;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.arguments.WordList;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;

/**
 * The levels to compare.
 *
 * @param given the value of {@code --levels}; empty for the default of the machine
 * @param firstOnly only the first of them, for a self-check
 */
public record LevelChoice(Optional<List<OrderedLevel>> given, boolean firstOnly) {
    /** Parses "none,package,l3-spread". */
    public static List<OrderedLevel> parse(String list) {
        return WordList.parse("--levels", list, word -> Arguments.level("--levels", word));
    }

    /** The default: all levels, but nodes and L3 caches only where there are several. */
    static List<OrderedLevel> all(Topology topology) {
        List<OrderedLevel> levels = new ArrayList<>(OrderedLevel.ALL);
        if (CompareArms.nodes(topology) < 2) {
            levels.remove(OrderedLevel.of(AffinityLevel.NUMA));
        }
        if (topology.objectsIntersecting(topology.allowedCpuSet(), ObjectType.L3_CACHE)
                        .size()
                < 2) {
            levels.removeIf(level -> level.level() == AffinityLevel.L3);
        }
        return levels;
    }

    public List<OrderedLevel> on(Topology topology) {
        List<OrderedLevel> levels = given.orElseGet(() -> all(topology));
        return firstOnly ? levels.subList(0, 1) : levels;
    }
}

package org.berth.cli.plan;

import org.berth.cli.shared.CommandException;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.placement.ThreadOrder;

/** What a level means: it says how tight a place is, and not whether a command gets one or each of its threads. */
public final class LevelReading {
    private LevelReading() {}

    /** A usage error for a level when neither rules name threads nor a number of places is given. */
    public static void requireOne(OrderedLevel level, boolean hasRules) {
        if (hasRules || level.level() == AffinityLevel.NONE) {
            return;
        }
        String part = switch (level.level()) {
            case NUMA -> "a NUMA node";
            case PACKAGE -> "a package";
            case L3 -> "an L3 cache";
            case CORE -> "a core";
            default -> "a PU";
        };
        throw CommandException.usage("--level " + level.word() + " leaves open what gets " + part
                + ": for the command as a whole write " + ofWhole(level)
                + "; for each of its threads name them, as in --level " + level.word() + " --rule 'worker-*'");
    }

    private static String ofWhole(OrderedLevel level) {
        return switch (level.level()) {
            case NUMA, PACKAGE -> "--domain " + level.word();
            case L3 -> level.order() == ThreadOrder.PACK ? "--domain l3" : "--level l3-spread --threads N";
            case CORE ->
                level.order() == ThreadOrder.PACK ? "--domain core:1" : "--level " + level.word() + " --threads N";
            default -> "--level " + level.word() + " --threads 1";
        };
    }
}

package org.berth.fuzz;

import java.nio.charset.StandardCharsets;
import org.berth.topology.CpuSet;

/** A fault that only a search finds: the list parser, and behind it an exception for one of its answers. */
public final class PlantedTarget {
    private PlantedTarget() {}

    /** Called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        try {
            CpuSet set = CpuSet.parseList(new String(input, StandardCharsets.UTF_8));
            if (!set.isInfinite() && set.size() == 3 && set.last() > 1000) {
                throw new IllegalStateException("planted");
            }
        } catch (IllegalArgumentException refused) {
            Messages.requireOneLine(refused);
        }
    }
}

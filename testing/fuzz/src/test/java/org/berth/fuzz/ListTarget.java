package org.berth.fuzz;

import java.nio.charset.StandardCharsets;
import org.berth.topology.CpuSet;

/** CPU lists such as {@code 0-3,8}. */
public final class ListTarget {
    private ListTarget() {}

    /** Called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        CpuSet set;
        try {
            set = CpuSet.parseList(new String(input, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException refused) {
            Messages.requireOneLine(refused);
            return;
        }
        if (!CpuSet.parseList(set.toString()).equals(set)) {
            throw new AssertionError("reads back as another set: " + set);
        }
    }
}

package org.berth.fuzz;

import java.nio.charset.StandardCharsets;
import org.berth.topology.CpuSet;

/** Masks such as {@code 0x00000001,0xf0000000}. */
public final class MaskTarget {
    private MaskTarget() {}

    /** Called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        CpuSet set;
        try {
            set = CpuSet.parseMask(new String(input, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException refused) {
            Messages.requireOneLine(refused);
            return;
        }
        if (!CpuSet.parseMask(set.toMaskString()).equals(set)) {
            throw new AssertionError("reads back as another set: " + set);
        }
        if (!CpuSet.parseMask(set.toTasksetString()).equals(set)) {
            throw new AssertionError("reads back as another set from " + set.toTasksetString());
        }
        if (!CpuSet.parseList(set.toString()).equals(set)) {
            throw new AssertionError("its list is another set: " + set);
        }
    }
}

package org.berth.fuzz;

import java.nio.charset.StandardCharsets;
import org.berth.binding.discovery.Discovery;
import org.berth.binding.errors.BindingException;

/** Descriptions such as {@code pack:2 core:4 pu:2}; they are understood by hwloc, in this process. */
public final class SyntheticTarget {
    private SyntheticTarget() {}

    /** Called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        try {
            if (Discovery.synthetic(new String(input, StandardCharsets.UTF_8))
                    .root()
                    .cpuSet()
                    .isEmpty()) {
                throw new AssertionError("a machine without CPUs");
            }
        } catch (BindingException refused) {
            Messages.requireOneLine(refused);
        }
    }
}

package org.berth.cli.tune;

import java.util.List;
import java.util.Optional;
import org.berth.observation.Reading;
import org.berth.placement.MemoryMode;
import org.berth.placement.internal.shape.Division;

/**
 * What races, of shapes.
 *
 * @param heap the value of {@code --heap}, of all processes together
 * @param memory empty for what {@code berth split} takes
 * @param smt whether all PUs are used; both values for a race of the two
 * @param hugePages the kernel's setting of transparent huge pages
 */
record ShapeDimensions(
        List<Division> into,
        Optional<String> heap,
        List<String> levels,
        List<MemoryMode> memory,
        List<Boolean> smt,
        List<RacedFlags> flags,
        Reading<String> hugePages) {
    ShapeDimensions {
        into = List.copyOf(into);
        levels = List.copyOf(levels);
        memory = List.copyOf(memory);
        smt = List.copyOf(smt);
        flags = List.copyOf(flags);
    }
}

package org.berth.cli.tune;

import java.util.List;
import java.util.Optional;
import org.berth.placement.MemoryMode;
import org.berth.placement.internal.shape.Division;
import org.berth.placement.internal.shape.HostShape;
import org.berth.placement.internal.shape.ShapePart;
import org.berth.topology.CpuSet;

/**
 * One point of the grid of shapes.
 *
 * @param into the parts of the host
 * @param host the same on this machine
 * @param level how threads are placed: none, part or auto, or a level in the part
 * @param memory where pages of a bound process go
 * @param memoryNamed whether several policies race, so that the name needs this one
 * @param smt whether all PUs are used, or one of each core
 * @param flags options of the JVM
 */
record TuneShape(
        Division into,
        HostShape host,
        String level,
        MemoryMode memory,
        boolean memoryNamed,
        boolean smt,
        RacedFlags flags) {
    /** The level of processes that the kernel places. */
    static final String NONE = "none";

    TuneShape withLevel(String other) {
        return new TuneShape(into, host, other, memory, memoryNamed, smt, flags);
    }

    boolean bound() {
        return !level.equals(NONE);
    }

    /** "into-2+none+no-smt", with what differs from the usual. */
    String name(String usualLevel) {
        StringBuilder name = new StringBuilder("into-").append(into.word());
        if (!level.equals(usualLevel)) {
            name.append('+').append(level);
        }
        if (memoryNamed) {
            name.append('+').append(memory.word());
        }
        if (!smt) {
            name.append("+no-smt");
        }
        if (!flags.isNone()) {
            name.append('+').append(flags.word());
        }
        return name.toString();
    }

    int processes() {
        return host.parts().size();
    }

    CpuSet cpus() {
        return host.parts().stream().map(ShapePart::cpus).reduce(CpuSet.empty(), CpuSet::union);
    }

    long heapBytes() {
        return host.parts().stream().mapToLong(ShapePart::heapBytes).sum();
    }

    /** "2 of 8 CPUs and a heap of 4g". */
    String size() {
        return processes() + " of " + cpusEach() + (cpusEach().equals("1") ? " CPU" : " CPUs")
                + (heapBytes() == 0 ? "" : " and a heap of " + heapEach());
    }

    /** "8", or "5 to 6" CPUs of a process. */
    String cpusEach() {
        List<Integer> counts =
                host.parts().stream().map(part -> part.cpus().size()).sorted().toList();
        return range(counts.get(0).toString(), counts.get(counts.size() - 1).toString());
    }

    /** "4g", or "3g to 4g" of a process; "-" without one. */
    String heapEach() {
        List<ShapePart> parts = host.parts().stream()
                .sorted((a, b) -> Long.compare(a.heapBytes(), b.heapBytes()))
                .toList();
        return heapBytes() == 0
                ? "-"
                : range(parts.get(0).heapWord(), parts.get(parts.size() - 1).heapWord());
    }

    private static String range(String least, String most) {
        return least.equals(most) ? least : least + " to " + most;
    }

    /** The smallest part, whose size all executors of Spark have. */
    ShapePart least() {
        return host.parts().stream()
                .min((a, b) -> Integer.compare(a.cpus().size(), b.cpus().size()))
                .orElseThrow();
    }

    /** The heap that every part has; empty where the memory is too small or unknown. */
    Optional<ShapePart> leastHeap() {
        return host.parts().stream()
                .min((a, b) -> Long.compare(a.heapBytes(), b.heapBytes()))
                .filter(part -> part.heapBytes() > 0);
    }
}

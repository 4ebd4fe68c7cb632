package org.berth.binding;

import static org.assertj.core.api.Assumptions.assumeThat;

import org.berth.placement.MemoryMode;

/** What the kernel of this machine has of the memory modes, and how numa_maps names them. */
final class Modes {
    private Modes() {}

    /** How the policy column begins; two of the names have a space. */
    static String columnStart(MemoryMode mode) {
        return switch (mode) {
            case LOCAL -> "default";
            case BIND -> "bind:";
            case PREFER -> "prefer";
            case INTERLEAVE -> "interleave:";
            case WEIGHTED -> "weighted";
            case BIND_BALANCE -> "bind=balancing:";
            case PREFER_BALANCE -> "prefer";
        };
    }

    /** By the release of the kernel and not by a call, so that a call that fails is seen. */
    static void require(MemoryMode mode) {
        int needed = switch (mode) {
            case WEIGHTED -> 6_009;
            case BIND_BALANCE -> 5_012;
            case PREFER_BALANCE -> 6_010;
            default -> 0;
        };
        String[] release = System.getProperty("os.version").split("[^0-9]+", -1);
        int kernel = 1000 * Integer.parseInt(release[0]) + Integer.parseInt(release[1]);
        assumeThat(kernel).isGreaterThanOrEqualTo(needed);
    }
}

package org.berth.microbenchmarks;

/** The machines and sets that the benchmarks work on, the same ones for every peer. */
final class Workload {
    static final String MACHINE_256 = "pack:2 numa:2 l3:4 core:8 pu:2";
    static final String MACHINE_2048 = "pack:8 numa:2 l3:4 core:16 pu:2";
    static final String MACHINE_4096 = "pack:16 numa:2 l3:4 core:16 pu:2";

    /** Both within 256 bits, in several words, with runs and holes. */
    static final String LEFT = "0-31,64-127,129,131,133,192-255";

    static final String RIGHT = "16-79,128-191,240-255";

    /** A member of LEFT in its last word. */
    static final int MEMBER = 200;

    private Workload() {}
}

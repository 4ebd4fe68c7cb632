package org.berth.microbenchmarks;

/** The library that does an operation; benchmark methods end in these names. */
enum Peer {
    Berth("Berth"),
    Hwloc("hwloc through LWJGL"),
    BitSet("java.util.BitSet"),
    OpenHft("OpenHFT affinity"),
    Hadoop("Hadoop alone"),
    Bare("bare system call");

    final String label;

    Peer(String label) {
        this.label = label;
    }
}

package org.berth.microbenchmarks;

import static org.lwjgl.util.hwloc.HWLoc.*;

import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;

/** A topology of hwloc through LWJGL, as a program without Berth would use it. Not thread-safe. */
final class HwlocTopology implements AutoCloseable {
    final long handle;

    private HwlocTopology(long handle) {
        this.handle = handle;
    }

    static HwlocTopology synthetic(String description) {
        HwlocTopology topology = new HwlocTopology(init());
        check("set_synthetic", hwloc_topology_set_synthetic(topology.handle, description));
        check("load", hwloc_topology_load(topology.handle));
        return topology;
    }

    /** The live machine with the flags and filters that Berth's own discovery uses. */
    static HwlocTopology live() {
        HwlocTopology topology = new HwlocTopology(init());
        check("set_flags", hwloc_topology_set_flags(topology.handle, HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING));
        check("set_all_types_filter", hwloc_topology_set_all_types_filter(topology.handle, HWLOC_TYPE_FILTER_KEEP_ALL));
        check(
                "set_type_filter",
                hwloc_topology_set_type_filter(topology.handle, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE));
        check(
                "set_io_types_filter",
                hwloc_topology_set_io_types_filter(topology.handle, HWLOC_TYPE_FILTER_KEEP_IMPORTANT));
        check("load", hwloc_topology_load(topology.handle));
        return topology;
    }

    @Override
    public void close() {
        hwloc_topology_destroy(handle);
    }

    private static long init() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer pointer = stack.mallocPointer(1);
            check("init", hwloc_topology_init(pointer));
            return pointer.get(0);
        }
    }

    static void check(String what, int result) {
        if (result < 0) {
            throw new IllegalStateException("hwloc " + what + " failed: " + result);
        }
    }
}

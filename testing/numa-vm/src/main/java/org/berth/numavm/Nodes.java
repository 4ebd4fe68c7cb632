package org.berth.numavm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.topology.CpuSet;

/** Nodes, cores and devices as the kernel's files have them: nothing of what is checked takes part. */
final class Nodes {
    private Nodes() {}

    /** The node that a device is near, such as "net/eth0" of /sys/class. */
    static int ofDevice(String device) throws IOException {
        return Integer.parseInt(read(Path.of("/sys/class", device, "device/../numa_node")));
    }

    static CpuSet cpus(int node) throws IOException {
        return CpuSet.parseList(read(Path.of("/sys/devices/system/node/node" + node, "cpulist")));
    }

    /** Those that a CPU shares its core with, and itself. */
    static CpuSet core(int cpu) throws IOException {
        return CpuSet.parseList(read(Path.of("/sys/devices/system/cpu/cpu" + cpu, "topology/thread_siblings_list")));
    }

    /** Those that a CPU shares its cache of a level with, and itself. */
    static CpuSet cache(int cpu, int level) throws IOException {
        Path caches = Path.of("/sys/devices/system/cpu/cpu" + cpu, "cache");
        for (int i = 0; Files.exists(caches.resolve("index" + i)); i++) {
            Path cache = caches.resolve("index" + i);
            if (read(cache.resolve("level")).equals(Integer.toString(level))) {
                return CpuSet.parseList(read(cache.resolve("shared_cpu_list")));
            }
        }
        throw new IOException("CPU " + cpu + " has no cache of level " + level);
    }

    /** The memory of a node. */
    static long memoryBytes(int node) throws IOException {
        return bytes(node, "MemTotal");
    }

    /** What nothing uses, not even the page cache. */
    static long freeBytes(int node) throws IOException {
        return bytes(node, "MemFree");
    }

    private static long bytes(int node, String name) throws IOException {
        String all = read(Path.of("/sys/devices/system/node/node" + node, "meminfo"));
        return 1024 * Long.parseLong(all.replaceFirst("(?s).*" + name + ": +(\\d+) kB.*", "$1"));
    }

    /** The one whose CPUs a mask is; -1 when there is none. */
    static int ofMask(String mask, int nodes) throws IOException {
        for (int node = 0; node < nodes; node++) {
            if (cpus(node).toString().equals(mask)) {
                return node;
            }
        }
        return -1;
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file).strip();
    }
}

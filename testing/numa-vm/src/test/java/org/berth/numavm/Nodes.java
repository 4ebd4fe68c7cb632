package org.berth.numavm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.berth.topology.CpuSet;

/** Nodes, cores and devices as the kernel's files have them: nothing of what is checked takes part. */
public final class Nodes {
    private Nodes() {}

    /** The node that a device is near, such as "net/eth0" of /sys/class. */
    public static int ofDevice(String device) throws IOException {
        return Integer.parseInt(read(Path.of("/sys/class", device, "device/../numa_node")));
    }

    public static CpuSet cpus(int node) throws IOException {
        return CpuSet.parseList(read(Path.of("/sys/devices/system/node/node" + node, "cpulist")));
    }

    /** Those that a CPU shares its core with, and itself. */
    public static CpuSet core(int cpu) throws IOException {
        return CpuSet.parseList(read(Path.of("/sys/devices/system/cpu/cpu" + cpu, "topology/thread_siblings_list")));
    }

    /** Those that a CPU shares its cache of a level with, and itself. */
    public static CpuSet cache(int cpu, int level) throws IOException {
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
    public static long memoryBytes(int node) throws IOException {
        return bytes(node, "MemTotal");
    }

    /** What nothing uses, not even the page cache. */
    public static long freeBytes(int node) throws IOException {
        return bytes(node, "MemFree");
    }

    private static long bytes(int node, String name) throws IOException {
        String all = read(Path.of("/sys/devices/system/node/node" + node, "meminfo"));
        return 1024 * Long.parseLong(all.replaceFirst("(?s).*" + name + ": +(\\d+) kB.*", "$1"));
    }

    /** The one whose CPUs a mask is; -1 when there is none. */
    public static int ofMask(String mask, int nodes) throws IOException {
        for (int node = 0; node < nodes; node++) {
            if (cpus(node).toString().equals(mask)) {
                return node;
            }
        }
        return -1;
    }

    /** The relation that the kernel's own files give: S same core, C common cache, M same node, N another node. */
    public static char relation(int cpu, int reference) throws IOException {
        Path folder = Path.of("/sys/devices/system/cpu/cpu" + cpu);
        if (CpuSet.parseList(read(folder.resolve("topology/thread_siblings_list")))
                .contains(reference)) {
            return 'S';
        }
        try (Stream<Path> caches = Files.list(folder.resolve("cache"))) {
            for (Path cache : caches.filter(
                            path -> path.getFileName().toString().startsWith("index"))
                    .toList()) {
                if (CpuSet.parseList(read(cache.resolve("shared_cpu_list"))).contains(reference)) {
                    return 'C';
                }
            }
        }
        try (Stream<Path> nodes = Files.list(folder)) {
            for (Path node : nodes.filter(path -> path.getFileName().toString().matches("node\\d+"))
                    .toList()) {
                return CpuSet.parseList(read(node.resolve("cpulist"))).contains(reference) ? 'M' : 'N';
            }
        }
        throw new IOException("no node has CPU " + cpu);
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file).strip();
    }
}

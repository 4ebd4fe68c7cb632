package org.berth.observation;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.berth.topology.NodeSet;

/**
 * The huge pages of a machine: how the kernel gives transparent ones, and the pools of explicit ones. Immutable.
 *
 * @param transparent when private memory gets transparent huge pages: always, madvise or never
 * @param shared the same for shared memory, in which ZGC has its heap: always, within_size, advise, never, deny or force
 * @param defrag what the kernel does when there is no free huge page: always, defer, defer+madvise, madvise or never
 * @param pools the pools of explicit huge pages, by the size of their pages in bytes
 * @see <a href="https://docs.kernel.org/admin-guide/mm/transhuge.html">Transparent Hugepage Support</a>
 * @see <a href="https://docs.kernel.org/admin-guide/mm/hugetlbpage.html">HugeTLB Pages</a>
 * @since 0.1.0
 */
public record HugePages(
        Reading<String> transparent,
        Reading<String> shared,
        Reading<String> defrag,
        Reading<SortedMap<Long, Pool>> pools) {
    private static final String TRANSPARENT = "sys/kernel/mm/transparent_hugepage/";
    private static final String NODES = "sys/devices/system/node/";
    private static final String PREFIX = "hugepages-";

    public HugePages {
        pools = pools.map(all -> Collections.unmodifiableSortedMap(new TreeMap<>(all)));
    }

    /**
     * Explicit huge pages of one size.
     *
     * @param totalByNode number of pages by osIndex of the node
     * @param freeByNode the part that no process has; a JVM may have reserved some of it and not touched it yet
     * @param overcommit pages that the kernel may add when a process asks for more
     * @since 0.1.0
     */
    public record Pool(
            SortedMap<Integer, Integer> totalByNode, SortedMap<Integer, Integer> freeByNode, int overcommit) {
        public Pool {
            totalByNode = Collections.unmodifiableSortedMap(new TreeMap<>(totalByNode));
            freeByNode = Collections.unmodifiableSortedMap(new TreeMap<>(freeByNode));
        }

        /** Number of pages of all nodes. */
        public int total() {
            return totalByNode.values().stream().mapToInt(Integer::intValue).sum();
        }

        /** Number of pages that are free on some nodes. */
        public int free(NodeSet nodes) {
            return freeByNode.entrySet().stream()
                    .filter(node -> nodes.contains(node.getKey()))
                    .mapToInt(Map.Entry::getValue)
                    .sum();
        }
    }

    /** The pool of pages of a size; absent when the kernel has no pages of that size. */
    public Reading<Pool> pool(long pageBytes) {
        return pools.flatMap(all -> {
            Pool pool = all.get(pageBytes);
            return pool == null ? Reading.absent("there are no pages of that size") : Reading.of(pool);
        });
    }

    /** Reads those of this machine ({@code /}), or of a recorded one. */
    public static HugePages read(Path root) {
        return read(new SystemFiles(root));
    }

    static HugePages read(SystemFiles files) {
        return new HugePages(
                files.read(TRANSPARENT + "enabled").map(KernelText::chosen),
                files.read(TRANSPARENT + "shmem_enabled").map(KernelText::chosen),
                files.read(TRANSPARENT + "defrag").map(KernelText::chosen),
                pools(files));
    }

    private static Reading<SortedMap<Long, Pool>> pools(SystemFiles files) {
        return files.names("sys/kernel/mm/hugepages").map(names -> pools(files, names));
    }

    private static SortedMap<Long, Pool> pools(SystemFiles files, List<String> names) {
        SortedMap<Long, Pool> pools = new TreeMap<>();
        for (String name : names) {
            OptionalLong size = pageBytes(name);
            if (size.isPresent()) {
                pools.put(
                        size.getAsLong(),
                        new Pool(
                                byNode(files, name + "/nr_hugepages"),
                                byNode(files, name + "/free_hugepages"),
                                files.number("sys/kernel/mm/hugepages/" + name + "/nr_overcommit_hugepages")
                                        .orElse(0)));
            }
        }
        return pools;
    }

    /** "hugepages-2048kB". */
    private static OptionalLong pageBytes(String name) {
        return name.matches(PREFIX + "\\d{1,12}kB")
                ? OptionalLong.of(Long.parseLong(name.substring(PREFIX.length(), name.length() - 2)) * 1024)
                : OptionalLong.empty();
    }

    /** A kernel without NUMA has no folders of nodes, and all memory is node 0. */
    private static SortedMap<Integer, Integer> byNode(SystemFiles files, String file) {
        SortedMap<Integer, Integer> counts = new TreeMap<>();
        for (int node : files.numbered(NODES, "node").orElse(List.of())) {
            files.number(NODES + "node" + node + "/hugepages/" + file)
                    .value()
                    .ifPresent(count -> counts.put(node, count));
        }
        if (counts.isEmpty()) {
            files.number("sys/kernel/mm/hugepages/" + file).value().ifPresent(count -> counts.put(0, count));
        }
        return counts;
    }
}

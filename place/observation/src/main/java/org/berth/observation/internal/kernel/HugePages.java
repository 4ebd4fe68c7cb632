package org.berth.observation.internal.kernel;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;
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
    private static final String POOLS = "sys/kernel/mm/hugepages";
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
        return files.names(POOLS).flatMap(names -> {
            SortedMap<Long, Pool> pools = new TreeMap<>();
            for (String name : names) {
                OptionalLong size = pageBytes(name);
                Reading<Pool> pool = size.isPresent() ? pool(files, name) : Reading.absent(name + " is not a pool");
                if (pool.refusal().isPresent()) {
                    return Reading.refused(pool.refusal().get());
                }
                pool.value().ifPresent(one -> pools.put(size.getAsLong(), one));
            }
            return Reading.of(pools);
        });
    }

    private static Reading<Pool> pool(SystemFiles files, String name) {
        // An old kernel does not overcommit.
        Reading<Integer> overcommit =
                files.number(POOLS + "/" + name + "/nr_overcommit_hugepages").ifAbsent(Reading.of(0));
        return byNode(files, name + "/nr_hugepages")
                .flatMap(total -> byNode(files, name + "/free_hugepages")
                        .flatMap(free -> overcommit.map(more -> new Pool(total, free, more))));
    }

    /** "hugepages-2048kB". */
    private static OptionalLong pageBytes(String name) {
        return name.matches(PREFIX + "\\d{1,12}kB")
                ? OptionalLong.of(Long.parseLong(name.substring(PREFIX.length(), name.length() - 2)) * 1024)
                : OptionalLong.empty();
    }

    /** A kernel without NUMA has no folders of nodes, and all memory is node 0. */
    private static Reading<SortedMap<Integer, Integer>> byNode(SystemFiles files, String file) {
        SortedMap<Integer, Integer> counts = new TreeMap<>();
        for (int node : files.numbered(NODES, "node").orElse(List.of())) {
            Reading<Integer> count = files.number(NODES + "node" + node + "/hugepages/" + file);
            if (count.refusal().isPresent()) {
                return Reading.refused(count.refusal().get());
            }
            count.value().ifPresent(pages -> counts.put(node, pages));
        }
        if (!counts.isEmpty()) {
            return Reading.of(counts);
        }
        return files.number(POOLS + "/" + file)
                .<SortedMap<Integer, Integer>>map(count -> new TreeMap<>(Map.of(0, count)))
                .ifAbsent(Reading.of(counts));
    }
}

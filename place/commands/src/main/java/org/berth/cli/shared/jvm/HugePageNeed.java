package org.berth.cli.shared.jvm;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import org.berth.observation.internal.jvm.JvmFlags;
import org.berth.observation.internal.kernel.HugePages;
import org.berth.observation.memory.HeapMemory;
import org.berth.text.Bytes;
import org.berth.topology.NodeSet;

/**
 * The explicit huge pages that a JVM needs for its heap. A JVM reserves them, but not on a node: where its memory is bound to nodes
 * that have too few, newer kernels refuse the reservation, and older ones end the JVM with SIGBUS when it touches a page
 * (<a href="https://docs.kernel.org/mm/hugetlbfs_reserv.html">Hugetlbfs Reservation</a>).
 *
 * @param heapBytes the largest heap
 * @param pageBytes the size of the pages that the JVM was told to use; 0 for the default
 */
public record HugePageNeed(long heapBytes, long pageBytes) {
    /** What helps. */
    public static final String REMEDY =
            "before the JVM starts: echo COUNT > /sys/devices/system/node/nodeN/hugepages/hugepages-SIZEkB/nr_hugepages, or a"
                    + " smaller heap, or -XX:+UseTransparentHugePages";

    /** The size that JVMs take unless told otherwise: 2 MiB on x86-64 and aarch64 with pages of 4 KiB (meminfo, Hugepagesize). */
    private static final long COMMON_BYTES = 2L << 20;

    /** What the flags ask for; empty without UseLargePages, with transparent huge pages, and where the size of the heap is unknown. */
    public static Optional<HugePageNeed> of(JvmFlags flags) {
        boolean explicit = flags.isOn("UseLargePages").orElse(false)
                && !flags.isOn("UseTransparentHugePages").orElse(false);
        if (!explicit || flags.number("MaxHeapSize").isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new HugePageNeed(
                flags.number("MaxHeapSize").getAsLong(),
                flags.number("LargePageSizeInBytes").orElse(0)));
    }

    /**
     * Says what the nodes lack.
     *
     * @param present what a heap that is there already has in huge pages
     * @return empty when the nodes have enough, or the kernel may add pages by itself
     */
    public Optional<String> shortage(HugePages pages, NodeSet nodes, Optional<HeapMemory> present) {
        if (pages.pools().refusal().isPresent()) {
            return Optional.of("the heap may grow to " + Bytes.text(heapBytes)
                    + " in huge pages, and how many there are is not known: "
                    + pages.pools().refusal().get());
        }
        SortedMap<Long, HugePages.Pool> pools = pages.pools().orElse(Collections.emptySortedMap());
        long bytes = pageBytes > 0
                ? pageBytes
                : pools.containsKey(COMMON_BYTES) || pools.isEmpty() ? COMMON_BYTES : pools.firstKey();
        Optional<HugePages.Pool> pool = pages.pool(bytes).value();
        long free = pool.map(found -> found.free(nodes) * bytes).orElse(0L);
        long had = present.map(HeapMemory::hugeBytes).orElse(0L);
        boolean grows = pool.isPresent() && pool.get().overcommit() > 0;
        if (grows || free + had >= heapBytes) {
            return Optional.empty();
        }
        return Optional.of("the heap may grow to " + Bytes.text(heapBytes) + " in pages of " + Bytes.text(bytes)
                + ", of which nodes " + nodes + " have " + Bytes.text(free) + " free"
                + (had > 0 ? " in addition to the " + Bytes.text(had) + " that it has" : "")
                + ": the JVM takes ordinary pages, or ends with SIGBUS when it touches one that is not there");
    }
}

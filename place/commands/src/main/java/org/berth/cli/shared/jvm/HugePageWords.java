package org.berth.cli.shared.jvm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.observation.internal.kernel.HugePages;
import org.berth.observation.memory.HeapMemory;
import org.berth.text.Bytes;

/** What commands report about huge pages. */
public final class HugePageWords {
    private HugePageWords() {}

    /** "2 MiB pages: node 0 100 (40 free), node 1 100 (100 free)". */
    public static String pool(long pageBytes, HugePages.Pool pool) {
        List<String> nodes = new ArrayList<>();
        pool.totalByNode()
                .forEach((node, total) -> nodes.add(
                        "node " + node + " " + total + " (" + pool.freeByNode().getOrDefault(node, 0) + " free)"));
        return Bytes.text(pageBytes) + " pages: " + String.join(", ", nodes);
    }

    /** "the heap has 4 GiB in memory: 2 GiB on node 0 (98 % in huge pages), 2 GiB on node 1 (0 % in huge pages)". */
    public static String heap(HeapMemory heap) {
        List<String> nodes = new ArrayList<>();
        for (Map.Entry<Integer, Long> node : heap.bytesByNode().entrySet()) {
            long huge = heap.hugeBytesByNode().getOrDefault(node.getKey(), 0L);
            nodes.add(Bytes.text(node.getValue()) + " on node " + node.getKey() + " ("
                    + Math.round(100.0 * huge / Math.max(1, node.getValue())) + " % in huge pages)");
        }
        return "the heap has " + Bytes.text(heap.totalBytes()) + " in memory: " + String.join(", ", nodes);
    }
}

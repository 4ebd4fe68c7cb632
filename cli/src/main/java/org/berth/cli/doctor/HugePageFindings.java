package org.berth.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.cli.shared.HugePageNeed;
import org.berth.cli.shared.HugePageWords;
import org.berth.observation.HeapMemory;
import org.berth.observation.HugePages;
import org.berth.observation.JvmFlags;
import org.berth.topology.NodeSet;

/** Huge pages of the machine, and what the heap of a JVM got of them. A pure function of what was read. */
final class HugePageFindings {
    private static final String CHECK = "jvm-huge-pages";

    private HugePageFindings() {}

    static Finding machine(HugePages pages) {
        List<String> parts = new ArrayList<>();
        parts.add("transparent huge pages: " + pages.transparent().orElse("not reported by this kernel"));
        pages.shared().ifPresent(mode -> parts.add("for shared memory (ZGC's heap) " + mode));
        pages.defrag().ifPresent(mode -> parts.add("defrag " + mode));
        for (Map.Entry<Long, HugePages.Pool> pool : pages.pools().entrySet()) {
            if (pool.getValue().total() > 0) {
                parts.add(HugePageWords.pool(pool.getKey(), pool.getValue()));
            }
        }
        return Finding.info("huge-pages", String.join("; ", parts), "");
    }

    /**
     * What a JVM asked for and got.
     *
     * @param heap empty when the JVM did not tell where its heap is
     * @param unknown why it is empty
     * @param near the nodes near the JVM's CPUs
     */
    static Finding jvm(JvmFlags flags, Optional<HeapMemory> heap, String unknown, HugePages pages, NodeSet near) {
        boolean explicit = flags.isOn("UseLargePages").orElse(false)
                && !flags.isOn("UseTransparentHugePages").orElse(false);
        boolean transparent = flags.isOn("UseTransparentHugePages").orElse(false);
        String got = heap.map(HugePageWords::heap).orElse("what the heap got is unknown (" + unknown + ")");
        if (explicit) {
            Optional<String> shortage = HugePageNeed.of(flags).flatMap(need -> need.shortage(pages, near, heap));
            if (shortage.isPresent()) {
                return Finding.warning(CHECK, got + "; " + shortage.get(), HugePageNeed.REMEDY);
            }
        }
        boolean nothing = heap.isPresent() && heap.get().hugeBytes() == 0;
        if (transparent && nothing) {
            boolean shared = flags.isOn("UseZGC").orElse(false);
            Optional<String> mode = shared ? pages.shared() : pages.transparent();
            return Finding.warning(
                    CHECK,
                    "UseTransparentHugePages is on, and " + got + "; the kernel's mode for it is "
                            + mode.orElse("unknown"),
                    "echo " + (shared ? "advise" : "madvise") + " > /sys/kernel/mm/transparent_hugepage/"
                            + (shared ? "shmem_enabled" : "enabled") + ", before the JVM starts");
        }
        if (explicit && nothing) {
            return Finding.warning(
                    CHECK, "UseLargePages is on, and " + got + ": the JVM took ordinary pages", HugePageNeed.REMEDY);
        }
        return heap.isPresent() ? Finding.ok(CHECK, got) : Finding.info(CHECK, got, "");
    }
}

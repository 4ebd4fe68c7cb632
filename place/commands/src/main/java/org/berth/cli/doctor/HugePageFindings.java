package org.berth.cli.doctor;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.cli.shared.jvm.HugePageNeed;
import org.berth.cli.shared.jvm.HugePageWords;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.internal.jvm.JvmFlags;
import org.berth.observation.internal.kernel.HugePages;
import org.berth.observation.memory.HeapMemory;
import org.berth.topology.NodeSet;

/** Huge pages of the machine, and what the heap of a JVM got of them. A pure function of what was read. */
final class HugePageFindings {
    private static final String CHECK = "jvm-huge-pages";

    private HugePageFindings() {}

    static Finding machine(HugePages pages) {
        Optional<Refusal> unread =
                pages.transparent().refusal().or(() -> pages.pools().refusal());
        if (unread.isPresent()) {
            return Finding.unknown("huge-pages", unread.get());
        }
        List<String> parts = new ArrayList<>();
        parts.add("transparent huge pages: "
                + pages.transparent().orElse("not in this kernel (CONFIG_TRANSPARENT_HUGEPAGE)"));
        pages.shared().value().ifPresent(mode -> parts.add("for shared memory (ZGC's heap) " + mode));
        pages.defrag().value().ifPresent(mode -> parts.add("defrag " + mode));
        for (Map.Entry<Long, HugePages.Pool> pool :
                pages.pools().orElse(Collections.emptySortedMap()).entrySet()) {
            if (pool.getValue().total() > 0) {
                parts.add(HugePageWords.pool(pool.getKey(), pool.getValue()));
            }
        }
        return Finding.info("huge-pages", String.join("; ", parts), "");
    }

    /**
     * What a JVM asked for and got.
     *
     * @param known where its heap is
     * @param near the nodes near the JVM's CPUs
     */
    static Finding jvm(JvmFlags flags, Reading<HeapMemory> known, HugePages pages, NodeSet near) {
        Optional<HeapMemory> heap = known.value();
        String unknown = known.refusal().map(Refusal::toString).orElse("the JVM has no heap");
        boolean explicit = flags.isOn("UseLargePages").orElse(false)
                && !flags.isOn("UseTransparentHugePages").orElse(false);
        boolean transparent = flags.isOn("UseTransparentHugePages").orElse(false);
        String got = heap.map(HugePageWords::heap).orElse("what the heap got is not known (" + unknown + ")");
        if (explicit) {
            Optional<String> shortage = HugePageNeed.of(flags).flatMap(need -> need.shortage(pages, near, heap));
            if (shortage.isPresent()) {
                return Finding.warning(CHECK, got + "; " + shortage.get(), HugePageNeed.REMEDY);
            }
        }
        boolean nothing = heap.isPresent() && heap.get().hugeBytes() == 0;
        if (transparent && nothing) {
            boolean shared = flags.isOn("UseZGC").orElse(false);
            Reading<String> mode = shared ? pages.shared() : pages.transparent();
            return Finding.warning(
                    CHECK,
                    "UseTransparentHugePages is on, and " + got + "; the kernel's mode for it is "
                            + mode.fold(
                                    word -> word,
                                    absent -> "missing in this kernel",
                                    refusal -> "not known (" + refusal + ")"),
                    "echo " + (shared ? "advise" : "madvise") + " > /sys/kernel/mm/transparent_hugepage/"
                            + (shared ? "shmem_enabled" : "enabled") + ", before the JVM starts");
        }
        if (explicit && nothing) {
            return Finding.warning(
                    CHECK, "UseLargePages is on, and " + got + ": the JVM took ordinary pages", HugePageNeed.REMEDY);
        }
        return heap.isPresent() ? Finding.ok(CHECK, got) : Finding.unknown(CHECK, unknown);
    }
}

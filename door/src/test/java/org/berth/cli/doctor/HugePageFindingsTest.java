package org.berth.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.berth.cli.run.HugePageCheck;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.internal.jvm.JvmFlags;
import org.berth.observation.internal.kernel.HugePages;
import org.berth.observation.memory.HeapMemory;
import org.berth.placement.MemoryMode;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;

/** On a machine of two nodes with 300 free pages of 2 MiB on the first and 600 on the second. */
class HugePageFindingsTest {
    private static final long PAGE = 2L << 20;
    private static final NodeSet FIRST = NodeSet.of(0);
    private static final NodeSet BOTH = NodeSet.of(0, 1);

    private static final JvmFlags EXPLICIT = JvmFlags.ofVmFlags("-XX:+UseLargePages -XX:MaxHeapSize=1073741824");

    private static HugePages pages(String transparent, String shared, int overcommit) {
        HugePages.Pool pool = new HugePages.Pool(
                new TreeMap<>(Map.of(0, 400, 1, 600)), new TreeMap<>(Map.of(0, 300, 1, 600)), overcommit);
        return new HugePages(
                Reading.of(transparent),
                Reading.of(shared),
                Reading.absent("no defrag"),
                Reading.of(new TreeMap<>(Map.of(PAGE, pool))));
    }

    private static Reading<HeapMemory> heap(long hugeBytes) {
        return Reading.of(new HeapMemory(new TreeMap<>(Map.of(0, 1L << 30)), new TreeMap<>(Map.of(0, hugeBytes))));
    }

    @Test
    void theMachineTellsItsModesAndPools() {
        assertThat(HugePageFindings.machine(pages("madvise", "never", 0)).read())
                .isEqualTo(
                        "transparent huge pages: madvise; for shared memory (ZGC's heap) never; 2 MiB pages: node 0 400"
                                + " (300 free), node 1 600 (600 free)");
    }

    @Test
    void theHeapTellsWhatItGotOnEachNode() {
        Finding finding = HugePageFindings.jvm(
                JvmFlags.ofVmFlags("-XX:+UseTransparentHugePages"),
                heap(1L << 29),
                pages("madvise", "never", 0),
                FIRST);
        assertThat(finding.isWrong()).isFalse();
        assertThat(finding.read()).isEqualTo("the heap has 1 GiB in memory: 1 GiB on node 0 (50 % in huge pages)");
    }

    @Test
    void aHeapThatGotNoneIsAWarningThatNamesTheModeOfItsKindOfMemory() {
        Finding ordinary = HugePageFindings.jvm(
                JvmFlags.ofVmFlags("-XX:+UseTransparentHugePages"), heap(0), pages("never", "advise", 0), FIRST);
        assertThat(ordinary.isWrong()).isTrue();
        assertThat(ordinary.read()).endsWith("the kernel's mode for it is never");
        assertThat(ordinary.fix()).contains("madvise > ").contains("/enabled");
        Finding shared = HugePageFindings.jvm(
                JvmFlags.ofVmFlags("-XX:+UseTransparentHugePages -XX:+UseZGC"),
                heap(0),
                pages("madvise", "never", 0),
                FIRST);
        assertThat(shared.fix()).contains("shmem_enabled");
    }

    @Test
    void aHeapWithoutFlagsIsFineWithoutAny() {
        assertThat(HugePageFindings.jvm(JvmFlags.ofVmFlags(""), heap(0), pages("never", "never", 0), FIRST)
                        .isWrong())
                .isFalse();
        assertThat(HugePageFindings.jvm(
                                JvmFlags.ofVmFlags(""),
                                Reading.refused(new Refusal("-Xrs", "")),
                                pages("never", "never", 0),
                                FIRST)
                        .read())
                .isEqualTo("not known: -Xrs");
    }

    @Test
    void explicitPagesMustBeOnTheNodesOfTheJvm() {
        assertThat(explicit(heap(0), FIRST).read())
                .contains("the heap may grow to 1 GiB in pages of 2 MiB, of which nodes 0 have 600 MiB free: ");
        assertThat(explicit(heap(PAGE * 100), FIRST).isWrong())
                .as("800 of 1024 MiB")
                .isTrue();
        assertThat(explicit(heap(PAGE * 212), FIRST).isWrong())
                .as("1024 of 1024 MiB")
                .isFalse();
        assertThat(explicit(heap(PAGE), BOTH).isWrong()).isFalse();
        assertThat(explicit(heap(0), BOTH).read()).contains("the JVM took ordinary pages");
    }

    private static Finding explicit(Reading<HeapMemory> heap, NodeSet near) {
        return HugePageFindings.jvm(EXPLICIT, heap, pages("madvise", "never", 0), near);
    }

    @Test
    void aCommandIsWarnedWhereItsMemoryIsBoundToTooFew() {
        HugePageCheck check = new HugePageCheck(EXPLICIT, pages("madvise", "never", 0));
        assertThat(check.warning(MemoryMode.BIND, FIRST))
                .get()
                .asString()
                .startsWith("warning: the heap may grow to 1 GiB");
        assertThat(check.warning(MemoryMode.BIND, BOTH)).isEmpty();
        assertThat(check.warning(MemoryMode.PREFER, FIRST))
                .as("others are used")
                .isEmpty();
        assertThat(new HugePageCheck(EXPLICIT, pages("madvise", "never", 1)).warning(MemoryMode.BIND, FIRST))
                .as("the kernel adds pages")
                .isEmpty();
        JvmFlags transparent =
                JvmFlags.ofVmFlags("-XX:+UseLargePages -XX:+UseTransparentHugePages -XX:MaxHeapSize=1073741824");
        assertThat(new HugePageCheck(transparent, pages("madvise", "never", 0)).warning(MemoryMode.BIND, FIRST))
                .isEmpty();
        JvmFlags gibibyte =
                JvmFlags.ofVmFlags("-XX:+UseLargePages -XX:LargePageSizeInBytes=1g -XX:MaxHeapSize=1073741824");
        assertThat(new HugePageCheck(gibibyte, pages("madvise", "never", 0)).warning(MemoryMode.BIND, BOTH))
                .get()
                .asString()
                .contains("in pages of 1 GiB, of which nodes 0-1 have 0 B free");
    }
}

package org.berth.spark.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.berth.observation.Reading;
import org.berth.observation.internal.kernel.HugePages;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a status reports about the heap of this JVM. */
@Timeout(120)
final class StatusHeapTest {
    @Test
    void theHeapIsThatOfThisJvm() throws Exception {
        Machine.requireNuma();
        byte[] touched = new byte[64 << 20];
        Arrays.fill(touched, (byte) 1);
        HeapStatus heap = new StatusHeap(new PageWalk(TimeUnit.SECONDS.toNanos(60), 0)).sample();

        assertThat(heap.reason()).isEmpty();
        assertThat(heap.bytes()).isBetween((long) touched.length, PageWalk.residentBytes());
        assertThat(heap.hugeBytes()).isBetween(0L, heap.bytes());
        assertThat(heap.asked()).isEqualTo("no huge pages");
        assertThat(heap.kernel()).isNotEmpty();
    }

    @Test
    void aLargeHeapIsNotReadAnyMore() throws Exception {
        Machine.requireNuma();
        StatusHeap heap = new StatusHeap(new PageWalk(1, 0));
        assertThat(heap.sample().bytes()).isPositive();
        Await.until("the end of the walks", () -> heap.sample().nodes().isEmpty());
        assertThat(heap.sample().reason()).startsWith("no longer read: for ");
        assertThat(heap.sample().hugeBytes()).isEqualTo(ExecutorStatus.UNKNOWN);
    }

    @Test
    void theHeapOfZgcIsSharedMemory() {
        HugePages present = HugePages.read(Path.of("/"));
        present.transparent()
                .value()
                .ifPresent(mode -> assertThat(StatusHeap.kernel(present, false)).startsWith(mode));
        present.shared()
                .value()
                .ifPresent(mode ->
                        assertThat(StatusHeap.kernel(present, true)).startsWith(mode + ", for shared memory (ZGC)"));
        Reading<String> absent = Reading.absent("there is no such file");
        HugePages none = new HugePages(absent, absent, absent, Reading.absent("there is no such folder"));
        assertThat(StatusHeap.kernel(none, false)).isEqualTo("this kernel has none");
        assertThat(StatusHeap.kernel(none, true)).isEqualTo("this kernel has none for shared memory (ZGC)");
        assertThat(StatusHeap.kernel(HugePages.read(Path.of("/no such machine")), false))
                .startsWith("not known: there is no /sys/kernel/mm/transparent_hugepage/enabled");
    }
}

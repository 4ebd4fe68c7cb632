package org.berth.observation.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.observation.NoSuchProcessException;
import org.berth.observation.ObservationException;
import org.berth.observation.Recording;
import org.berth.oracle.Child;
import org.berth.oracle.Tool;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemorySnapshotTest {
    @Test
    void pagesOfARealJvm() throws IOException {
        assertThat(parse(new String(Recording.linux618("numa_maps"), UTF_8)).bytesByNode())
                .isEqualTo(Map.of(0, (45 + 2 + 117 + 8 + 25 + 117 + 120) * 4096L));
    }

    @Test
    void pagesAreCountedWhateverThePolicyColumnSays() throws IOException {
        String text = """
                7f5c94000000 default anon=5 dirty=5 N0=3 N1=2 kernelpagesize_kB=4
                7f5c95000000 bind:1 file=/tmp/N1\\0757 mapped=2 N12=2 kernelpagesize_kB=4
                7f5c96000000 prefer (many):0-1 anon=1 dirty=1 N0=1 kernelpagesize_kB=4
                7f5c97000000 interleave:0-1 file=/dev/hugepages/x huge anon=3 dirty=3 N0=2 N1=1 kernelpagesize_kB=2048
                7f5c98000000 bind:0
                """;
        long hugePage = 2L << 20;
        assertThat(parse(text).bytesByNode())
                .isEqualTo(Map.of(0, 4 * 4096 + 2 * hugePage, 1, 2 * 4096 + hugePage, 12, 2 * 4096L));
        assertThat(parse(text).totalBytes()).isEqualTo(8 * 4096 + 3 * hugePage);
    }

    /** As the libraries, the heap, a written part of a library and shared memory are listed. */
    @Test
    void pagesOfFilesAreNotItsOwn() throws IOException {
        String text = """
                5634f0000000 default file=/usr/lib/jvm/libjvm.so mapped=100 N1=100 kernelpagesize_kB=4
                5634f1000000 default file=/usr/lib/jvm/libjvm.so anon=5 dirty=5 mapped=20 N0=20 kernelpagesize_kB=4
                7f5c94000000 bind:0 anon=30 dirty=30 N0=30 kernelpagesize_kB=4
                7f5c95000000 default file=/memfd:java_heap\\040(deleted) dirty=7 N0=7 kernelpagesize_kB=4
                7f5c96000000 default file=/anon_hugepage\\040(deleted) huge dirty=1 N0=1 kernelpagesize_kB=2048
                7ffc00000000 default stack anon=3 dirty=3 N0=3 kernelpagesize_kB=4
                """;
        assertThat(parse(text).ownBytesByNode()).isEqualTo(Map.of(0, (5 + 30 + 7 + 512 + 3) * 4096L, 1, 0L));
        assertThat(MemoryLocality.of(parse(text), NodeSet.of(0)).share()).isEqualTo(1);
    }

    @Test
    void pagesOfUnknownSizeAreNotGuessed() {
        assertThatThrownBy(() -> parse("7f5c94000000 default anon=5 N0=3"))
                .isInstanceOf(ObservationException.class)
                .hasMessageContaining("size of pages");
    }

    @Test
    void kernelWithoutNumaMaps(@TempDir Path proc) throws IOException {
        Files.createDirectory(proc.resolve("7"));
        assertThatThrownBy(() -> MemorySnapshot.of(7, proc))
                .isInstanceOf(ObservationException.class)
                .hasMessageContaining("this kernel has no")
                .hasMessageContaining("numa_maps");
    }

    @Test
    void memoryThatMayNotBeSeen(@TempDir Path proc) throws IOException {
        Files.createDirectories(proc.resolve("self/numa_maps"));
        Files.createDirectory(proc.resolve("7"));
        assertThatThrownBy(() -> MemorySnapshot.of(7, proc))
                .isInstanceOf(ObservationException.class)
                .hasMessageStartingWith("cannot see the memory of process 7: ")
                .hasMessageEndingWith("may not be read; run as the user of the process or as root");
    }

    @Test
    void rootIsNotSentToRoot(@TempDir Path proc) throws IOException {
        Files.createDirectories(proc.resolve("self/numa_maps"));
        Files.writeString(proc.resolve("self/status"), "Name:\tjava\nUid:\t1000\t0\t0\t0\n");
        Files.createDirectory(proc.resolve("7"));
        assertThatThrownBy(() -> MemorySnapshot.of(7, proc))
                .hasMessageContaining(" may not be read, not by this root either: ")
                .message()
                .doesNotContain("run as");
    }

    @Test
    void processOfAnotherUserThatProcHides(@TempDir Path proc) throws IOException {
        Files.createDirectory(proc.resolve("self"));
        assertThatThrownBy(() -> MemorySnapshot.of(7, proc))
                .isInstanceOf(NoSuchProcessException.class)
                .hasMessageContaining("or /proc hides it from this user");
    }

    @Test
    void aSnapshotOfADeadProcessIsRefused(@TempDir Path proc) {
        assertThatThrownBy(() -> MemorySnapshot.of(7, proc))
                .isInstanceOf(NoSuchProcessException.class)
                .hasMessageStartingWith("no process 7: ");
    }

    /** The witness is smaps_rollup; a page or two of the kernel's own (vdso) are in it but on no node. */
    @Test
    void allMemoryOfAProcess() {
        try (Child shell = Child.start("sh", "-c", "echo ready; read -r line")) {
            shell.readLine();
            String rollup = "/proc/" + shell.pid() + "/smaps_rollup";
            long rssBytes;
            MemorySnapshot memory;
            // It has pages to touch between the two commands.
            do {
                rssBytes = rss(rollup);
                memory = MemorySnapshot.of(shell.pid());
            } while (rss(rollup) != rssBytes);
            assertThat(memory.totalBytes()).isBetween(rssBytes - 64 * 1024, rssBytes);
        }
    }

    private static long rss(String rollup) {
        return Long.parseLong(Tool.output("awk", "/^Rss:/ {print $2 * 1024}", rollup));
    }

    private static MemorySnapshot parse(String text) throws IOException {
        return MemorySnapshot.parse(new BufferedReader(new StringReader(text)), List::of);
    }
}

package org.berth.observation.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.berth.observation.FakeRoot;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;
import org.berth.oracle.Tool;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HugePagesTest {
    private static final String POOLS = "sys/kernel/mm/hugepages/hugepages-";

    @Test
    void readsWhatKernelsWrite(@TempDir Path folder) throws IOException {
        FakeRoot root = new FakeRoot(folder)
                .file("sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]")
                .file(
                        "sys/kernel/mm/transparent_hugepage/shmem_enabled",
                        "always within_size advise [never] deny force")
                .file("sys/kernel/mm/transparent_hugepage/defrag", "always defer defer+madvise [madvise] never")
                .file(POOLS + "2048kB/nr_overcommit_hugepages", "7")
                .file(POOLS + "1048576kB/nr_overcommit_hugepages", "0");
        for (int node : new int[] {0, 2}) {
            root.file("sys/devices/system/node/node" + node + "/hugepages/hugepages-2048kB/nr_hugepages", "100")
                    .file(
                            "sys/devices/system/node/node" + node + "/hugepages/hugepages-2048kB/free_hugepages",
                            "4" + node);
        }
        HugePages pages = HugePages.read(new SystemFiles(folder));
        assertThat(pages.transparent()).isEqualTo(Reading.of("never"));
        assertThat(pages.shared()).isEqualTo(Reading.of("never"));
        assertThat(pages.defrag()).isEqualTo(Reading.of("madvise"));
        assertThat(pages.pools().value().orElseThrow()).containsOnlyKeys(2L << 20, 1L << 30);
        HugePages.Pool pool = pages.pool(2L << 20).value().orElseThrow();
        assertThat(pool.total()).isEqualTo(200);
        assertThat(pool.free(NodeSet.of(2))).isEqualTo(42);
        assertThat(pool.free(NodeSet.of(0, 1, 2))).isEqualTo(82);
        assertThat(pool.overcommit()).isEqualTo(7);
        assertThat(pages.pool(1L << 30).value().orElseThrow().total()).isZero();
    }

    @Test
    void aKernelWithoutNumaHasOneNode(@TempDir Path folder) throws IOException {
        new FakeRoot(folder).file(POOLS + "2048kB/nr_hugepages", "3").file(POOLS + "2048kB/free_hugepages", "1");
        HugePages pages = HugePages.read(new SystemFiles(folder));
        assertThat(pages.transparent()).isInstanceOf(Reading.Absent.class);
        assertThat(pages.pool(2L << 20).value().orElseThrow().free(NodeSet.of(0)))
                .isEqualTo(1);
    }

    /** The witness is meminfo, which has the default size only. */
    @Test
    void readsThisMachine() {
        long bytes = Long.parseLong(Tool.output("awk", "/^Hugepagesize:/ {print $2 * 1024}", "/proc/meminfo"));
        int total = Integer.parseInt(Tool.output("awk", "/^HugePages_Total:/ {print $2}", "/proc/meminfo"));
        assertThat(HugePages.read(new SystemFiles(Path.of("/")))
                        .pool(bytes)
                        .value()
                        .orElseThrow()
                        .total())
                .isEqualTo(total);
    }
}

package org.berth.observation.internal.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.berth.observation.FakeRoot;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterruptCountsTest {
    private static final String BEFORE = """
                       CPU0       CPU2
             24:          1          0  IO-APIC   5-edge      ACPI:Ged
             36:         10    1130354 PCI-MSIX-0000:00:02.0   1-edge      virtio1-req.0
            NMI:          0          0   Non-maskable interrupts
            LOC:    2280413    2295633   Local timer interrupts
            ERR:          0
            """;
    private static final String AFTER =
            BEFORE.replace("1130354", "1130454").replace("10    ", "15    ").replace("2295633", "9999999");

    @Test
    void countsWhatArrivedOnTheCpusThatWereAskedAbout(@TempDir Path folder) throws IOException {
        new FakeRoot(folder).file("proc/irq/36/effective_affinity_list", "2");
        InterruptCounts before = InterruptCounts.parse(BEFORE);
        InterruptCounts after = InterruptCounts.parse(AFTER);
        assertThat(after.since(before, CpuSet.of(2), folder))
                .containsExactly(new InterruptCounts.Arrival(
                        36, "PCI-MSIX-0000:00:02.0   1-edge      virtio1-req.0", 100, Optional.of(CpuSet.of(2))));
        assertThat(after.since(before, CpuSet.of(0, 2), folder))
                .hasSize(1)
                .first()
                .satisfies(arrival -> assertThat(arrival.count()).isEqualTo(105));
        assertThat(after.since(before, CpuSet.of(1), folder)).isEmpty();
    }

    @Test
    void readsThoseOfThisMachine() {
        InterruptCounts now = InterruptCounts.read(Path.of("/")).value().orElseThrow();
        assertThat(now.countsByCpu()).isNotEmpty();
        assertThat(now.names()).hasSameSizeAs(now.countsByCpu());
    }
}

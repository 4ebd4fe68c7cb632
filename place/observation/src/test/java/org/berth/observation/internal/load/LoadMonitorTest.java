package org.berth.observation.internal.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.berth.observation.FakeRoot;
import org.berth.observation.ObservationException;
import org.berth.oracle.Await;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LoadMonitorTest {
    private static final LoadSettings FAST = new LoadSettings(Duration.ofMillis(10), 1, 0.2, 0.5);

    @Test
    void seesTheCpusOfThisMachine() throws Exception {
        try (LoadMonitor monitor = LoadMonitor.start(FAST)) {
            awaitSnapshot(monitor, 3);
            CpuSet online = CpuSet.parseList(
                    Files.readString(Path.of("/sys/devices/system/cpu/online")).strip());
            assertThat(monitor.snapshot().online()).isEqualTo(online);
            assertThat(monitor.failure()).isEmpty();
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("berth-load"));
    }

    /** Nothing is known where no time passes, and what is not known is not idle. */
    @Test
    void aClockThatStandsStill(@TempDir Path folder) throws Exception {
        new FakeRoot(folder).file("proc/stat", "cpu  0 0 0 0\ncpu0 100 0 0 100\ncpu3 100 0 0 100");
        try (LoadMonitor monitor = LoadMonitor.start(FAST, folder)) {
            awaitSnapshot(monitor, 2);
            assertThat(monitor.snapshot().online()).isEqualTo(CpuSet.of(0, 3));
            assertThat(monitor.snapshot().idle()).isEqualTo(CpuSet.empty());
            assertThat(monitor.snapshot().share(3)).isNaN();
        }
    }

    @Test
    void aMissingProcIsOneLine(@TempDir Path folder) {
        assertThatThrownBy(() -> LoadMonitor.start(FAST, folder))
                .isInstanceOf(ObservationException.class)
                .hasMessageStartingWith("cannot see how busy the CPUs are: " + folder.resolve("proc/stat"))
                .hasMessageEndingWith("mount /proc");
    }

    private static void awaitSnapshot(LoadMonitor monitor, int number) {
        Await.until("a snapshot", monitor::snapshot, snapshot -> snapshot.number() >= number);
    }

    @Test
    void isADaemonThatCanBeClosedTwice() throws IOException {
        LoadMonitor monitor = LoadMonitor.start(FAST);
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().equals("berth-load"))
                .hasSize(1)
                .allMatch(Thread::isDaemon);
        monitor.close();
        monitor.close();
    }
}

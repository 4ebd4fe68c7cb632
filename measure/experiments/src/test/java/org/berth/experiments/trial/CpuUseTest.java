package org.berth.experiments.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.oracle.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class CpuUseTest {
    private static final String BEHIND = " 5 6\ncpu0 1 2 3 4 5 6 7 8 9 10\nintr 1\n";

    @Test
    void othersAreWhatIsNotOurs() {
        CpuUse before = parse("cpu  100 0 50 800 50 0 0 0", "10 5 0 0 20");
        assertThat(before).isEqualTo(new CpuUse(1000, 150, 15));
        // user +60, system +20, idle +100, waiting +10, interrupts +1 and +2, stolen +7; ours +20, +5, children +30, +5
        CpuUse after = parse("cpu  160 0 70 900 60 1 2 7", "30 10 30 5 20");
        assertThat(after.othersShareSince(before)).isEqualTo((90.0 - 60) / 200);
    }

    @Test
    void unknownIsNotZero() {
        CpuUse some = new CpuUse(10, 5, 1);
        assertThat(CpuUse.parse("", "7 (a) R 1").reason()).startsWith("/proc/stat is empty");
        assertThat(CpuUse.parse("cpu  1 2 3", "").reason()).startsWith("/proc/self/stat is empty");
        assertThat(some.othersShareSince(some)).isNaN();
    }

    private static CpuUse parse(String machine, String process) {
        return CpuUse.parse(machine + BEHIND, "7 (a) b) R " + "0 ".repeat(10) + process)
                .value()
                .orElseThrow();
    }

    private static long userTicks(Process process) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[14 - 3]);
    }

    /** A process that we have not waited for is somebody else's; once waited for, it is our own. */
    @Test
    void busyProcesses() throws IOException, InterruptedException {
        CpuUse before = CpuUse.now().value().orElseThrow();
        Process busy = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
        try {
            Await.until("40 ticks", () -> userTicks(busy), ticks -> ticks >= 40);
            CpuUse during = CpuUse.now().value().orElseThrow();
            long others = (during.used() - before.used()) - (during.own() - before.own());
            assertThat(during.othersShareSince(before)).isPositive();
            busy.destroyForcibly().waitFor();
            CpuUse after = CpuUse.now().value().orElseThrow();
            assertThat(others).isGreaterThan(10);
            // What it used has moved to our side: more than half of what seemed to be others', at least.
            assertThat(after.own() - during.own()).isGreaterThan(10);
        } finally {
            busy.destroyForcibly();
        }
    }
}

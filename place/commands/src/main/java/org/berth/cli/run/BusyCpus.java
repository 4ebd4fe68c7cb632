package org.berth.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.cli.shared.CommandException;
import org.berth.observation.internal.load.CpuTimes;
import org.berth.topology.CpuSet;

/** The CPUs that some process of this host uses, also one in another container. */
final class BusyCpus {
    private static final Path STAT = Path.of("/proc/stat");

    /** HOST_LOAD_MILLIS of host_load.h. */
    private static final int MILLIS = 200;

    /** LOAD_IDLE of lease_by_load.h. */
    private static final double IDLE_SHARE = 1.0 / 8;

    private BusyCpus() {}

    static CpuSet now() {
        try {
            CpuTimes before = read();
            Thread.sleep(MILLIS);
            CpuTimes after = read();
            return CpuSet.of(after.cpus().stream()
                    .filter(cpu -> after.busyShareSince(before, cpu) >= IDLE_SHARE)
                    .toArray());
        } catch (IOException e) {
            throw CommandException.failure("cannot read the load of the CPUs in " + STAT + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandException.failure("interrupted while the load of the CPUs was read", e);
        }
    }

    private static CpuTimes read() throws IOException {
        byte[] text = Files.readAllBytes(STAT);
        return CpuTimes.parse(text, text.length);
    }
}

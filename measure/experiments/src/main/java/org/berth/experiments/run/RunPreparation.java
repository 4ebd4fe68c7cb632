package org.berth.experiments.run;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.berth.experiments.Conditions;
import org.berth.experiments.ScheduledRun;

/** What is done before a run, as {@link Conditions} say. */
public final class RunPreparation {
    private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");

    private RunPreparation() {}

    /** Why this process cannot make the kernel forget cached files; empty when it can. */
    public static Optional<String> cannotDropCaches() {
        if (Files.notExists(DROP_CACHES)) {
            return Optional.of("this kernel has no " + DROP_CACHES);
        }
        return Files.isWritable(DROP_CACHES)
                ? Optional.empty()
                : Optional.of(DROP_CACHES + " may not be written; run as root");
    }

    /** @throws InterruptedException when the pause is cut short */
    static void before(ScheduledRun run, Conditions conditions) throws InterruptedException, IOException {
        if (run.number() > 1) {
            Thread.sleep(conditions.coolDown().toMillis());
        }
        if (conditions.dropCaches()) {
            dropCaches();
        }
    }

    /** Writes dirty pages first, because only clean ones can be dropped (proc_sys_vm(5)). */
    private static void dropCaches() throws InterruptedException, IOException {
        int exitCode = new ProcessBuilder("sync").inheritIO().start().waitFor();
        if (exitCode != 0) {
            throw new IOException("sync ended with exit code " + exitCode);
        }
        try (FileOutputStream file = new FileOutputStream(DROP_CACHES.toFile())) {
            file.write("3\n".getBytes(StandardCharsets.US_ASCII));
        }
    }
}

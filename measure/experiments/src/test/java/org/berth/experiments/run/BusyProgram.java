package org.berth.experiments.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A JVM with two threads that compute until they have been sampled; see {@link AwaitedSamples}. */
final class BusyProgram {
    private BusyProgram() {}

    public static void main(String[] arguments) throws InterruptedException, IOException {
        Path file = Path.of(arguments[0], Long.toString(ProcessHandle.current().pid()));
        Path seen = Path.of(file + ".seen");
        Thread other = new Thread(() -> compute(seen), "busy");
        other.start();
        Files.createFile(Path.of(file + ".busy"));
        compute(seen);
        other.join();
    }

    private static void compute(Path seen) {
        double sum = 0;
        while (Files.notExists(seen)) {
            for (int i = 0; i < 100_000; i++) {
                sum += Math.sqrt(sum + 1);
            }
        }
        if (sum < 0) {
            throw new IllegalStateException("never: it keeps the sum alive");
        }
    }
}

package org.berth.cli.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.cli.UntilSeen;

/** A JVM that waits until it has been looked at, and then tells what the kernel counts of its huge pages. */
final class HugeHeapSubject {
    /** The reading after sample 8 sees a JVM that starts as late as that. */
    private static final int LOOKS = 12;

    private HugeHeapSubject() {}

    public static void main(String[] args) throws InterruptedException, IOException {
        UntilSeen.await(LOOKS);
        try (var lines = Files.lines(Path.of("/proc/self/smaps_rollup"))) {
            lines.filter(line -> line.startsWith("AnonHugePages:")).forEach(System.out::println);
        }
    }
}

package org.berth.observation.memory;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The memory policy that this process has inherited, as by {@code numactl}, and that the commands which it starts inherit: that of
 * its leader thread, in the words of numa_maps(5). Thread-safe.
 *
 * @since 0.1.0
 */
public final class ProcessMemoryPolicy {
    private static final List<String> NONE = List.of("default", "local");

    private ProcessMemoryPolicy() {}

    /** "interleave:0-1"; empty for the kernel's default, and on a kernel without memory policies. */
    public static Optional<String> inherited(Path root) {
        // Mappings without a policy of their own show that of the process; the first one is the program's file.
        try (BufferedReader maps =
                Files.newBufferedReader(root.resolve("proc/self/numa_maps"), StandardCharsets.ISO_8859_1)) {
            String[] words = String.valueOf(maps.readLine()).split(" ", -1);
            return words.length < 2 || NONE.contains(words[1]) ? Optional.empty() : Optional.of(words[1]);
        } catch (IOException noPolicies) {
            return Optional.empty();
        }
    }
}

package org.berth.oracle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * How long one CPU has been there and idle, in ticks of the kernel, of which a second has 100.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_stat.5.html">proc_stat(5)</a>
 */
public record CpuTicks(long all, long idle) {
    private static final CpuTicks NONE = new CpuTicks(0, 0);

    /** Those of all CPUs that are online, until now. */
    public static Map<Integer, CpuTicks> now() {
        Map<Integer, CpuTicks> result = new HashMap<>();
        try {
            for (String line : Files.readAllLines(Path.of("/proc/stat"))) {
                if (line.matches("cpu\\d.*")) {
                    String[] words = line.split(" +", -1);
                    long all = Arrays.stream(words)
                            .skip(1)
                            .mapToLong(Long::parseLong)
                            .sum();
                    result.put(Integer.parseInt(words[0].substring(3)), new CpuTicks(all, Long.parseLong(words[4])));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return result;
    }

    /** What a CPU has had since an earlier look. */
    public static CpuTicks since(Map<Integer, CpuTicks> before, int cpu) {
        CpuTicks now = now().getOrDefault(cpu, NONE);
        CpuTicks then = before.getOrDefault(cpu, NONE);
        return new CpuTicks(now.all - then.all, now.idle - then.idle);
    }
}

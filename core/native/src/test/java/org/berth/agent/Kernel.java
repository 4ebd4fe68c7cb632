package org.berth.agent;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The oracle: what the kernel says in /proc. */
final class Kernel {
    static final Path HAS_MEMORY = Path.of("/sys/devices/system/node/has_memory");

    private Kernel() {}

    /** The CPUs that this process may use. */
    static List<Integer> cpus() throws IOException {
        return indexes(field(Path.of("/proc/self/status"), "Cpus_allowed_list"));
    }

    /** The NUMA nodes with memory that this process may use; skips the test where the kernel knows none. */
    static List<Integer> memoryNodes() throws IOException {
        assumeTrue(Files.exists(HAS_MEMORY), "a kernel without NUMA");
        List<Integer> allowed = indexes(field(Path.of("/proc/self/status"), "Mems_allowed_list"));
        return indexes(Files.readString(HAS_MEMORY).strip()).stream()
                .filter(allowed::contains)
                .toList();
    }

    private static List<Integer> indexes(String list) {
        return Stream.of(list.split(",", -1))
                .flatMapToInt(range -> {
                    String[] ends = range.split("-", -1);
                    return IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]));
                })
                .boxed()
                .toList();
    }

    /** The mask of every thread of a process, as list. */
    static Map<Integer, String> masks(long pid) throws IOException {
        Map<Integer, String> masks = new TreeMap<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks.toList()) {
                try {
                    masks.put(Integer.valueOf(String.valueOf(task.getFileName())), mask(task));
                } catch (IOException | NoSuchFieldError gone) {
                    assertThreadIsGone(task, gone);
                }
            }
        }
        return masks;
    }

    /** Threads may end while they are listed. */
    private static void assertThreadIsGone(Path task, Throwable cause) {
        if (Files.exists(task)) {
            throw new IllegalStateException("unreadable: " + task, cause);
        }
    }

    static String maskOfThread(long pid, int tid) throws IOException {
        return mask(Path.of("/proc/" + pid + "/task/" + tid));
    }

    private static String mask(Path task) throws IOException {
        return field(task.resolve("status"), "Cpus_allowed_list");
    }

    static String field(Path status, String name) throws IOException {
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElseThrow(() -> new NoSuchFieldError(name));
    }

    /** Where the open files of a process lead to, without the numbers that differ each time. */
    static List<String> openFiles(long pid) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return files.map(Kernel::target)
                    .map(target -> target.replaceAll("\\d+", "N"))
                    .sorted()
                    .toList();
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException gone) {
            return "gone";
        }
    }
}

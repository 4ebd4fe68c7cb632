package org.berth.observation;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * On which NUMA nodes the memory of a process lies, from {@code /proc/<pid>/numa_maps}. Pages in memory are counted,
 * never the column of the policy: that one shows what was asked for, and for memory placed before the JVM was born not
 * even that.
 *
 * <p>The kernel walks all page tables of the process for this: a few milliseconds per GB of small pages, while which
 * {@code mmap} of that process waits. Good for now and then, too much for ten times a second.
 *
 * @param bytesByNode bytes in memory by osIndex of the node; nodes without any are left out
 * @see <a href="https://docs.kernel.org/filesystems/proc.html">The /proc Filesystem, numa_maps</a>
 * @since 0.1.0
 */
public record MemorySnapshot(SortedMap<Integer, Long> bytesByNode) {
    public MemorySnapshot {
        bytesByNode = Collections.unmodifiableSortedMap(new TreeMap<>(bytesByNode));
    }

    /**
     * The memory of a process of this machine now.
     *
     * @throws NoSuchProcessException when there is none
     * @throws ObservationException when the kernel has no numa_maps, or it may not be read
     */
    public static MemorySnapshot of(long pid) {
        return of(pid, Path.of("/proc"));
    }

    /**
     * Does the same as {@link #of(long)} with another directory instead of /proc.
     *
     * @throws NoSuchProcessException when there is none
     * @throws ObservationException when the kernel has no numa_maps, or it may not be read
     */
    public static MemorySnapshot of(long pid, Path procRoot) {
        Path process = procRoot.resolve(Long.toString(pid));
        Path file = process.resolve("numa_maps");
        if (NoSuchProcessException.isAbsent(process)) {
            throw NoSuchProcessException.absent(pid, process);
        }
        // Names of files in it may be in any encoding and do not matter here.
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new FileInputStream(file.toFile()), StandardCharsets.ISO_8859_1))) {
            return parse(lines);
        } catch (IOException e) {
            throw explain(pid, process, file, e);
        }
    }

    private static ObservationException explain(long pid, Path process, Path file, IOException cause) {
        if (NoSuchProcessException.isAbsent(process)) {
            return new NoSuchProcessException(pid, "it ended while its memory was read");
        }
        boolean kernelHasIt =
                process.resolveSibling("self").resolve("numa_maps").toFile().exists();
        String reason =
                kernelHasIt ? Refusal.of(file, process) : "this kernel has no " + file + " (built without NUMA)";
        return new ObservationException("cannot see the memory of process " + pid + ": " + reason, cause);
    }

    /** Bytes on all nodes together. */
    public long totalBytes() {
        return bytesByNode.values().stream().mapToLong(Long::longValue).sum();
    }

    static MemorySnapshot parse(BufferedReader lines) throws IOException {
        SortedMap<Integer, Long> bytesByNode = new TreeMap<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            NumaMapsLine.parse(line).bytesByNode().forEach((node, bytes) -> bytesByNode.merge(node, bytes, Long::sum));
        }
        return new MemorySnapshot(bytesByNode);
    }
}

package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.berth.binding.internal.NativeBridge;
import org.berth.oracle.Tool;

/**
 * The calls of sched_setaffinity(2) and sched_getaffinity(2) that the main thread of a child JVM makes between marks, as
 * strace sees them. Not gettid(2): HotSpot calls it whenever a safepoint stops a thread.
 */
final class TracedCalls {
    private static final String MARK = "get_mempolicy";

    private TracedCalls() {}

    /** Called by the traced thread; a system call that nothing else makes. */
    static void mark() {
        NativeBridge.getMemoryPolicy(new long[16]);
    }

    /**
     * One list before the first mark, and one after each. The child prints its main thread's id as its last word.
     *
     * <p>Aborts the test with the reason where strace cannot trace.
     */
    static List<List<String>> of(Path directory, Class<?> child, String... arguments)
            throws IOException, InterruptedException {
        Tool.requireSuccess("strace", "-o", "/dev/null", "true");
        Path trace = directory.resolve("trace");
        String out = JavaProcess.of(child, arguments)
                .under(
                        "strace",
                        "-f",
                        "-o",
                        trace.toString(),
                        "-e",
                        "trace=sched_setaffinity,sched_getaffinity," + MARK)
                .run();
        String tid = out.substring(out.lastIndexOf(' ') + 1);
        assertThat(tid).containsOnlyDigits();
        List<List<String>> calls = new ArrayList<>(List.of(new ArrayList<>()));
        // Lines "<tid> <call>(<arguments>) = <result>".
        for (String line : Files.readAllLines(trace)) {
            int end = line.indexOf('(');
            if (!line.startsWith(tid + " ") || end < 0) {
                continue;
            }
            String call = line.substring(tid.length(), end).strip();
            if (call.equals(MARK)) {
                calls.add(new ArrayList<>());
            } else {
                calls.get(calls.size() - 1).add(call);
            }
        }
        return calls;
    }
}

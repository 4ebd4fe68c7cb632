package org.berth.observation;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the JIT compiler threads of a JVM by the names that HotSpot gives them, of which the kernel keeps 15 bytes. A thread's
 * name is read once, so a further look costs little more than the list of threads.
 *
 * <p><b>Thread safety</b>: none; one thread at a time.
 *
 * @since 0.1.0
 */
public final class CompilerThreads {
    private static final Set<String> NAMES = Set.of("C1 CompilerThre", "C2 CompilerThre", "JVMCI CompilerT");

    private final File tasks;
    private final ReadBuffer buffer = new ReadBuffer();
    private final Set<String> others = new HashSet<>();
    private final Set<String> compilers = new HashSet<>();

    /** For the threads of this process. */
    public CompilerThreads() {
        this(new File("/proc/self/task"));
    }

    /** For a directory such as {@code /proc/<pid>/task}. */
    public CompilerThreads(File tasks) {
        this.tasks = tasks;
    }

    /** The thread ids at this moment; the JVM starts and ends compiler threads as it needs them. */
    public List<Integer> find() {
        String[] listed = tasks.list();
        Set<String> living = Set.of(listed == null ? new String[0] : listed);
        others.retainAll(living);
        compilers.retainAll(living);
        for (String tid : living) {
            if (!others.contains(tid) && !compilers.contains(tid)) {
                (NAMES.contains(name(tid)) ? compilers : others).add(tid);
            }
        }
        return compilers.stream().map(Integer::valueOf).toList();
    }

    private String name(String tid) {
        try (ProcFile comm = new ProcFile(tasks + "/" + tid + "/comm", false)) {
            return new String(buffer.bytes(), 0, comm.read(buffer), StandardCharsets.UTF_8).strip();
        } catch (IOException ended) {
            return "";
        }
    }
}

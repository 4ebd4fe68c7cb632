package org.berth.observation.internal.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.observation.internal.ProcFile;
import org.berth.observation.internal.ProcText;
import org.berth.observation.internal.ReadBuffer;
import org.berth.observation.internal.process.ControlGroupLimits;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads how long threads of this process wait for a CPU, and how long CPUs are idle meanwhile. A sample of 4 threads and 2
 * compilers on 2 CPUs costs about 0.1 ms. Not thread-safe.
 *
 * @see <a href="https://docs.kernel.org/scheduler/sched-stats.html">schedstat</a>
 * @since 0.1.0
 */
public final class WaitSampler implements AutoCloseable {
    /** The JVM starts and ends compilers as it needs them; listing all threads costs more than the rest. */
    private static final int COMPILERS_MAX_AGE_SAMPLES = 5;

    /** The kernel keeps 15 bytes of "C1 CompilerThread0". */
    private static final Set<String> COMPILERS = Set.of("C1 CompilerThre", "C2 CompilerThre", "JVMCI CompilerT");

    /** The field "nice" of proc_pid_stat(5), counted from the one after the name. */
    private static final int NICE = 16;

    private static final long NANOS_PER_TICK = 10_000_000;

    private final Path process;
    private final ReadBuffer buffer = new ReadBuffer();
    private final ProcFile stat;
    private final List<ProcFile> groups;
    private final boolean nice;
    private final Map<Integer, Watched> threads = new HashMap<>();
    private final Map<Integer, Watched> compilers = new HashMap<>();
    private int age = COMPILERS_MAX_AGE_SAMPLES;
    private long nanosBefore;
    private long throttledBefore;
    private @Nullable CpuTimes cpusBefore;

    /** A thread with what the kernel had counted at the last sample. */
    private static final class Watched {
        private final ProcFile file;
        private long ran = -1;
        private long waited;

        Watched(Path process, int tid) {
            file = new ProcFile(process.resolve("task/" + tid + "/schedstat").toString(), true);
        }

        Times since(long ranNow, long waitedNow) {
            Times since = ran < 0 ? new Times(0, 0) : new Times(ranNow - ran, waitedNow - waited);
            ran = ranNow;
            waited = waitedNow;
            return since;
        }
    }

    private record Times(long ran, long waited) {
        Times plus(Times other) {
            return new Times(ran + other.ran, waited + other.waited);
        }
    }

    private WaitSampler(Path root) {
        process = root.resolve("proc/self");
        stat = new ProcFile(root.resolve("proc/stat").toString(), true);
        groups = ControlGroupLimits.throttleFiles("self", root).stream()
                .map(file -> new ProcFile(file, true))
                .toList();
        nice = isNice();
    }

    /** Watches this process. */
    public static WaitSampler ofThisProcess() {
        return new WaitSampler(Path.of("/"));
    }

    /** Work of others at a low priority gives way to this process, unless that has a low priority itself. */
    private boolean isNice() {
        try {
            String own = Files.readString(process.resolve("stat"));
            String[] fields = own.substring(own.lastIndexOf(')') + 2).split(" ", -1);
            return Integer.parseInt(fields[NICE]) > 0;
        } catch (IOException e) {
            return true;
        }
    }

    /**
     * What has happened since the last sample. The first one, and the first of a thread, counts nothing.
     *
     * @param tids threads of this process; those that have ended are left out
     * @param cpus the CPUs that the threads may use together
     * @throws IOException when /proc/stat cannot be read
     */
    public Waits sample(Set<Integer> tids, CpuSet cpus) throws IOException {
        if (age++ >= COMPILERS_MAX_AGE_SAMPLES) {
            age = 0;
            findCompilers();
        }
        watch(threads, tids);
        Times own = times(threads);
        Times compiling = times(compilers);
        CpuTimes now = CpuTimes.parse(buffer.bytes(), stat.read(buffer));
        CpuTimes before = cpusBefore;
        cpusBefore = now;
        long throttled = throttled();
        long nanos = System.nanoTime();
        Waits waits = new Waits(
                before == null ? 0 : nanos - nanosBefore,
                own.ran,
                own.waited,
                before == null ? 0 : now.freeTicksSince(before, cpus, !nice) * NANOS_PER_TICK,
                before == null ? 0 : throttled - throttledBefore,
                compiling.waited);
        nanosBefore = nanos;
        throttledBefore = throttled;
        return waits;
    }

    private void findCompilers() {
        String[] tids = process.resolve("task").toFile().list();
        Set<Integer> found = new HashSet<>();
        for (String text : tids == null ? new String[0] : tids) {
            Integer tid = Integer.valueOf(text);
            if (compilers.containsKey(tid) || isCompiler(text)) {
                found.add(tid);
            }
        }
        watch(compilers, found);
    }

    private boolean isCompiler(String tid) {
        try {
            return COMPILERS.contains(
                    Files.readString(process.resolve("task/" + tid + "/comm")).strip());
        } catch (IOException ended) {
            return false;
        }
    }

    private void watch(Map<Integer, Watched> watched, Set<Integer> tids) {
        watched.entrySet().removeIf(entry -> {
            boolean other = !tids.contains(entry.getKey());
            if (other) {
                entry.getValue().file.close();
            }
            return other;
        });
        for (Integer tid : tids) {
            watched.computeIfAbsent(tid, number -> new Watched(process, number));
        }
    }

    private Times times(Map<Integer, Watched> watched) {
        Times sum = new Times(0, 0);
        for (Watched thread : watched.values()) {
            try {
                int length = thread.file.read(buffer);
                sum = sum.plus(thread.since(
                        ProcText.schedstatNanos(buffer.bytes(), length).orElse(0),
                        ProcText.waitedNanos(buffer.bytes(), length)));
            } catch (IOException ended) {
                // Threads come and go.
            }
        }
        return sum;
    }

    private long throttled() {
        long nanos = 0;
        for (ProcFile group : groups) {
            try {
                nanos += ProcText.throttledNanos(buffer.bytes(), group.read(buffer));
            } catch (IOException gone) {
                // The process was moved to another group, and the former one is gone.
            }
        }
        return nanos;
    }

    @Override
    public void close() {
        stat.close();
        groups.forEach(ProcFile::close);
        watch(threads, Set.of());
        watch(compilers, Set.of());
    }
}

package org.berth.spark.threads;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;

/** The threads of this JVM. No method needs a safepoint: none reads a stack. Not thread-safe. */
final class JvmThreads {
    private static final Path TASKS = Path.of("/proc/self/task");

    /** A thread gives itself its name after it has appeared, so a name is final when it was read twice. */
    private static final int READS = 2;

    /** An id may belong to another thread by then. */
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Map<Integer, Name> seen = new HashMap<>();
    private long seenSince = System.nanoTime();
    private final ThreadMXBean counters = ManagementFactory.getThreadMXBean();
    private final ThreadGroup root = root();
    private long startedBefore = -1;
    private int linksBefore = -1;

    /** Whether threads have been started or have ended since the last time: a counter of the JVM and one stat(2). */
    boolean changed() {
        long started = counters.getTotalStartedThreadCount();
        int links = links();
        boolean changed = started != startedBefore || links != linksBefore;
        startedBefore = started;
        linksBefore = links;
        return changed;
    }

    /** The link count of the folder: most kernels count one for each folder in it, here for each thread; -1 if not. */
    private static int links() {
        try {
            return (Integer) Files.getAttribute(TASKS, "unix:nlink");
        } catch (IOException | UnsupportedOperationException e) {
            return -1;
        }
    }

    /** All live platform threads that Java knows. */
    List<Thread> java() {
        Thread[] threads = new Thread[root.activeCount() + 16];
        int count = root.enumerate(threads, true);
        while (count == threads.length) {
            threads = new Thread[threads.length * 2];
            count = root.enumerate(threads, true);
        }
        return Arrays.stream(threads).filter(Objects::nonNull).toList();
    }

    /**
     * The kernel's names of all threads, by thread id. Each name is a file: 480 threads that were all read at each scan took
     * 1 % of a CPU (TPC-H).
     */
    Map<Integer, String> names() throws IOException {
        if (System.nanoTime() - seenSince > KEPT_NANOS) {
            seen.clear();
            seenSince = System.nanoTime();
        }
        Map<Integer, String> names = new TreeMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                int tid = Integer.parseInt(task.getFileName().toString());
                Name before = seen.getOrDefault(tid, Name.UNREAD);
                Name name = before.reads() < READS
                        // One that is absent has ended.
                        ? new Name(name(tid).ifAbsent(Reading.of("")).orElseThrow(IOException::new), before.reads() + 1)
                        : before;
                seen.put(tid, name);
                if (!name.text().isEmpty()) {
                    names.put(tid, name.text());
                }
            }
        }
        seen.keySet().retainAll(names.keySet());
        return names;
    }

    private record Name(String text, int reads) {
        static final Name UNREAD = new Name("", 0);
    }

    /** The kernel's name of a thread of this process; absent when it has ended. */
    static Reading<String> name(int tid) {
        return SystemFiles.LIVE.read("proc/self/task/" + tid + "/comm");
    }

    private static ThreadGroup root() {
        ThreadGroup group = Objects.requireNonNull(Thread.currentThread().getThreadGroup());
        for (ThreadGroup parent = group.getParent(); parent != null; parent = group.getParent()) {
            group = parent;
        }
        return group;
    }
}

package org.berth.hdfs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.function.Function;
import org.berth.binding.Binder;
import org.berth.binding.BoundScope;
import org.berth.topology.CpuSet;

/**
 * Keeps the service threads that belong to one volume near its disk: workers that delete and sync, those that write
 * lazily
 * persisted blocks from memory to it, the scanner, the helpers that fill its maps. Hadoop makes them when it needs them
 * and has no hook for it, so they are looked for by name, every
 * second or so; they live for a minute or longer. Bound threads start them, and they inherit the mask: those
 * that serve all volumes (readahead), or a volume whose disk is near no CPUs in particular, get the DataNode's CPUs
 * back.
 *
 * <p>Belongs to one thread.
 */
final class VolumeThreads {
    private static final String READAHEAD = "Readahead Thread";

    private final Binder binder;
    private final CpuSet all;
    private final Function<String, Optional<VolumePlacement>> placements;
    private final Map<Thread, BoundScope> seen = new WeakHashMap<>();

    VolumeThreads(Binder binder, CpuSet all, Function<String, Optional<VolumePlacement>> placements) {
        this.binder = binder;
        this.all = all;
        this.placements = placements;
    }

    /**
     * Binds those that are new.
     *
     * @return how many
     */
    int scan(HdfsFailures failures) {
        int bound = 0;
        for (Thread thread : allThreads()) {
            if (seen.containsKey(thread)) {
                continue;
            }
            Optional<CpuSet> cpus = cpusFor(thread.getName());
            if (cpus.isPresent()) {
                try {
                    seen.put(thread, binder.bindThread(thread, cpus.get()));
                    bound++;
                } catch (RuntimeException e) {
                    // It may have ended between the two.
                    if (thread.isAlive()) {
                        failures.add("cannot bind a service thread of a volume", e);
                    }
                }
            }
        }
        return bound;
    }

    /** Is empty for a thread that serves no volume. */
    private Optional<CpuSet> cpusFor(String name) {
        return name.startsWith(READAHEAD)
                ? Optional.of(all)
                : volumeOf(name)
                        .flatMap(placements)
                        .map(volume -> volume.serviceCpus().isEmpty() ? all : volume.serviceCpus());
    }

    /** The volume in the name of a thread that serves one: its path, or Hadoop's id of it. */
    static Optional<String> volumeOf(String threadName) {
        String worker = " for volume ";
        String byId = worker + "with id ";
        String scanner = "VolumeScannerThread(";
        String helper = "FsVolumeImplWorker-";
        if (threadName.startsWith("Async ") && threadName.contains(byId)) {
            return Optional.of(threadName.substring(threadName.indexOf(byId) + byId.length()));
        }
        if (threadName.startsWith("Async ") && threadName.contains(worker)) {
            return Optional.of(threadName.substring(threadName.indexOf(worker) + worker.length()));
        }
        if (threadName.startsWith(scanner) && threadName.endsWith(")")) {
            return Optional.of(threadName.substring(scanner.length(), threadName.length() - 1));
        }
        if (threadName.startsWith(helper) && threadName.lastIndexOf('-') > helper.length()) {
            return Optional.of(threadName.substring(helper.length(), threadName.lastIndexOf('-')));
        }
        return Optional.empty();
    }

    private static List<Thread> allThreads() {
        ThreadGroup top = Thread.currentThread().getThreadGroup();
        while (top.getParent() != null) {
            top = top.getParent();
        }
        Thread[] threads = new Thread[top.activeCount() + 64];
        int count = top.enumerate(threads);
        return new ArrayList<>(Arrays.asList(threads).subList(0, count));
    }

    /** Restores the former CPUs of those that live. */
    void freeAll() {
        seen.values().forEach(BoundScope::close);
        seen.clear();
    }
}

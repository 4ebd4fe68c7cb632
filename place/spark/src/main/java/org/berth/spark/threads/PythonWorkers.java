package org.berth.spark.threads;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.berth.binding.Binder;
import org.berth.binding.errors.BindingException;
import org.berth.observation.Reading;
import org.berth.observation.internal.process.ChildProcesses;
import org.berth.observation.internal.process.ProcessArguments;
import org.berth.topology.CpuSet;

/**
 * Binds the Python processes of an executor. Thread-safe.
 *
 * <p>The first Python task of an executor starts the daemon (pyspark.daemon), which inherits the slot of that task, as
 * do
 * all workers that it forks later: every Python process of the executor would queue on one CPU. So the daemon and its
 * workers are bound to the executor's domain, and then each worker to the CPUs of the task that it works for. Spark
 * reuses workers for other tasks; {@link PythonSockets} finds the task of a worker.
 */
final class PythonWorkers implements AutoCloseable {
    /** Scans between two searches for another daemon, when one is there. */
    private static final int SCANS_PER_SEARCH = 50;

    private static final String DAEMON = "daemon";

    private final Binder binder;
    private final CpuSet initial;
    private final CpuSet domain;
    private final ServiceSettings settings;
    private final PythonSockets sockets = new PythonSockets();
    private final Set<Integer> daemons = new TreeSet<>();
    private final Map<Integer, CpuSet> workers = new TreeMap<>();
    private int scans;
    private Optional<String> refused = Optional.empty();

    PythonWorkers(Binder binder, CpuSet initial, CpuSet domain, ServiceSettings settings) {
        this.binder = binder;
        this.initial = initial;
        this.domain = domain;
        this.settings = settings;
    }

    /** Whether there are workers, so that a scan may soon find one of them with another task. */
    synchronized boolean hasWorkers() {
        return !workers.isEmpty() && settings.python() == ServiceSettings.Python.TASK;
    }

    /** Binds new processes, and workers that have another task than before. */
    synchronized void scan(List<Thread> tasks, Consumer<String> note) throws IOException {
        if (settings.python() == ServiceSettings.Python.OFF) {
            return;
        }
        refused = Optional.empty();
        findDaemons(note);
        findWorkers(note);
        refused.ifPresent(why -> note.accept("Python processes are not all known: " + why));
        if (settings.python() == ServiceSettings.Python.TASK && !workers.isEmpty()) {
            for (Thread task : tasks) {
                follow(task, note);
            }
        }
    }

    private void findDaemons(Consumer<String> note) throws IOException {
        daemons.removeIf(pid -> !isPython(pid));
        if (!daemons.isEmpty() && scans++ % SCANS_PER_SEARCH != 0) {
            return;
        }
        for (int pid : children(ProcessHandle.current().pid(), note)) {
            if (isPython(pid) && daemons.add(pid)) {
                bind(pid, domain, note);
            }
        }
    }

    /** Finds workers that are children of the executor and have none (spark.python.use.daemon=false). */
    private void findWorkers(Consumer<String> note) throws IOException {
        Set<Integer> present = new TreeSet<>();
        for (int daemon : daemons) {
            boolean isDaemon =
                    commandLine(daemon).contains(settings.pythonModules().get(0));
            present.addAll(isDaemon ? children(daemon, note) : List.of(daemon));
        }
        if (!workers.keySet().equals(present)) {
            workers.keySet().retainAll(present);
            sockets.forget();
        }
        for (int pid : present) {
            if (!workers.containsKey(pid)) {
                workers.put(pid, domain);
                bind(pid, domain, note);
            }
        }
    }

    /** None of a process that has ended. */
    private static List<Integer> children(long pid, Consumer<String> note) {
        Reading<List<Integer>> children = ChildProcesses.of(pid);
        children.refusal().ifPresent(refusal -> note.accept("Python processes are not all seen: " + refusal));
        return children.orElse(List.of());
    }

    /** Is empty when it has ended. */
    private List<String> commandLine(int pid) {
        Reading<List<String>> words = ProcessArguments.read(pid);
        words.refusal().ifPresent(why -> refused = Optional.of(why.toString()));
        return words.orElse(List.of());
    }

    private boolean isPython(int pid) {
        List<String> words = commandLine(pid);
        return settings.pythonModules().stream().anyMatch(words::contains);
    }

    private void follow(Thread task, Consumer<String> note) throws IOException {
        int tid;
        CpuSet cpus;
        Optional<Integer> worker;
        try {
            tid = binder.threadId(task);
            worker = sockets.workerOf(tid, workers.keySet(), note);
            cpus = binder.threadCpus(tid);
        } catch (BindingException ended) {
            return;
        }
        if (worker.isPresent()
                && !workers.getOrDefault(worker.get(), CpuSet.empty()).equals(cpus)) {
            // A task without a slot has the initial mask, which may be more than the domain.
            bind(worker.get(), cpus.equals(initial) ? domain : cpus, note);
            workers.put(worker.get(), cpus);
        }
    }

    private void bind(int pid, CpuSet cpus, Consumer<String> note) {
        try {
            if (!binder.threadCpus(pid).equals(cpus)) {
                // The scope is not kept: close() restores the initial mask of the executor.
                binder.bindProcess(pid, cpus);
            }
        } catch (BindingException e) {
            if (isPython(pid)) {
                note.accept("a Python process: " + e.getMessage());
            }
        }
    }

    synchronized List<SparkServiceThreads.BoundThread> bound() {
        Map<Integer, CpuSet> all = new LinkedHashMap<>();
        daemons.forEach(pid -> all.put(pid, domain));
        all.putAll(workers);
        List<SparkServiceThreads.BoundThread> bound = new ArrayList<>();
        all.forEach((pid, cpus) -> bound.add(new SparkServiceThreads.BoundThread(
                "python", (workers.containsKey(pid) ? "worker " : DAEMON + " ") + pid, cpus)));
        return bound;
    }

    /** Restores the initial mask of processes, since in local mode they outlive the plugin. */
    @Override
    public synchronized void close() {
        Set<Integer> all = new TreeSet<>(daemons);
        all.addAll(workers.keySet());
        for (int pid : all) {
            bind(pid, initial, reason -> {});
        }
        daemons.clear();
        workers.clear();
    }
}

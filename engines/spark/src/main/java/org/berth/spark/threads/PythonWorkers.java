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
import org.berth.binding.BindingException;
import org.berth.topology.CpuSet;

/**
 * Binds the Python processes of an executor. Thread-safe.
 *
 * <p>The first Python task of an executor starts the daemon (pyspark.daemon), which thereby has the place of that task,
 * and all workers that it ever forks have it too: every Python process of the executor would queue on one CPU. So the
 * daemon is put on the executor's domain, its workers with it, and then each worker to the CPUs of the task that it works
 * for. Workers are used again by other tasks; which task a worker works for is seen from outside, see
 * {@link PythonSockets}.
 */
final class PythonWorkers implements AutoCloseable {
    /** Between looks for another daemon, when one is there. */
    private static final int LOOKS = 50;

    private static final String DAEMON = "daemon";

    private final Binder binder;
    private final CpuSet home;
    private final CpuSet domain;
    private final ServiceSettings settings;
    private final PythonSockets sockets = new PythonSockets();
    private final Set<Integer> daemons = new TreeSet<>();
    private final Map<Integer, CpuSet> workers = new TreeMap<>();
    private int looks;

    PythonWorkers(Binder binder, CpuSet home, CpuSet domain, ServiceSettings settings) {
        this.binder = binder;
        this.home = home;
        this.domain = domain;
        this.settings = settings;
    }

    /** Whether workers live, so that a look again soon may find one of them with another task. */
    synchronized boolean isNeeded() {
        return !workers.isEmpty() && settings.python() == ServiceSettings.Python.TASK;
    }

    /** Binds what has appeared, and what works for another task than before. */
    synchronized void look(List<Thread> tasks, Consumer<String> note) throws IOException {
        if (settings.python() == ServiceSettings.Python.OFF) {
            return;
        }
        findDaemons(note);
        findWorkers(note);
        if (settings.python() == ServiceSettings.Python.TASK && !workers.isEmpty()) {
            for (Thread task : tasks) {
                follow(task, note);
            }
        }
    }

    private void findDaemons(Consumer<String> note) throws IOException {
        daemons.removeIf(pid -> !isOurs(pid));
        if (!daemons.isEmpty() && looks++ % LOOKS != 0) {
            return;
        }
        for (int pid : ProcessTree.childrenOfThisProcess()) {
            if (isOurs(pid) && daemons.add(pid)) {
                bind(pid, domain, note);
            }
        }
    }

    /** With spark.python.use.daemon=false a worker is a child of the executor itself, and has no children. */
    private void findWorkers(Consumer<String> note) throws IOException {
        Set<Integer> present = new TreeSet<>();
        for (int daemon : daemons) {
            boolean isDaemon = ProcessTree.commandLine(daemon)
                    .contains(settings.pythonModules().get(0));
            present.addAll(isDaemon ? ProcessTree.children(daemon) : List.of(daemon));
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

    private boolean isOurs(int pid) {
        List<String> words = ProcessTree.commandLine(pid);
        return settings.pythonModules().stream().anyMatch(words::contains);
    }

    private void follow(Thread task, Consumer<String> note) throws IOException {
        int tid;
        CpuSet cpus;
        Optional<Integer> worker;
        try {
            tid = binder.threadId(task);
            worker = sockets.workerOf(tid, workers.keySet());
            cpus = binder.threadCpus(tid);
        } catch (BindingException ended) {
            return;
        }
        if (worker.isPresent()
                && !workers.getOrDefault(worker.get(), CpuSet.empty()).equals(cpus)) {
            // A task without a place of its own: home may be more than the domain.
            bind(worker.get(), cpus.equals(home) ? domain : cpus, note);
            workers.put(worker.get(), cpus);
        }
    }

    private void bind(int pid, CpuSet cpus, Consumer<String> note) {
        try {
            if (!binder.threadCpus(pid).equals(cpus)) {
                // The scope is not kept: what is given back in the end is the home of the executor.
                binder.bindProcess(pid, cpus);
            }
        } catch (BindingException e) {
            if (isOurs(pid)) {
                note.accept("a Python process: " + e.getMessage());
            }
        }
    }

    synchronized List<ServiceThreads.Bound> bound() {
        Map<Integer, CpuSet> all = new LinkedHashMap<>();
        daemons.forEach(pid -> all.put(pid, domain));
        all.putAll(workers);
        List<ServiceThreads.Bound> bound = new ArrayList<>();
        all.forEach((pid, cpus) -> bound.add(
                new ServiceThreads.Bound("python", (workers.containsKey(pid) ? "worker " : DAEMON + " ") + pid, cpus)));
        return bound;
    }

    /** Processes that outlive the plugin, as in local mode, may go anywhere again. */
    @Override
    public synchronized void close() {
        Set<Integer> all = new TreeSet<>(daemons);
        all.addAll(workers.keySet());
        for (int pid : all) {
            bind(pid, home, reason -> {});
        }
        daemons.clear();
        workers.clear();
    }
}

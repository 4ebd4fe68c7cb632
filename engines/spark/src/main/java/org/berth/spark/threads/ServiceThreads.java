package org.berth.spark.threads;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.berth.binding.Binder;
import org.berth.binding.Reason;
import org.berth.spark.settings.AffinitySettings;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the threads of an executor that run no task, and its Python processes, in their places. Thread-safe.
 *
 * <p>They appear when they are first needed, and are born with the mask of whoever starts them, which may be a task's. So
 * a thread of our own looks for new ones: every second, and ten times in the second after each of the first tasks and
 * while there are Python workers. A look that finds nothing new is two numbers compared.
 *
 * <p>A thread is touched once, and only when its mask is one that it can have inherited: the process', a task slot's or
 * one of those given here. Any other mask was given by somebody on purpose (the job, taskset, the agent's rules) and stays.
 */
public final class ServiceThreads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AffinitySettings.PLUGIN);
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long BETWEEN_QUICK_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int QUICK_LOOKS = 10;

    /** After so many tasks the threads that tasks bring about are there, but for late ones. */
    private static final int FIRST_TASKS = 8;

    private static final int MOST_NOTES = 20;

    private final ServiceBindings bindings;
    private final PythonWorkers python;
    private final Set<String> notes = new TreeSet<>();
    private final AtomicInteger tasks = new AtomicInteger();
    private final Thread looker = new Thread(this::keepLooking, "berth-service-threads");
    private volatile int firstTasks;
    private volatile boolean ended;
    private int quickLooks = QUICK_LOOKS;

    /**
     * A thread in its place.
     *
     * @param role for what it is, a word
     * @param name its name in Java; of a thread of the JVM that in the kernel, of a process its program
     * @param cpus where it may run
     */
    public record Bound(String role, String name, CpuSet cpus) {}

    private ServiceThreads(ServiceBindings bindings, PythonWorkers python, List<String> notes) {
        this.bindings = bindings;
        this.python = python;
        this.notes.addAll(notes);
        looker.setDaemon(true);
    }

    /**
     * Binds those that are there, and begins to look for others. Call it when the process is in its domain already: the
     * mask of its first thread is what threads get back.
     *
     * @param domain the CPUs of this executor
     * @param taskSlots the places of its tasks; empty when they have none of their own
     * @param former other masks that threads may have inherited: those of the places before the cpuset changed
     * @throws RuntimeException one line, when this machine cannot bind
     */
    public static ServiceThreads start(
            Binder binder,
            Topology topology,
            CpuSet domain,
            List<CpuSet> taskSlots,
            Set<CpuSet> former,
            ServiceSettings settings) {
        Optional<String> card = settings.networkCard().or(NetworkCard::ofDefaultRoute);
        ServicePlaces places = ServicePlaces.of(topology, domain, taskSlots, settings, card);
        List<String> notes = new ArrayList<>(places.notes());
        Set<ServiceRole> agents = AgentRules.roles();
        agents.removeIf(settings::isSaid);
        if (!agents.isEmpty()) {
            notes.add("threads of the roles "
                    + String.join(", ", agents.stream().map(ServiceRole::word).toList())
                    + " are left to the agent, which has rules for them");
        }
        CpuSet home = binder.threadCpus((int) ProcessHandle.current().pid());
        ServiceBindings bindings = new ServiceBindings(binder, home, domain, taskSlots, places.cpus(), agents, former);
        ServiceThreads threads = new ServiceThreads(bindings, new PythonWorkers(binder, home, domain, settings), notes);
        threads.look(true);
        threads.looker.start();
        return threads;
    }

    /** Told at the start of a task, on any thread: what it brings about is looked for soon. Some nanoseconds. */
    public void taskStarted() {
        if (firstTasks < FIRST_TASKS) {
            firstTasks = tasks.incrementAndGet();
            LockSupport.unpark(looker);
        }
    }

    /** All that is bound now and lives. */
    public List<Bound> bound() {
        List<Bound> all = new ArrayList<>(bindings.bound());
        all.addAll(python.bound());
        return List.copyOf(all);
    }

    /** What could not be had as asked, and why; one line each. */
    public List<String> notes() {
        synchronized (notes) {
            return List.copyOf(notes);
        }
    }

    /** Ends looking, and gives back what the threads had, but never the place of a task that they had inherited. */
    @Override
    public void close() {
        ended = true;
        LockSupport.unpark(looker);
        try {
            looker.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        python.close();
        bindings.close();
    }

    private void keepLooking() {
        int seen = 0;
        while (!ended) {
            boolean soon = quickLooks > 0 || python.isNeeded();
            LockSupport.parkNanos(soon ? BETWEEN_QUICK_LOOKS_NANOS : BETWEEN_LOOKS_NANOS);
            int now = firstTasks;
            quickLooks = now != seen ? QUICK_LOOKS : Math.max(0, quickLooks - 1);
            seen = now;
            if (!ended) {
                look(false);
            }
        }
    }

    /** Whatever goes wrong is told once; looking goes on. */
    private void look(boolean first) {
        try {
            bindings.look(first, this::note);
            if (bindings.hasChildren()) {
                python.look(bindings.tasks(), this::note);
            }
        } catch (IOException | RuntimeException | LinkageError e) {
            note("threads that run no task may be out of place: " + Reason.of(e));
        }
    }

    private void note(String text) {
        boolean fresh;
        synchronized (notes) {
            fresh = notes.size() < MOST_NOTES && notes.add(text);
        }
        if (fresh) {
            LOG.warn("Berth: {}", text);
        }
    }
}

package org.berth.spark.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.berth.binding.Binder;
import org.berth.binding.internal.jvm.FailureText;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;
import org.berth.observation.internal.devices.NetworkInterfaces;
import org.berth.spark.conf.SparkKeys;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the threads of an executor that run no task, and its Python processes, bound. Thread-safe.
 *
 * <p>They start when they are first needed and inherit the mask of the thread that starts them, which may be that of a
 * task. So a scanner thread searches for new ones: every second, after a minute every five, and ten times in the second after each of the first tasks
 * and while there are Python workers. A scan that finds nothing new compares two numbers.
 *
 * <p>A thread is bound once, and only when it can have inherited its mask: that of the process, of a task slot or of another
 * service thread. Any other mask was set on purpose (by the job, taskset, the agent's rules) and stays.
 */
public final class SparkServiceThreads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SparkKeys.PLUGIN);
    private static final long BETWEEN_SCANS_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long BETWEEN_QUICK_SCANS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int QUICK_SCANS = 10;

    /** Later, threads that an executor needs are there, and those that come and go have the domain by {@code WholeDomain}. */
    private static final long BETWEEN_LATE_SCANS_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int EARLY_SCANS = 60;

    /** After this number of tasks nearly all threads that tasks cause to start are there. */
    private static final int FIRST_TASKS = 8;

    private static final int MAX_NOTES = 20;

    private final ServiceBinder threads;
    private final PythonWorkers python;
    private final Set<String> notes = new TreeSet<>();
    private final AtomicInteger tasks = new AtomicInteger();
    private final Thread scanner = new Thread(this::scanUntilEnd, "berth-service-threads");
    private volatile int firstTasks;
    private volatile boolean ended;
    private int quickScans = QUICK_SCANS;

    /**
     * A bound thread.
     *
     * @param role the word of its role
     * @param name its Java name, for a thread of the JVM its name in the kernel, for a process its program
     * @param cpus the CPUs that it is bound to
     */
    public record BoundThread(String role, String name, CpuSet cpus) {}

    private SparkServiceThreads(ServiceBinder threads, PythonWorkers python, List<String> notes) {
        this.threads = threads;
        this.python = python;
        this.notes.addAll(notes);
        scanner.setDaemon(true);
    }

    /**
     * Binds those that are there, and starts to search for others. Must be called when the process is bound to its domain
     * already: the mask of its first thread is the one that is restored.
     *
     * @param domain the CPUs of this executor
     * @param taskSlots the slots of its tasks; empty when they have none
     * @param former other masks that threads may have inherited: slots from before a change of the cpuset
     * @throws RuntimeException one line, when this machine cannot bind
     */
    public static SparkServiceThreads start(
            Binder binder,
            Topology topology,
            CpuSet domain,
            List<CpuSet> taskSlots,
            Set<CpuSet> former,
            ServiceSettings settings) {
        Reading<String> card = settings.networkCard()
                .map(Reading::of)
                .orElseGet(() -> new NetworkInterfaces(SystemFiles.LIVE).ofDefaultRoute());
        ServiceSlots slots = ServiceSlots.of(topology, domain, taskSlots, settings, card);
        slots.notes().forEach(note -> LOG.warn("Berth: {}", note));
        List<String> notes = new ArrayList<>(slots.notes());
        Set<ServiceRole> agentRoles = AgentRoles.roles();
        agentRoles.removeIf(settings::isSet);
        if (!agentRoles.isEmpty()) {
            notes.add("threads of the roles "
                    + String.join(
                            ", ", agentRoles.stream().map(ServiceRole::word).toList())
                    + " are left to the agent, which has rules for them");
        }
        CpuSet initial = binder.threadCpus((int) ProcessHandle.current().pid());
        ServiceBinder threads = new ServiceBinder(binder, initial, domain, taskSlots, slots.cpus(), agentRoles, former);
        PythonWorkers python = new PythonWorkers(binder, initial, domain, settings);
        SparkServiceThreads service = new SparkServiceThreads(threads, python, notes);
        service.scan(true);
        service.scanner.start();
        return service;
    }

    /** Reports the start of a task, so that threads that it causes to start are found soon. Costs some nanoseconds. */
    public void taskStarted() {
        if (firstTasks < FIRST_TASKS) {
            firstTasks = tasks.incrementAndGet();
            LockSupport.unpark(scanner);
        }
    }

    /** All live threads and processes that are bound now. */
    public List<BoundThread> bound() {
        List<BoundThread> all = new ArrayList<>(threads.bound());
        all.addAll(python.bound());
        return List.copyOf(all);
    }

    /** Requests that could not be met, and why; one line each. */
    public List<String> notes() {
        synchronized (notes) {
            return List.copyOf(notes);
        }
    }

    /** Stops scanning and restores the former masks; a thread that inherited a task slot gets the initial mask. */
    @Override
    public void close() {
        ended = true;
        LockSupport.unpark(scanner);
        try {
            scanner.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        python.close();
        threads.close();
    }

    private void scanUntilEnd() {
        int seen = 0;
        int scans = 0;
        while (!ended) {
            boolean soon = quickScans > 0 || python.hasWorkers();
            long usual = scans++ < EARLY_SCANS ? BETWEEN_SCANS_NANOS : BETWEEN_LATE_SCANS_NANOS;
            LockSupport.parkNanos(soon ? BETWEEN_QUICK_SCANS_NANOS : usual);
            int now = firstTasks;
            quickScans = now != seen ? QUICK_SCANS : Math.max(0, quickScans - 1);
            seen = now;
            if (!ended) {
                scan(false);
            }
        }
    }

    /** Notes each kind of failure once and goes on. */
    private void scan(boolean first) {
        try {
            threads.scan(first, this::note);
            if (threads.hasChildren()) {
                python.scan(threads.tasks(), this::note);
            }
        } catch (Throwable e) {
            note("threads that run no task may be unbound: " + FailureText.of(e));
        }
    }

    private void note(String text) {
        boolean fresh;
        synchronized (notes) {
            fresh = notes.size() < MAX_NOTES && notes.add(text);
        }
        if (fresh) {
            LOG.warn("Berth: {}", text);
        }
    }
}

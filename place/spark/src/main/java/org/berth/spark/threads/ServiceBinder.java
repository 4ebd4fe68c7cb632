package org.berth.spark.threads;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.berth.binding.Binder;
import org.berth.binding.errors.BindingException;
import org.berth.observation.Reading;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/** Binds service threads and remembers their former masks. Thread-safe; {@link SparkServiceThreads} decides when to scan. */
final class ServiceBinder implements AutoCloseable {
    private static final String CHILD_WATCHER = "process reaper";

    /** The agent and the plugin follow a changed cpuset within a second; until then masks may look deliberate. */
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Stands for a thread that the next scan must read again. */
    private static final Binding LATER = new Binding(ServiceRole.OTHER, 0, "", CpuSet.empty(), CpuSet.empty());

    private final Binder binder;
    private final CpuSet initial;
    private final CpuSet domain;
    private final Map<ServiceRole, List<CpuSet>> slots;
    private final Set<ServiceRole> agentRoles;
    /** Masks that a thread can have inherited from another one. */
    private final Set<CpuSet> inherited = new HashSet<>();

    private final Map<ServiceRole, Integer> turns = new EnumMap<>(ServiceRole.class);
    private final JvmThreads threads = new JvmThreads();
    /** All Java threads that have been read; empty when they are not to be bound. */
    private final IdentityHashMap<Thread, Optional<Binding>> known = new IdentityHashMap<>();

    private final Map<Integer, Binding> ofJvm = new LinkedHashMap<>();
    private final Set<Integer> knownOfJvm = new HashSet<>();
    /** Threads with a mask that they cannot have inherited, and the time when that was first seen. */
    private final Map<Integer, Long> strange = new HashMap<>();

    private boolean children;

    /** A bound thread: its name at that time, its CPUs, and the mask to restore. */
    private record Binding(ServiceRole role, int tid, String name, CpuSet cpus, CpuSet before) {}

    ServiceBinder(
            Binder binder,
            CpuSet initial,
            CpuSet domain,
            List<CpuSet> taskSlots,
            Map<ServiceRole, List<CpuSet>> slots,
            Set<ServiceRole> agentRoles,
            Set<CpuSet> former) {
        this.binder = binder;
        this.initial = initial;
        this.domain = domain;
        this.slots = slots;
        this.agentRoles = agentRoles;
        inherited.addAll(taskSlots);
        inherited.addAll(former);
        slots.values().forEach(inherited::addAll);
        inherited.remove(initial);
        inherited.remove(domain);
    }

    /** Binds the threads that have appeared since the last scan. */
    synchronized void scan(boolean first, Consumer<String> note) throws IOException {
        if (!threads.changed() && !first && strange.isEmpty()) {
            return;
        }
        known.keySet().removeIf(thread -> !thread.isAlive());
        children = false;
        for (Thread thread : threads.java()) {
            String name = thread.getName();
            children |= name.startsWith(CHILD_WATCHER);
            if (!ServiceRole.isTask(name) && !known.containsKey(thread)) {
                Binding binding = javaThread(thread, name, note);
                if (!LATER.equals(binding)) {
                    known.put(thread, Optional.ofNullable(binding));
                }
            }
        }
        Map<Integer, String> names = threads.names();
        knownOfJvm.retainAll(names.keySet());
        ofJvm.keySet().retainAll(names.keySet());
        strange.keySet().retainAll(names.keySet());
        names.forEach((tid, name) -> ServiceRole.ofNative(name)
                .filter(role -> knownOfJvm.add(tid))
                .ifPresent(role -> nativeThread(role, tid, name, note)));
    }

    private @Nullable Binding javaThread(Thread thread, String name, Consumer<String> note) {
        try {
            int tid = binder.threadId(thread);
            return bind(ServiceRole.ofJava(name).orElse(ServiceRole.OTHER), tid, name, note);
        } catch (BindingException e) {
            if (thread.isAlive()) {
                note.accept(e.getMessage());
            }
            return null;
        }
    }

    private void nativeThread(ServiceRole role, int tid, String name, Consumer<String> note) {
        try {
            Binding binding = bind(role, tid, name, note);
            if (LATER.equals(binding)) {
                knownOfJvm.remove(tid);
            } else if (binding != null) {
                ofJvm.put(tid, binding);
            }
        } catch (BindingException e) {
            if (JvmThreads.name(tid).equals(Reading.of(name))) {
                note.accept(e.getMessage());
            }
        }
    }

    private @Nullable Binding bind(ServiceRole role, int tid, String name, Consumer<String> note) {
        List<CpuSet> sets = slots.get(role);
        if (sets == null || agentRoles.contains(role)) {
            return null;
        }
        CpuSet before = binder.threadCpus(tid);
        boolean fromOthers = inherited.contains(before);
        if (role == ServiceRole.OTHER && !fromOthers) {
            return null;
        }
        if (!fromOthers && !before.equals(initial) && !before.equals(domain)) {
            long now = System.nanoTime();
            if (now - strange.computeIfAbsent(tid, unseen -> now) < SETTLED_NANOS) {
                return LATER;
            }
            strange.remove(tid);
            note.accept("thread " + name + " keeps CPUs " + before + ", which the plugin did not set");
            return null;
        }
        strange.remove(tid);
        CpuSet cpus = sets.get((turns.merge(role, 1, Integer::sum) - 1) % sets.size());
        if (!before.equals(cpus)) {
            binder.setThreadCpusUnverified(tid, cpus);
            CpuSet now = binder.threadCpus(tid);
            if (!now.equals(cpus)) {
                note.accept("thread " + name + " was to be on CPUs " + cpus + ", and the kernel made it " + now
                        + ": the cpuset of the process has changed");
            }
        }
        return new Binding(role, tid, name, cpus, fromOthers ? initial : before);
    }

    /** The threads that run tasks, or wait for one. */
    synchronized List<Thread> tasks() {
        return threads.java().stream()
                .filter(thread -> ServiceRole.isTask(thread.getName()))
                .toList();
    }

    /** Whether this JVM has started a process that may live: it then has a thread that waits for its end. */
    synchronized boolean hasChildren() {
        return children;
    }

    synchronized List<SparkServiceThreads.BoundThread> bound() {
        List<SparkServiceThreads.BoundThread> bound = new ArrayList<>();
        known.forEach((thread, binding) -> binding.filter(present -> thread.isAlive())
                .ifPresent(present -> bound.add(
                        new SparkServiceThreads.BoundThread(present.role().word(), present.name(), present.cpus()))));
        ofJvm.values()
                .forEach(binding -> bound.add(
                        new SparkServiceThreads.BoundThread(binding.role().word(), binding.name(), binding.cpus())));
        bound.sort(Comparator.comparing(SparkServiceThreads.BoundThread::role)
                .thenComparing(SparkServiceThreads.BoundThread::name));
        return bound;
    }

    /** Restores the former masks, except of threads that have ended or whose mask has been changed since. */
    @Override
    public synchronized void close() {
        BindingException failure = null;
        for (Map.Entry<Thread, Optional<Binding>> entry : known.entrySet()) {
            Binding binding = entry.getValue().orElse(null);
            if (binding != null && entry.getKey().isAlive()) {
                failure = first(failure, restore(binding));
            }
        }
        for (Iterator<Binding> rest = ofJvm.values().iterator(); rest.hasNext(); ) {
            Binding binding = rest.next();
            if (JvmThreads.name(binding.tid()).equals(Reading.of(binding.name()))) {
                failure = first(failure, restore(binding));
            }
        }
        known.clear();
        ofJvm.clear();
        if (failure != null) {
            throw failure;
        }
    }

    private @Nullable BindingException restore(Binding binding) {
        try {
            if (binder.threadCpus(binding.tid()).equals(binding.cpus())) {
                binder.setThreadCpusUnverified(binding.tid(), binding.before());
            }
            return null;
        } catch (BindingException e) {
            return JvmThreads.name(binding.tid()).value().isEmpty() ? null : e;
        }
    }

    private static @Nullable BindingException first(@Nullable BindingException one, @Nullable BindingException other) {
        return one != null ? one : other;
    }
}

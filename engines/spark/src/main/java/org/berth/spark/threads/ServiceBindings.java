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
import org.berth.binding.BindingException;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/** Which threads are bound where, and what they had before. Thread-safe; {@link ServiceThreads} says when to look. */
final class ServiceBindings implements AutoCloseable {
    private static final String CHILD_WATCHER = "process reaper";

    /** Whoever follows a changed cpuset looks once a second; until then masks look strange that nobody has given. */
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Stands for a thread to be looked at once more. */
    private static final Held LATER = new Held(ServiceRole.OTHER, 0, "", CpuSet.empty(), CpuSet.empty());

    private final Binder binder;
    private final CpuSet home;
    private final CpuSet domain;
    private final Map<ServiceRole, List<CpuSet>> places;
    private final Set<ServiceRole> left;
    /** Masks that a thread inherits, and nobody meant for it. */
    private final Set<CpuSet> inherited = new HashSet<>();

    private final Map<ServiceRole, Integer> turns = new EnumMap<>(ServiceRole.class);
    private final JvmThreads threads = new JvmThreads();
    /** All Java threads that have been looked at; with nothing when they are not ours to move. */
    private final IdentityHashMap<Thread, Optional<Held>> known = new IdentityHashMap<>();

    private final Map<Integer, Held> ofJvm = new LinkedHashMap<>();
    private final Set<Integer> knownOfJvm = new HashSet<>();
    /** Threads with a mask that they can have from nobody here, and since when. */
    private final Map<Integer, Long> strange = new HashMap<>();

    private boolean children;

    /** A thread in its place: its name then, and the mask to give back. */
    private record Held(ServiceRole role, int tid, String name, CpuSet cpus, CpuSet before) {}

    ServiceBindings(
            Binder binder,
            CpuSet home,
            CpuSet domain,
            List<CpuSet> taskSlots,
            Map<ServiceRole, List<CpuSet>> places,
            Set<ServiceRole> left,
            Set<CpuSet> former) {
        this.binder = binder;
        this.home = home;
        this.domain = domain;
        this.places = places;
        this.left = left;
        inherited.addAll(taskSlots);
        inherited.addAll(former);
        places.values().forEach(inherited::addAll);
        inherited.remove(home);
        inherited.remove(domain);
    }

    /** Binds the threads that have appeared since the last look. */
    synchronized void look(boolean first, Consumer<String> note) throws IOException {
        if (!threads.changed() && !first && strange.isEmpty()) {
            return;
        }
        known.keySet().removeIf(thread -> !thread.isAlive());
        children = false;
        for (Thread thread : threads.java()) {
            String name = thread.getName();
            children |= name.startsWith(CHILD_WATCHER);
            if (!ServiceRole.isTask(name) && !known.containsKey(thread)) {
                Held held = javaThread(thread, name, note);
                if (!LATER.equals(held)) {
                    known.put(thread, Optional.ofNullable(held));
                }
            }
        }
        Map<Integer, String> names = threads.names();
        knownOfJvm.retainAll(names.keySet());
        ofJvm.keySet().retainAll(names.keySet());
        strange.keySet().retainAll(names.keySet());
        names.forEach((tid, name) -> ServiceRole.ofNative(name)
                .filter(role -> knownOfJvm.add(tid))
                .ifPresent(role -> put(role, tid, name, note)));
    }

    private @Nullable Held javaThread(Thread thread, String name, Consumer<String> note) {
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

    private void put(ServiceRole role, int tid, String name, Consumer<String> note) {
        try {
            Held held = bind(role, tid, name, note);
            if (LATER.equals(held)) {
                knownOfJvm.remove(tid);
            } else if (held != null) {
                ofJvm.put(tid, held);
            }
        } catch (BindingException e) {
            if (JvmThreads.name(tid).equals(name)) {
                note.accept(e.getMessage());
            }
        }
    }

    private @Nullable Held bind(ServiceRole role, int tid, String name, Consumer<String> note) {
        List<CpuSet> sets = places.get(role);
        if (sets == null || left.contains(role)) {
            return null;
        }
        CpuSet before = binder.threadCpus(tid);
        boolean fromOthers = inherited.contains(before);
        if (role == ServiceRole.OTHER && !fromOthers) {
            return null;
        }
        if (!fromOthers && !before.equals(home) && !before.equals(domain)) {
            long now = System.nanoTime();
            if (now - strange.computeIfAbsent(tid, unseen -> now) < SETTLED_NANOS) {
                return LATER;
            }
            strange.remove(tid);
            note.accept("thread " + name + " keeps CPUs " + before + ", which somebody else gave it");
            return null;
        }
        strange.remove(tid);
        CpuSet cpus = sets.get((turns.merge(role, 1, Integer::sum) - 1) % sets.size());
        if (!before.equals(cpus)) {
            binder.setThreadCpus(tid, cpus);
            CpuSet now = binder.threadCpus(tid);
            if (!now.equals(cpus)) {
                note.accept("thread " + name + " was to be on CPUs " + cpus + ", and the kernel made it " + now
                        + ": the cpuset of the process has changed");
            }
        }
        return new Held(role, tid, name, cpus, fromOthers ? home : before);
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

    synchronized List<ServiceThreads.Bound> bound() {
        List<ServiceThreads.Bound> bound = new ArrayList<>();
        known.forEach((thread, held) -> held.filter(there -> thread.isAlive())
                .ifPresent(
                        there -> bound.add(new ServiceThreads.Bound(there.role().word(), there.name(), there.cpus()))));
        ofJvm.values()
                .forEach(held -> bound.add(new ServiceThreads.Bound(held.role().word(), held.name(), held.cpus())));
        bound.sort(Comparator.comparing(ServiceThreads.Bound::role).thenComparing(ServiceThreads.Bound::name));
        return bound;
    }

    /** Gives back what they had; one that has ended meanwhile, or was moved by somebody else, is passed over. */
    @Override
    public synchronized void close() {
        BindingException failure = null;
        for (Map.Entry<Thread, Optional<Held>> entry : known.entrySet()) {
            Held held = entry.getValue().orElse(null);
            if (held != null && entry.getKey().isAlive()) {
                failure = first(failure, restore(held));
            }
        }
        for (Iterator<Held> rest = ofJvm.values().iterator(); rest.hasNext(); ) {
            Held held = rest.next();
            if (JvmThreads.name(held.tid()).equals(held.name())) {
                failure = first(failure, restore(held));
            }
        }
        known.clear();
        ofJvm.clear();
        if (failure != null) {
            throw failure;
        }
    }

    private @Nullable BindingException restore(Held held) {
        try {
            if (binder.threadCpus(held.tid()).equals(held.cpus())) {
                binder.setThreadCpus(held.tid(), held.before());
            }
            return null;
        } catch (BindingException e) {
            return JvmThreads.name(held.tid()).isEmpty() ? null : e;
        }
    }

    private static @Nullable BindingException first(@Nullable BindingException one, @Nullable BindingException other) {
        return one != null ? one : other;
    }
}

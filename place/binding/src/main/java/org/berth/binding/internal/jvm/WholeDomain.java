package org.berth.binding.internal.jvm;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.NativeBridge;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.topology.CpuSet;
import org.berth.topology.FailureKind;

/**
 * Keeps what threads that are bound to slots make from being as small as their slots. In every thread of this JVM {@code
 * Runtime.availableProcessors()} is that of the domain; processes that a bound thread starts have the domain from their birth, native
 * libraries while it loads them, and threads, also those of native code, within 40 ms (Java threads at their birth before JDK 21).
 * Without it HotSpot counts the CPUs of the calling thread, and a pool that is made in a bound task has one thread for the life of the
 * JVM (docs/decisions/0028-processors-of-the-domain.md).
 *
 * <p>What native code counts later, by sched_getaffinity(2) in a bound thread, stays the slot: {@link #libraryNotes} names it. Where
 * several holders are open, the domain is what they have together. Thread-safe.
 *
 * @since 0.1.0
 */
public final class WholeDomain implements AutoCloseable {
    private static final Set<WholeDomain> HOLDERS = new LinkedHashSet<>();
    private static final LateLibraries LIBRARIES = new LateLibraries(System.getenv());

    /** JVMTI makes them half as fast. */
    private static final boolean VIRTUAL_THREADS = Runtime.version().feature() >= 21;

    private static final int NEWBORNS = VIRTUAL_THREADS ? 1 : 3;
    private static final int COUNT = 0xffff;
    private static final int PROCESSES = 0x10000;
    private static final int LOADS = 0x20000;

    private final boolean newborns;
    private CpuSet cpus;
    private int processors;
    private Optional<String> note = Optional.empty();

    private WholeDomain(CpuSet cpus, boolean newborns) {
        this.cpus = cpus;
        this.newborns = newborns;
    }

    /**
     * Holds a domain until it is closed; {@link #note} says what stays as it was.
     *
     * @throws BindingException when the library cannot be loaded, without which nothing is bound either
     */
    public static WholeDomain hold(CpuSet cpus) {
        return new WholeDomain(cpus, true).begin();
    }

    /**
     * The same where threads that a bound thread starts are to inherit its CPUs.
     *
     * @throws BindingException as {@link #hold}
     */
    public static WholeDomain holdWithoutThreads(CpuSet cpus) {
        return new WholeDomain(cpus, false).begin();
    }

    private WholeDomain begin() {
        synchronized (HOLDERS) {
            HOLDERS.add(this);
            apply();
        }
        return this;
    }

    /** The domain has other CPUs. */
    public void change(CpuSet now) {
        synchronized (HOLDERS) {
            if (!now.equals(cpus) && HOLDERS.contains(this)) {
                cpus = now;
                apply();
            }
        }
    }

    /** The number that {@code availableProcessors()} gives to every thread; 0 when it counts the CPUs of the caller. */
    public int processors() {
        synchronized (HOLDERS) {
            return processors;
        }
    }

    /** What this JVM does not allow, and the remedy. */
    public Optional<String> note() {
        synchronized (HOLDERS) {
            return note;
        }
    }

    /**
     * A line for each loaded library that counts the CPUs of the thread that uses it first; each library once in the life of this JVM.
     * To be called every second or so while a domain is held.
     */
    public static List<String> libraryNotes() {
        synchronized (HOLDERS) {
            return HOLDERS.isEmpty() ? List.of() : LIBRARIES.look(all().size());
        }
    }

    @Override
    public void close() {
        synchronized (HOLDERS) {
            if (!HOLDERS.remove(this)) {
                return;
            }
            if (HOLDERS.isEmpty()) {
                NativeBridge.releaseDomain();
            } else {
                HOLDERS.iterator().next().apply();
            }
        }
    }

    private static CpuSet all() {
        return HOLDERS.stream().map(holder -> holder.cpus).reduce(CpuSet.empty(), CpuSet::union);
    }

    private void apply() {
        CpuSet all = all();
        boolean threads = HOLDERS.stream().anyMatch(holder -> holder.newborns);
        int result = call(all, threads ? NEWBORNS : 0);
        processors = Math.max(0, result) & COUNT;
        if (result < 0) {
            BindingException reason = BindingException.ofErrno(
                    "set", "the number of processors of this JVM", "", -result, "run on HotSpot 17 or later");
            note = Optional.of("a bound thread counts its own CPUs alone, and so do the pools that it makes ("
                    + reason.getMessage() + "); start the JVM with -XX:ActiveProcessorCount=" + all.size());
        } else if ((result & PROCESSES) == 0) {
            note = Optional.of("processes that a bound thread starts begin with its CPUs: this JVM does not let"
                    + " ProcessImpl.forkAndExec be replaced");
        } else if ((result & LOADS) == 0) {
            note = Optional.of(
                    "native libraries that a bound thread loads may count its CPUs alone: this JVM does not let"
                            + " NativeLibraries.load be replaced; start it with OMP_NUM_THREADS=" + all.size()
                            + " where a task uses OpenMP");
        } else {
            note = Optional.empty();
        }
    }

    private static int call(CpuSet cpus, int newborns) {
        NativeLibrary.load();
        try {
            return NativeBridge.holdDomain(cpus.toLongs(), newborns);
        } catch (LinkageError e) {
            throw BindingException.of(
                    FailureKind.UNAVAILABLE,
                    "set",
                    "the number of processors of this JVM",
                    String.valueOf(e.getMessage()),
                    "use one version of Berth",
                    e);
        }
    }
}

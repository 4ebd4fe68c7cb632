package org.berth.binding.internal.jvm;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.NativeBridge;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.topology.CpuSet;
import org.berth.topology.FailureKind;

/**
 * Keeps what threads that are bound to slots make from being as small as their slots. In every thread of this JVM {@code
 * Runtime.availableProcessors()} is that of the domain; processes that a bound thread starts have the domain from their birth, and
 * threads, also those of native code, within 40 ms (Java threads at their birth before JDK 21). Without it HotSpot counts the CPUs of the calling thread, and a pool that is made in
 * a bound task has one thread for the life of the JVM (docs/decisions/0028-processors-of-the-domain.md).
 *
 * <p>What native code in a bound thread counts for itself, by sched_getaffinity(2), stays the slot. Where several holders are open, the
 * domain is what they have together. Thread-safe.
 *
 * @since 0.1.0
 */
public final class WholeDomain implements AutoCloseable {
    private static final Set<WholeDomain> HOLDERS = new LinkedHashSet<>();

    /** JVMTI makes them half as fast. */
    private static final boolean VIRTUAL_THREADS = Runtime.version().feature() >= 21;

    private static final int COUNT = 0xffff;
    private static final int PROCESSES = 0x10000;

    private CpuSet cpus;
    private int processors;
    private Optional<String> note = Optional.empty();

    private WholeDomain(CpuSet cpus) {
        this.cpus = cpus;
    }

    /**
     * Holds a domain until it is closed; {@link #note} says what stays as it was.
     *
     * @throws BindingException when the library cannot be loaded, without which nothing is bound either
     */
    public static WholeDomain hold(CpuSet cpus) {
        WholeDomain holder = new WholeDomain(cpus);
        synchronized (HOLDERS) {
            HOLDERS.add(holder);
            holder.apply();
        }
        return holder;
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

    private void apply() {
        CpuSet all = HOLDERS.stream().map(holder -> holder.cpus).reduce(CpuSet.empty(), CpuSet::union);
        int result = call(all);
        processors = Math.max(0, result) & COUNT;
        if (result < 0) {
            BindingException reason = BindingException.ofErrno(
                    "set", "the number of processors of this JVM", "", -result, "run on HotSpot 17 or later");
            note = Optional.of("a bound thread counts its own CPUs alone, and so do the pools that it makes ("
                    + reason.getMessage() + "); start the JVM with -XX:ActiveProcessorCount=" + all.size());
        } else if ((result & PROCESSES) == 0) {
            note = Optional.of("processes that a bound thread starts begin with its CPUs: this JVM does not let"
                    + " ProcessImpl.forkAndExec be replaced");
        } else {
            note = Optional.empty();
        }
    }

    private static int call(CpuSet cpus) {
        NativeLibrary.load();
        try {
            return NativeBridge.holdDomain(cpus.toLongs(), !VIRTUAL_THREADS);
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

package org.berth.binding;

import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.topology.CpuSet;

/** Binds one Java thread and reads the mask back; nothing stays bound when that fails. */
final class ThreadBinding {
    private static final ScopeLayers.Table<Thread, CpuSet> SCOPES = new ScopeLayers.Table<>();

    private ThreadBinding() {}

    /** The scope restores the former mask. */
    static BoundScope bind(Thread owner, int tid, CpuSet cpus) {
        CpuSet before = ThreadMasks.get(target(owner, tid));
        bind(owner, tid, cpus, before);
        return SCOPES.of(owner).scope(before, former -> restore(owner, tid, former));
    }

    /** Binds the calling thread unless it has that mask already; true when it had another one. */
    static boolean move(CpuSet cpus) {
        CpuSet before = ThreadMasks.get(0);
        boolean other = !before.equals(cpus);
        if (other) {
            bind(Thread.currentThread(), 0, cpus, before);
        }
        return other;
    }

    private static void bind(Thread owner, int tid, CpuSet cpus, CpuSet before) {
        try {
            ThreadMasks.setVerified(target(owner, tid), cpus);
            if (!owner.isAlive()) {
                throw BindingException.ofErrno(
                        "bind", "thread " + owner.getName(), "CPUs " + cpus, Errno.ESRCH, "it ended meanwhile");
            }
        } catch (BindingException e) {
            try {
                restore(owner, tid, before);
            } catch (BindingException second) {
                e.addSuppressed(second);
            }
            throw e;
        }
    }

    /** A dead thread's tid may already name another one. */
    private static void restore(Thread owner, int tid, CpuSet before) {
        try {
            if (owner.isAlive()) {
                ThreadMasks.set(target(owner, tid), before);
            }
        } catch (BindingException e) {
            // It may have ended between the two.
            if (owner.isAlive()) {
                throw e;
            }
        }
    }

    /** The calling thread is 0, so that an exception names it so. */
    private static int target(Thread owner, int tid) {
        return owner == Thread.currentThread() ? 0 : tid;
    }
}

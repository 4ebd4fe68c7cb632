package org.berth.binding;

import org.berth.topology.CpuSet;

/** One Java thread bound, with the way back. */
final class ThreadBinding {
    private ThreadBinding() {}

    /** Binds, reads back, and gives the scope that restores; nothing stays bound when it fails. */
    static BoundScope bind(Thread owner, int tid, CpuSet cpus) {
        CpuSet before = ThreadMasks.get(target(owner, tid));
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
        return new BoundScope(() -> restore(owner, tid, before));
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

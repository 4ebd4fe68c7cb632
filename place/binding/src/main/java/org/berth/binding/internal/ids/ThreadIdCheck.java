package org.berth.binding.internal.ids;

import org.berth.binding.internal.Errno;
import org.berth.binding.internal.NativeBridge;

/** Checks once, with a thread made for it, whether the JVM's own structures agree with the kernel about a thread. */
final class ThreadIdCheck implements Runnable {
    private int told;
    private int kernels;

    private ThreadIdCheck() {}

    /** Why they do not; empty when they do. The caller may be a virtual thread, which has no structure of its own. */
    static String problem() {
        ThreadIdCheck check = new ThreadIdCheck();
        Thread thread = new Thread(check, "berth-thread-id-check");
        thread.setDaemon(true);
        thread.start();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return check.difference();
    }

    @Override
    public void run() {
        told = NativeBridge.javaThreadId(Thread.currentThread());
        kernels = NativeBridge.currentThreadId();
    }

    private String difference() {
        if (told == kernels) {
            return "";
        }
        return switch (-told) {
            case Errno.ENOENT -> "this JVM does not export its structures (gHotSpotVMStructs)";
            case Errno.EOPNOTSUPP -> "the structures that this JVM exports have no known thread ids";
            case Errno.EPERM, Errno.ENOSYS ->
                "the process may not read its own memory (process_vm_readv): " + Errno.describe(-told);
            default -> "the structures that this JVM exports name another thread (" + told + ") than the kernel";
        };
    }
}

package org.berth.binding.internal.ids;

import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.binding.internal.NativeBridge;
import org.berth.topology.FailureKind;

/**
 * The kernel's ids of Java threads. A thread's own name is no key to them: the kernel keeps 15 characters of it. They are
 * in the JVM's own structures; where those are not known, in the list of Thread.print. The native library must be there.
 */
public final class JavaThreadIds {
    private static final String STRUCTURES_PROBLEM = ThreadIdCheck.problem();

    private JavaThreadIds() {}

    /**
     * Returns the kernel's thread id of a thread of this JVM.
     *
     * @throws BindingException when it is virtual, not started, ended, or this JVM does not tell
     */
    public static int of(Thread thread) {
        PlatformThreads.requirePlatform(thread, "find", target(thread));
        if (thread == Thread.currentThread()) {
            return NativeBridge.currentThreadId();
        }
        // The state is first: a thread that is neither new nor terminated has an id, or terminates meanwhile.
        while (true) {
            requireAlive(thread);
            int tid = STRUCTURES_PROBLEM.isEmpty() ? NativeBridge.javaThreadId(thread) : byThreadPrint(thread);
            if (tid > 0) {
                return tid;
            }
            if (tid < 0 && thread.isAlive()) {
                throw BindingException.ofErrno("find", target(thread), "", -tid, "");
            }
        }
    }

    /** @throws BindingException when the thread has not been started, or has ended */
    static void requireAlive(Thread thread) {
        Thread.State state = thread.getState();
        if (state == Thread.State.NEW) {
            throw BindingException.of(
                    FailureKind.INVALID, "find", target(thread), "", "it has not been started", "call start() before");
        }
        if (state == Thread.State.TERMINATED) {
            throw BindingException.ofErrno("find", target(thread), "", Errno.ESRCH, "it has ended");
        }
    }

    /**
     * How they are found here.
     *
     * @throws BindingException when they are not
     */
    public static String way() {
        if (STRUCTURES_PROBLEM.isEmpty()) {
            return "from the JVM's own structures";
        }
        try {
            ThreadPrint.list();
            return "by Thread.print: " + STRUCTURES_PROBLEM;
        } catch (NoClassDefFoundError e) {
            throw noManagement("any thread", e);
        }
    }

    static int byThreadPrint(Thread thread) {
        try {
            return ThreadPrint.find(thread);
        } catch (NoClassDefFoundError e) {
            throw noManagement("thread " + thread.getName(), e);
        }
    }

    private static BindingException noManagement(String whose, NoClassDefFoundError cause) {
        String structures = STRUCTURES_PROBLEM.isEmpty() ? "" : STRUCTURES_PROBLEM + ", and ";
        return BindingException.of(
                FailureKind.UNAVAILABLE,
                "find",
                "the kernel id of " + whose,
                structures + "Thread.print needs the module java.management, which this JRE lacks",
                "add java.management and jdk.management to the JRE",
                cause);
    }

    private static String target(Thread thread) {
        return "the kernel id of thread " + thread.getName();
    }
}

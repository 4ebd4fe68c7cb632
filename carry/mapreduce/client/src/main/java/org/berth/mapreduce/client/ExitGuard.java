package org.berth.mapreduce.client;

import org.berth.binding.internal.jvm.ExitHook;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the JVM alive when a task calls {@code System.exit} or {@code Runtime.halt}: the call throws {@link
 * ExitRefused} and the
 * attempt fails. Calls of other threads, as that of the client's main program, end the JVM as ever. Thread-safe.
 */
public final class ExitGuard {
    private static final Logger LOG = LoggerFactory.getLogger(ExitGuard.class);

    /** A thread that a task starts belongs to the task, also when the thread is a virtual one. */
    private static final InheritableThreadLocal<@Nullable Tasks> TASKS = new InheritableThreadLocal<>();

    private ExitGuard() {}

    /** The tasks of a thread, one at a time. */
    public interface Tasks {
        /**
         * Thrown in a task's thread that would end the JVM.
         *
         * @throws ExitRefused when it must not
         */
        void askToExit();
    }

    /** The owner of the tasks that the calling thread runs, until it is closed by the same thread. */
    public interface Scope extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Installs the guard, once for each JVM; when that is not possible, the reason is logged and jobs run without it.
     */
    public static void install() {
        Installed.touch();
    }

    private static final class Installed {
        static {
            try {
                ExitHook.install(ExitGuard::ask);
            } catch (RuntimeException | LinkageError e) {
                LOG.warn(
                        "cannot keep tasks from ending this JVM: {}; a task that calls System.exit ends it with all jobs",
                        e.getMessage());
            }
        }

        static void touch() {}
    }

    /**
     * Guards the calling thread, and the threads that it starts meanwhile until their end.
     *
     * @param tasks null for what an engine itself does in the thread of a task
     */
    public static Scope enter(@Nullable Tasks tasks) {
        Tasks former = TASKS.get();
        TASKS.set(tasks);
        return () -> TASKS.set(former);
    }

    private static void ask() {
        Tasks tasks = TASKS.get();
        if (tasks != null) {
            tasks.askToExit();
        }
    }

    /** Returns whether the thread is in a call that ends the JVM, because there is no guard. */
    public static boolean isEndingTheJvm(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().equals("java.lang.Shutdown")) {
                return true;
            }
        }
        return false;
    }
}

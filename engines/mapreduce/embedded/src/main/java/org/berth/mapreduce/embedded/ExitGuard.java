package org.berth.mapreduce.embedded;

import org.berth.binding.ExitHook;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the JVM alive when a task calls {@code System.exit} or {@code Runtime.halt}: the call throws {@link ExitRefused} and the
 * attempt fails. Calls of other threads, as that of the client's main program, end the JVM as ever.
 */
final class ExitGuard {
    private static final Logger LOG = LoggerFactory.getLogger(ExitGuard.class);

    private ExitGuard() {}

    /** Installs the guard, once for each JVM; when that is not possible, the reason is logged and jobs run without it. */
    static void install() {
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

    private static void ask() {
        if (Thread.currentThread().getThreadGroup() instanceof TaskGroup group) {
            group.askToExit();
        }
    }

    /** Returns whether the thread is in a call that ends the JVM, because there is no guard. */
    static boolean isEndingTheJvm(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().equals("java.lang.Shutdown")) {
                return true;
            }
        }
        return false;
    }
}

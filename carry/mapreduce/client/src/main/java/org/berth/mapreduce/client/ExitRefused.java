package org.berth.mapreduce.client;

import java.lang.reflect.Method;
import java.util.Optional;

/** Thrown to user code that would end the JVM; its stack trace leads to the call. An error, so that few programs catch it. */
public final class ExitRefused extends Error {
    private static final long serialVersionUID = 1;

    /** @param caller what the message begins with: the task, or a thread */
    public ExitRefused(String caller) {
        super(caller + " called " + call() + ": a task must not end the JVM that runs it");
    }

    private static String call() {
        String method = StackWalker.getInstance()
                .walk(frames -> frames.filter(ExitRefused::isCall).findFirst())
                .map(StackWalker.StackFrame::getMethodName)
                .orElse("exit");
        return (method.equals("halt") ? "Runtime.halt" : "System.exit") + "(" + exitCode() + ")";
    }

    private static boolean isCall(StackWalker.StackFrame frame) {
        return frame.getClassName().equals("java.lang.Runtime")
                && (frame.getMethodName().equals("exit")
                        || frame.getMethodName().equals("halt"));
    }

    /** The parameter, which only the JDK's private walker shows; it needs the option --add-opens of Hadoop's scripts. */
    private static String exitCode() {
        try {
            Class<?> type = Class.forName("java.lang.LiveStackFrame");
            Method walker = type.getDeclaredMethod("getStackWalker");
            Method locals = type.getDeclaredMethod("getLocals");
            walker.setAccessible(true);
            locals.setAccessible(true);
            Optional<StackWalker.StackFrame> call = ((StackWalker) walker.invoke(null))
                    .walk(frames -> frames.filter(ExitRefused::isCall).findFirst());
            if (call.isPresent()) {
                // The object itself is the first one. A slot has 64 bits, and its text has no sign.
                Object slot = ((Object[]) locals.invoke(call.get()))[1];
                return Integer.toString((int) Long.parseUnsignedLong(slot.toString()));
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            // The stack trace tells where the call is.
        }
        return "…";
    }
}

package org.berth.binding.internal.jvm;

import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.library.NativeAccess;

/**
 * Why something failed, for a log or a page where a failure is one line. Stateless: any thread may use it.
 *
 * @since 0.1.0
 */
public final class FailureText {
    private FailureText() {}

    /**
     * The first line of the failure's message or, where it has none (a class that could not be initialised), of its
     * cause's. The messages of linkage errors are only names, so their kind is added. Where the JVM refuses native
     * access (JDK 24 and newer), the option that allows it.
     *
     * @param failure what was thrown
     * @return one line that is not empty
     */
    public static String of(Throwable failure) {
        if (NativeAccess.isRefused(failure) && !(failure instanceof BindingException)) {
            return NativeAccess.REFUSED + "; start java with " + NativeAccess.option();
        }
        Throwable told = failure;
        while (told.getMessage() == null && told.getCause() != null) {
            told = told.getCause();
        }
        String message = told.getMessage();
        String text = message == null || told instanceof LinkageError ? told.toString() : message;
        return text.lines().filter(line -> !line.isBlank()).findFirst().orElseGet(failure::toString);
    }
}

package org.berth.binding.internal.library;

import org.berth.binding.errors.BindingException;
import org.berth.topology.FailureKind;

/**
 * Whether the JVM lets Berth load native code, which since JDK 24 is an option of the command line, and whether the jar
 * with it is there. Stateless.
 *
 * <p>It is not part of the API.
 *
 * @see <a href="https://openjdk.org/jeps/472">JEP 472</a>
 */
public final class NativeAccess {
    public static final String REFUSED = "this JVM refuses native access";

    private NativeAccess() {}

    /** Whether a failure to load comes from {@code --illegal-native-access=deny}, the default of JVMs to come. */
    public static boolean isRefused(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            // Of a class whose initializer failed before, later attempts have the message only.
            if (cause instanceof IllegalCallerException
                    || String.valueOf(cause.getMessage()).contains(IllegalCallerException.class.getName())) {
                return true;
            }
        }
        return false;
    }

    public static BindingException refused(String target, Throwable failure) {
        return BindingException.of(
                FailureKind.UNAVAILABLE, "load", target, REFUSED, "start java with " + option(), failure);
    }

    /** The option that allows native access to modules that load native code; on the class path these have no name. */
    public static String option() {
        Module own = NativeAccess.class.getModule();
        return "--enable-native-access=" + (own.isNamed() ? own.getName() : "ALL-UNNAMED");
    }

    /** What to do where a jar is missing. */
    public static String add(String jar) {
        return NativeAccess.class.getModule().isNamed()
                ? "add " + jar + " to the module path"
                : "add " + jar + " to the class path";
    }
}

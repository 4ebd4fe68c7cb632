package org.berth.observation.internal.process;

import java.util.HashMap;
import java.util.Map;
import org.berth.observation.ObservationException;

/**
 * The environment of the caller of the {@code berth} script. The script starts its own JVM without variables that are
 * meant for
 * other programs, such as JAVA_TOOL_OPTIONS, and in a locale that knows all letters (tools/start.sh). It keeps the
 * caller's values
 * under other names, and programs that this JVM starts get them back. In a JVM that was started in another way it is
 * the environment of the process. Thread-safe.
 *
 * @since 0.1.0
 */
public final class CallerEnvironment {
    /** Stands before the name of a variable that the script has hidden. */
    private static final String HIDDEN = "BERTH_CALLER_";

    /** Names the variable that the script has set for its own JVM. */
    private static final String OWN = "BERTH_OWN";

    private CallerEnvironment() {}

    /** The variables as the caller has them. */
    public static Map<String, String> variables() {
        Map<String, String> variables = new HashMap<>(System.getenv());
        restore(variables);
        return Map.copyOf(variables);
    }

    /** The name under which this JVM has a variable that the script has hidden from it. */
    public static String hidden(String name) {
        return HIDDEN + name;
    }

    /**
     * Gives a program the environment of the caller.
     *
     * @throws ObservationException when a word of the command, or a variable that the script has hidden, has bytes that
     * are no text:     Java cannot hand them on
     */
    public static ProcessBuilder restore(ProcessBuilder program) {
        requireReadable(program);
        restore(program.environment());
        return program;
    }

    /** Java sets words and variables from text; of variables that it leaves alone it keeps the bytes. */
    private static void requireReadable(ProcessBuilder program) {
        for (String word : program.command()) {
            requireReadable("the word '" + word + "' of the command", word);
        }
        program.environment().forEach((name, value) -> {
            if (name.startsWith(HIDDEN)) {
                requireReadable("the variable " + name.substring(HIDDEN.length()), value);
            }
        });
    }

    /** Java puts this character in the place of bytes that it cannot decode. */
    private static void requireReadable(String what, String text) {
        if (text.indexOf('\uFFFD') >= 0) {
            throw new ObservationException(
                    "cannot pass on " + what + ": it has bytes that are not text, which only berth run can pass on");
        }
    }

    static void restore(Map<String, String> variables) {
        String own = variables.remove(OWN);
        if (own != null) {
            variables.remove(own);
        }
        for (String name : variables.keySet().toArray(new String[0])) {
            if (name.startsWith(HIDDEN)) {
                variables.put(name.substring(HIDDEN.length()), variables.remove(name));
            }
        }
    }
}

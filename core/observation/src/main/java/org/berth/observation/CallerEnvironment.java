package org.berth.observation;

import java.util.HashMap;
import java.util.Map;

/**
 * The environment of the caller of the {@code berth} script. The script starts its own JVM without variables that are meant for
 * other programs, such as JAVA_TOOL_OPTIONS, and in a locale that knows all letters (tools/start.sh). It keeps the caller's values
 * under other names, and programs that this JVM starts get them back. In a JVM that was started in another way it is the
 * environment of the process. Thread-safe.
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

    /** Gives a program the environment of the caller. */
    public static ProcessBuilder restore(ProcessBuilder program) {
        restore(program.environment());
        return program;
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

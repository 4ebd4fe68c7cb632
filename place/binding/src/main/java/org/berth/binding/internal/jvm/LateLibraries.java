package org.berth.binding.internal.jvm;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.binding.internal.MappedLibraries;
import org.berth.binding.internal.NativeBridge;

/**
 * Native libraries that do not count CPUs when they are loaded but when they are used first, by the mask of the thread that does so:
 * nothing can give that thread its domain in that moment. Not thread-safe.
 */
final class LateLibraries {
    /** The variables that such libraries read instead of counting, by the start of their names. */
    private static final Map<String, List<String>> VARIABLES = Map.of(
            "libomp", List.of("OMP_NUM_THREADS"),
            "libiomp5", List.of("OMP_NUM_THREADS"),
            "libmkl_", List.of("MKL_NUM_THREADS", "OMP_NUM_THREADS"));

    private final Map<String, String> environment;
    private final Set<String> told = new HashSet<>();
    private int seen = -1;

    LateLibraries(Map<String, String> environment) {
        this.environment = environment;
    }

    /** What is new since the last look, which reads the list of libraries only when one has been loaded. */
    List<String> look(int processors) {
        int loads = NativeBridge.libraryLoads();
        if (loads == seen) {
            return List.of();
        }
        seen = loads;
        List<String> lines = new ArrayList<>();
        for (String name : MappedLibraries.names()) {
            VARIABLES.forEach((start, variables) -> {
                if (name.startsWith(start)
                        && variables.stream().noneMatch(environment::containsKey)
                        && told.add(start)) {
                    String variable = variables.get(0);
                    lines.add(name
                            + " counts the CPUs of the thread that uses it first, which may be those of a slot; start this JVM with "
                            + variable + "=" + processors + " in its environment (Spark: spark.executorEnv." + variable
                            + ")");
                }
            });
        }
        return lines;
    }
}

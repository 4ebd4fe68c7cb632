package org.berth.oracle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** hwloc's own command-line tools where they are installed: the independent oracle. */
public final class HwlocTools {
    private HwlocTools() {}

    /**
     * Runs a tool such as {@code lstopo-no-graphics} on a topology.
     *
     * @param xml the topology, given to the tool by {@code -i FILE}
     * @return what the tool wrote to its standard output
     * @throws IllegalStateException with the tool's error output when it refuses the topology
     */
    public static String run(Path tool, String xml, String... arguments) {
        try {
            Path input = Files.createTempFile("berth-hwloc-", ".xml");
            try {
                Files.writeString(input, xml);
                List<String> command = new ArrayList<>(List.of(tool.toString(), "-i", input.toString()));
                command.addAll(List.of(arguments));
                ProcessBuilder builder = new ProcessBuilder(command);
                builder.environment().keySet().removeIf(name -> name.startsWith("HWLOC_"));
                builder.environment().put("LC_ALL", "C");
                // hwloc checks its own invariants on what it has loaded, and aborts when one does not hold.
                builder.environment().put("HWLOC_DEBUG_CHECK", "1");
                Child.Result result = Child.run(builder);
                if (result.exitCode() != 0) {
                    throw new IllegalStateException(String.join(" ", command) + ": " + result);
                }
                return result.out();
            } finally {
                Files.delete(input);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + tool, e);
        }
    }
}

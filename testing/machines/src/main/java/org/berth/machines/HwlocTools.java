package org.berth.machines;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** hwloc's own command-line tools where they are installed: the independent oracle. */
public final class HwlocTools {
    private HwlocTools() {}

    /** Where a tool such as {@code lstopo-no-graphics} is on the path; empty when it is not installed. */
    public static Optional<Path> find(String tool) {
        String path = System.getenv().getOrDefault("PATH", "");
        return List.of(path.split(":", -1)).stream()
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, tool))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Runs a tool on a topology.
     *
     * @param xml the topology, given to the tool by {@code -i FILE}
     * @return what the tool wrote to its standard output
     * @throws IllegalStateException with the tool's error output when it fails
     */
    public static String run(Path tool, String xml, String... arguments) {
        try {
            Path folder = Files.createTempDirectory("berth-hwloc-");
            Path input = folder.resolve("machine.xml");
            Path errors = folder.resolve("errors");
            try {
                Files.writeString(input, xml);
                List<String> command = new ArrayList<>(List.of(tool.toString(), "-i", input.toString()));
                command.addAll(List.of(arguments));
                return run(command, errors);
            } finally {
                Files.deleteIfExists(input);
                Files.deleteIfExists(errors);
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + tool, e);
        }
    }

    private static String run(List<String> command, Path errors) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("HWLOC_"));
        builder.environment().put("LC_ALL", "C");
        // hwloc checks its own invariants on what it has loaded, and aborts when one does not hold.
        builder.environment().put("HWLOC_DEBUG_CHECK", "1");
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", command) + " exits with " + process.exitValue() + ": "
                        + Files.readString(errors));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + command.get(0), e);
        }
        return output;
    }
}

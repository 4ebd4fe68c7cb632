package org.berth.cli.split;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.berth.topology.CpuSet;

/**
 * Where the kernel says that a process of a split is.
 *
 * @param pid of the command
 * @param cpus that its main thread may use
 * @param memory its memory policy in the kernel's words, such as {@code bind:0}; empty where the kernel does not tell
 */
record Place(long pid, CpuSet cpus, String memory) {
    private static final String MASK = "Cpus_allowed_list:";

    /** Some names have a space: "weighted interleave:0-1", "prefer (many):0-1". */
    private static final Pattern POLICY = Pattern.compile("\\S+ (default|local|[^:]+:[0-9,-]+)");

    /** The command of a keeper, as soon as it has become that command; empty before, and when it has ended. */
    static Optional<Place> of(ProcessHandle keeper) {
        // The oldest child: later ones are orphans of what the command started.
        Optional<ProcessHandle> child;
        try (Stream<ProcessHandle> children = keeper.children()) {
            child = children.min((a, b) -> a.info()
                    .startInstant()
                    .flatMap(first -> b.info().startInstant().map(first::compareTo))
                    .orElse(0));
        }
        return child.flatMap(command -> read(command.pid(), keeper.pid()));
    }

    private static Optional<Place> read(long pid, long keeper) {
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            if (program(process).equals(program(Path.of("/proc", Long.toString(keeper))))) {
                return Optional.empty();
            }
            for (String line : Files.readAllLines(process.resolve("status"))) {
                if (line.startsWith(MASK)) {
                    CpuSet cpus = CpuSet.parseList(line.substring(MASK.length()).strip());
                    return Optional.of(new Place(pid, cpus, policy(process)));
                }
            }
            return Optional.empty();
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    private static Path program(Path process) throws IOException {
        return Files.readSymbolicLink(process.resolve("exe"));
    }

    /** The policy of the process stands at each mapping that has none of its own. */
    private static String policy(Path process) {
        try {
            List<String> lines = Files.readAllLines(process.resolve("numa_maps"));
            Matcher first = POLICY.matcher(lines.isEmpty() ? "" : lines.get(0));
            return !first.lookingAt() ? "" : first.group(1).equals("default") ? "local" : first.group(1);
        } catch (IOException none) {
            return "";
        }
    }
}

package org.berth.cli.split;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.berth.observation.ProcessStatus;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;
import org.berth.topology.CpuSet;

/**
 * Where the kernel says that a process of a split is.
 *
 * @param pid of the command
 * @param cpus that its main thread may use
 * @param memory its memory policy in the kernel's words, such as {@code bind:0}; empty where the kernel does not tell
 */
record Place(long pid, CpuSet cpus, String memory) {
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
        if (!areKnownToDiffer(program(pid), program(keeper))) {
            return Optional.empty();
        }
        return ProcessStatus.read(pid)
                .value()
                .flatMap(status -> status.field("Cpus_allowed_list"))
                .map(cpus -> new Place(pid, CpuSet.parseList(cpus), policy(pid)));
    }

    /** Until then it may be the keeper, which has not become the command yet. */
    private static boolean areKnownToDiffer(Reading<String> one, Reading<String> other) {
        return one.value().isPresent() && other.value().isPresent() && !one.equals(other);
    }

    private static Reading<String> program(long pid) {
        return SystemFiles.LIVE.link("proc/" + pid + "/exe");
    }

    /** The policy of the process stands at each mapping that has none of its own. */
    private static String policy(long pid) {
        String maps = SystemFiles.LIVE.read("proc/" + pid + "/numa_maps").orElse("");
        Matcher first = POLICY.matcher(maps);
        return !first.lookingAt() ? "" : first.group(1).equals("default") ? "local" : first.group(1);
    }
}

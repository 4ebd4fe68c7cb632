package org.berth.yarn;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.observation.internal.process.ProcessArguments;
import org.berth.topology.CpuSet;

/**
 * The first process of a container, as /proc shows it.
 *
 * @param pid as the NodeManager sees it
 */
record ContainerProcess(long pid) {
    /** In the command line of what comes before the container's command: Hadoop's scripts, and ours. */
    private static final List<String> SCRIPTS = List.of(
            "launch_container.sh", "container_executor", "container-executor", "berth-exec", LaunchCommand.SIGN);

    private static final Pattern POLICY = Pattern.compile("[0-9a-f]+ (default|local|[^:]+:[0-9,-]+)");

    /** How far its start has come. */
    enum Stage {
        /** Hadoop's scripts run still, or those that bind it. */
        STARTING,
        /** It runs the container's command. */
        STARTED,
        /** It has ended. */
        ENDED
    }

    /** This one. */
    static ContainerProcess current() {
        return new ContainerProcess(ProcessHandle.current().pid());
    }

    Stage stage() {
        try {
            String line = String.join(" ", ProcessArguments.of(pid));
            // Empty for a moment while a program is replaced, and for good when it has ended and was not waited for.
            if (line.isEmpty()) {
                return isDead() ? Stage.ENDED : Stage.STARTING;
            }
            return SCRIPTS.stream().anyMatch(line::contains) ? Stage.STARTING : Stage.STARTED;
        } catch (IOException e) {
            return Stage.ENDED;
        }
    }

    private boolean isDead() throws IOException {
        String stat = Files.readString(folder().resolve("stat"), StandardCharsets.ISO_8859_1);
        return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
    }

    /**
     * The CPUs that its first thread may use now.
     *
     * @throws IOException when it has ended
     */
    CpuSet cpus() throws IOException {
        String key = "Cpus_allowed_list:";
        try (var lines = Files.lines(folder().resolve("status"), StandardCharsets.ISO_8859_1)) {
            String list = lines.filter(line -> line.startsWith(key)).findFirst().orElseThrow(IOException::new);
            return CpuSet.parseList(list.substring(key.length()).strip());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /**
     * The memory policy for its new pages, in the kernel's words: {@code default}, {@code weighted interleave:0-1},
     * {@code bind:0-1}; a mapping without a policy of its own shows that of the process (numa(7)).
     */
    String memoryPolicy() {
        try (var lines = Files.lines(folder().resolve("numa_maps"), StandardCharsets.ISO_8859_1)) {
            return lines.findFirst()
                    .map(POLICY::matcher)
                    .filter(Matcher::lookingAt)
                    .map(matcher -> matcher.group(1))
                    .orElse("unknown");
        } catch (IOException | UncheckedIOException mayNotBeRead) {
            return "unknown";
        }
    }

    private Path folder() {
        return Path.of("/proc", Long.toString(pid));
    }
}

package org.berth.numavm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.berth.numavm.Guest;
import org.berth.numavm.GuestJava;
import org.berth.numavm.NumaMaps;
import org.berth.topology.Topology;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The job {@code latency} on two nodes: it has a cell for each pair of nodes, and while it measures one, the kernel shows its
 * thread on the CPUs and all of its buffer on the node of that cell. How long a load takes says nothing under TCG.
 */
@Tag(Guest.TAG)
@Tag("matrix")
class LatencyMatrixTest {
    private static final int MEGABYTES = 16;
    private static final long PAGES = NumaMaps.pagesOf((long) MEGABYTES << 20);
    private static final int BETWEEN_LOOKS_MILLIS = 20;

    /** What one look at a cell's thread and buffer saw. */
    private record Seen(String cpus, Map<Integer, Long> pages) {}

    private final Topology machine = Guest.topology();

    @Test
    void theMatrixHasACellForEachPairOfNodesWithItsMemoryOnTheNamedOne() throws Exception {
        List<String> command = GuestJava.command();
        command.addAll(
                List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m", "org.berth.jobs.memory.Latency"));
        command.addAll(List.of("--scale", "" + MEGABYTES, "--rounds", "1", "--json"));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        // By the thread of the cell, whose ids grow: the last look at each is at a buffer that is filled and its
        // own.
        Map<Integer, Seen> cells = new TreeMap<>();
        while (process.isAlive()) {
            look(process.pid(), cells);
            Thread.sleep(BETWEEN_LOOKS_MILLIS);
        }
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as("exit code").isEqualTo(0);
        System.out.println("matrix: " + cells.values() + " " + out.strip());
        List<Seen> expected = new ArrayList<>();
        for (int from : machine.nodeSet().toArray()) {
            String cpus = machine.numaNode(from).orElseThrow().cpuSet().toString();
            for (int to : machine.nodeSet().toArray()) {
                expected.add(new Seen(cpus, Map.of(to, PAGES)));
                String cell = "\"cpusOfNode\":" + from + ",\"memoryOnNode\":" + to + ",";
                assertThat(out.split(cell, -1).length)
                        .as("cells " + cell + " in " + out)
                        .isEqualTo(2);
            }
        }
        assertThat(List.copyOf(cells.values())).as("places that were seen").isEqualTo(expected);
    }

    /** Nothing counts when there is more than one full buffer: the one of the cell before is not given back yet. */
    private static void look(long pid, Map<Integer, Seen> cells) throws IOException {
        try {
            Optional<Path> thread = thread(pid);
            if (thread.isEmpty()) {
                return;
            }
            List<Map<Integer, Long>> full = new ArrayList<>();
            for (String line :
                    Files.readAllLines(Path.of("/proc/" + pid + "/numa_maps"), StandardCharsets.ISO_8859_1)) {
                Map<Integer, Long> pages = NumaMaps.of(line);
                if (pages.values().stream().mapToLong(Long::longValue).sum() == PAGES) {
                    full.add(pages);
                }
            }
            String cpus = Files.readAllLines(thread.get().resolve("status")).stream()
                    .filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElseThrow();
            if (full.size() == 1) {
                cells.put(Integer.parseInt(thread.get().getFileName().toString()), new Seen(cpus, full.get(0)));
            }
        } catch (NoSuchFileException ended) {
            // The thread, or the job.
        } catch (IOException e) {
            if (Files.exists(Path.of("/proc/" + pid + "/stat"))
                    && !String.valueOf(e.getMessage()).contains("No such process")) {
                throw e;
            }
        }
    }

    private static Optional<Path> thread(long pid) throws IOException {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks) {
                if (Files.readString(task.resolve("comm")).startsWith("latency-")) {
                    return Optional.of(task);
                }
            }
        }
        return Optional.empty();
    }
}

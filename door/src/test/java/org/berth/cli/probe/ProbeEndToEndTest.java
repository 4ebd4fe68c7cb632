package org.berth.cli.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.binding.LocalMachine;
import org.berth.cli.CliProcess;
import org.berth.cli.CommandLines;
import org.berth.machines.JsonValues;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code berth probe} as users start it; where its threads are is read from /proc. */
@Timeout(240)
final class ProbeEndToEndTest {
    @TempDir
    private Path folder;

    private final CpuSet allowed = LocalMachine.open().topology().allowedCpuSet();

    @Test
    void itsThreadsAreOnTheCpusOfTheirClass() throws Exception {
        int first = allowed.first();
        try (CliProcess probe = CliProcess.start(
                folder, "probe", "--loopback", "--nic", "cpu:" + first, "--runs", "1000000", "--size", "1")) {
            // A thread that was born this moment is bound in the next one.
            Await.until("no thread elsewhere", () -> wrongPlaces(probe.allowedOfThreads(), first), List::isEmpty);
        }
    }

    /** Threads that are missing, or that the kernel allows other CPUs than those of their class. */
    private List<String> wrongPlaces(Map<String, CpuSet> masks, int first) {
        List<String> wrong = new ArrayList<>();
        for (String wanted : List.of("probe-net-NS ", "probe-sender ")) {
            if (masks.keySet().stream().noneMatch(name -> name.startsWith(wanted))) {
                wrong.add("no " + wanted);
            }
        }
        masks.forEach((name, cpus) -> {
            boolean at = name.startsWith("probe-net-NS ") || name.startsWith("probe-sender ");
            boolean away = name.startsWith("probe-net-") && !at;
            boolean right = at
                    ? cpus.equals(CpuSet.of(first))
                    : away ? !cpus.contains(first) : name.startsWith("probe-") || cpus.equals(allowed);
            if (!right) {
                wrong.add(name + " on " + cpus);
            }
        });
        return wrong;
    }

    @Test
    void measuresWritesAndMessagesAndKeepsAllSamples() throws Exception {
        Path csv = folder.resolve("samples.csv");
        Path svg = folder.resolve("figure.svg");
        String cpu = "cpu:" + allowed.first();
        Path disk = Files.createTempDirectory(Path.of("target"), "probe");
        Child.Result result = CliProcess.run(
                folder,
                "probe",
                "--volume",
                disk.toString(),
                "--disk",
                cpu,
                "--loopback",
                "--nic",
                cpu,
                "--runs",
                "3",
                "--size",
                "1",
                "--json",
                "--csv",
                csv.toString(),
                "--svg",
                svg.toString());
        // Nothing may be left in it.
        Files.delete(disk);

        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        List<?> probes = (List<?>) JsonValues.field(JsonValues.object(result.out()), "probes");
        assertThat(probes).hasSize(2);
        int samples = 0;
        for (Object probe : probes) {
            Map<?, ?> fields = (Map<?, ?>) probe;
            List<?> classes = (List<?>) JsonValues.field(fields, "classes");
            assertThat(classes).hasSize(4);
            long here = classes.stream()
                    .filter(one -> ((Map<?, ?>) one).containsKey("megabytesPerSecond"))
                    .count();
            assertThat((List<?>) JsonValues.field(fields, "samples")).hasSize((int) (3 * here));
            samples += (int) (3 * here);
        }
        assertThat(Files.readAllLines(csv)).hasSize(1 + samples);
        assertThat(Files.readString(svg)).startsWith("<?xml").contains("[DS]", "[NS]");
    }

    @Test
    void receivesFromAServer() throws Exception {
        try (CliProcess server = CliProcess.start(folder, "probe", "--server", "127.0.0.1:0")) {
            String line = server.readUntil("sending to probes that connect to ");
            String port = line.replaceAll(".*:(\\d+),.*", "$1");
            Child.Result result = CommandLines.run(
                    "probe",
                    "--peer",
                    "127.0.0.1:" + port,
                    "--nic",
                    "cpu:" + allowed.first(),
                    "--runs",
                    "2",
                    "--size",
                    "1");
            assertThat(result.err()).isEmpty();
            assertThat(result.out()).contains("Network: 1 MB received from 127.0.0.1, 2 times on each core", "[NS]");
            Child.Result none = CommandLines.run("probe", "--peer", "127.0.0.1:" + port, "--runs", "1");
            assertThat(none.exitCode()).isEqualTo(2);
            assertThat(none.err()).contains("it stays on this host");
            server.signal("TERM");
            assertThat(server.exitCode()).isZero();
        }
    }
}

package org.berth.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.berth.oracle.Await;
import org.berth.topology.NodeSet;
import org.berth.transport.host.AdapterChoice;
import org.berth.transport.host.NetworkDevices;
import org.berth.transport.internal.threads.Spinners;
import org.berth.transport.progress.WaitMode;
import org.berth.transport.settings.TransportSettings;
import org.junit.jupiter.api.Test;

/** The CPUs on which progress threads may run, read from /proc. */
final class PlacesTest {
    /** Numbers of this process's threads whose name begins like this, and their folders in /proc. */
    static Map<String, Path> threads(String name) throws IOException {
        Map<String, Path> threads = new TreeMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : all) {
                if (comm(thread).startsWith(name)) {
                    threads.put(thread.getFileName().toString(), thread);
                }
            }
        }
        return threads;
    }

    private static String comm(Path thread) {
        try {
            return Files.readString(thread.resolve("comm"));
        } catch (IOException ended) {
            return "";
        }
    }

    /** Their masks. */
    private static Map<String, String> masks(String name) throws IOException {
        Map<String, String> masks = new TreeMap<>();
        for (Map.Entry<String, Path> thread : threads(name).entrySet()) {
            masks.put(thread.getKey(), mask(thread.getValue()));
        }
        return masks;
    }

    @Test
    void withoutAPolicyAThreadRunsWhereItsProcessDoes() throws Exception {
        try (Transport engine = Transport.open(Echo.settings("free", "tcp"))) {
            assertThat(masks("free")).hasSize(engine.settings().threads());
            assertThat(masks("free").values()).containsOnly(ownMask());
        }
    }

    @Test
    void aPolicyGivesEachThreadACoreOfItsOwn() throws Exception {
        requireAdapter();
        Map<String, String> options = Map.of("providers", "local,tcp", "policy", "o2ocs", "threads", "2");
        try (Transport engine = Transport.open(Echo.settings("core", options));
                Listener listener =
                        engine.listen("127.0.0.1:0", Echo.acceptor(Collections.synchronizedList(new ArrayList<>())));
                Echo.Client client = new Echo.Client(engine, listener.address(), "hello")) {
            client.ask(new byte[100]);
            Await.until("two threads", () -> masks("core").size() == 2);
            Set<String> cores = new TreeSet<>();
            for (Path cpu : cpuFolders()) {
                cores.add(Files.readString(cpu.resolve("topology/thread_siblings_list"))
                        .strip());
            }
            assertThat(masks("core").values())
                    .allSatisfy(mask -> assertThat(cores).contains(mask));
            assertThat(new TreeSet<>(masks("core").values())).hasSize(Math.min(2, cores.size()));
        }
    }

    /** Policies are about a network adapter. */
    static void requireAdapter() {
        boolean adapter = AdapterChoice.of(NetworkDevices.read(Path.of("/")), AdapterChoice.AUTO, NodeSet.full())
                .device()
                .isPresent();
        assumeTrue(adapter, "this machine shows no network adapter whose link is up");
    }

    private static Set<Path> cpuFolders() throws IOException {
        Set<Path> folders = new TreeSet<>();
        try (DirectoryStream<Path> cpus = Files.newDirectoryStream(Path.of("/sys/devices/system/cpu"), "cpu[0-9]*")) {
            for (Path cpu : cpus) {
                if (Files.exists(cpu.resolve("topology/thread_siblings_list"))) {
                    folders.add(cpu);
                }
            }
        }
        return folders;
    }

    @Test
    void anAdapterThatIsNotThereLeavesThreadsUnbound() throws Exception {
        Map<String, String> options = Map.of("providers", "tcp", "policy", "o2ocs", "device", "nic99");
        try (Transport engine = Transport.open(Echo.settings("none", options))) {
            assertThat(masks("none")).hasSize(engine.settings().threads());
            assertThat(masks("none").values()).containsOnly(ownMask());
        }
    }

    /** Threads that spin never take the last CPU; the engine works all the same. */
    @Test
    void threadsThatWouldTakeAllCpusDoNotSpin() throws Exception {
        int cpus = Runtime.getRuntime().availableProcessors();
        Map<String, String> options = Map.of("providers", "tcp", "wait", "spin", "threads", Integer.toString(cpus));
        TransportSettings settings = Echo.settings("spin", options);
        assertThat(Spinners.allowed(settings)).isEqualTo(WaitMode.EVENT);
        try (Transport engine = Transport.open(settings);
                Listener listener =
                        engine.listen("127.0.0.1:0", Echo.acceptor(Collections.synchronizedList(new ArrayList<>())));
                Echo.Client client = new Echo.Client(engine, listener.address(), "hello")) {
            assertThat(client.ask(new byte[3])).hasSize(3);
        }
    }

    private static String ownMask() throws IOException {
        return mask(Path.of("/proc/self"));
    }

    private static String mask(Path process) throws IOException {
        return Files.readString(process.resolve("status"))
                .lines()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .findFirst()
                .orElseThrow()
                .replaceFirst(".*\\s", "");
    }
}

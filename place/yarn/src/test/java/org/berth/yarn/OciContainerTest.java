package org.berth.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.binding.leases.Leases;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.placement.MemoryMode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the listener makes of a command, in containers of runc, mounted as docs/engines/yarn.md says. */
@Timeout(300)
@Tag("one-jdk")
@Tag("cluster")
class OciContainerTest {
    private static final String LAUNCHER = "/opt/berth/bin/berth-exec";
    private static final String LEASES = "/dev/shm/berth-leases";
    private static final List<String> COMMANDS = List.of("grep Cpus_allowed_list /proc/self/status && exec sleep 900");

    @TempDir
    static Path folder;

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static Ledger ledger;
    private static Map<Path, String> mounts = Map.of();

    /** Unpacks like {@code unzip} in docs/engines/yarn.md. */
    @BeforeAll
    static void prepare() throws IOException {
        OciContainer.assumeTheyCanBeRun(folder.resolve("trial"));
        String machine = System.getProperty("os.arch").equals("aarch64") ? "linux-aarch64" : "linux-x86_64";
        Path bin = Files.createDirectory(folder.resolve("bin"));
        Path launcher = bin.resolve("berth-exec");
        try (InputStream packed = Objects.requireNonNull(
                NativeLibrary.class.getResourceAsStream("/META-INF/native/" + machine + "/berth-exec"))) {
            Files.copy(packed, launcher);
        }
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
        ledger = new Ledger(folder.resolve("leases"));
        assertThat(Leases.at(ledger.directory()).list()).isEmpty();
        mounts = Map.of(bin, "ro:/opt/berth/bin", ledger.directory(), "rw:" + LEASES);
    }

    private static Path bundle() throws IOException {
        return Files.createDirectory(folder.resolve("bundle" + NUMBER.incrementAndGet()));
    }

    /** Quotes like ContainerLaunch.UnixShellScriptBuilder. */
    private static String script(boolean strict, String name) {
        LaunchCommand command = new LaunchCommand(
                LAUNCHER, LEASES, MemoryMode.PREFER, Optional.empty(), Optional.empty(), false, strict);
        return "exec /bin/bash -c \"" + String.join(" ", command.wrap(COMMANDS, "core:1", name)) + "\"";
    }

    private static String lastCpu() {
        String all = Machine.cpuList();
        return all.substring(Math.max(all.lastIndexOf(','), all.lastIndexOf('-')) + 1);
    }

    /** The ledger is this machine's: the container's PID in it is that of the container's namespace. */
    @Test
    void aContainerIsBornInItsSlotThoughItMaySetNoMemoryPolicy() throws Exception {
        String cpu = lastCpu();
        try (OciContainer container = OciContainer.start(bundle(), script(false, "container_1"), mounts, cpu, false)) {
            long pid = container.awaitCommand();
            assertThat(ledger.held()).containsExactly(Map.entry("container_1", cpu));
            assertThat(ledger.held("pid ")).containsExactly(Map.entry("container_1", "1"));
            assertThat(ProcStatus.settledMasks(pid)).containsExactly(cpu);
            assertThat(container.awaitOutput(text -> text.endsWith("\n"))).endsWith("\t" + cpu + "\n");
            assertThat(container
                            .awaitError(text -> text.endsWith("; only the CPUs are bound"))
                            .lines()
                            .toList())
                    .hasSize(2)
                    .last()
                    .asString()
                    .startsWith("berth: cannot read the memory nodes of this process: Operation not permitted");
        }
        Await.until("the end of the lease", () -> ledger.held().isEmpty());
    }

    @Test
    void aStrictContainerFailsWithoutMemoryPolicies() throws Exception {
        String all = Machine.cpuList();
        try (OciContainer container = OciContainer.start(bundle(), script(true, "container_6"), mounts, all, false)) {
            assertThat(container.end()).isEqualTo(1);
            assertThat(container.output()).isEmpty();
            assertThat(container.error()).endsWith(": Operation not permitted");
        }
        Await.until("the end of the lease", () -> ledger.held().isEmpty());
    }

    @Test
    void aContainerIsBornInItsSlotWithItsMemoryWhereAllowed() throws Exception {
        String all = Machine.cpuList();
        try (OciContainer container = OciContainer.start(bundle(), script(true, "container_2"), mounts, all, true)) {
            long pid = container.awaitCommand();
            assertThat(ledger.held()).containsOnlyKeys("container_2");
            assertThat(ProcStatus.settledMasks(pid))
                    .containsExactly(ledger.cpus("container_2"))
                    .allMatch(mask -> Cores.in(mask) == 1);
            assertThat(Files.readAllLines(Path.of("/proc/" + pid + "/numa_maps")))
                    .isNotEmpty()
                    .allMatch(line -> line.contains(" prefer"));
            assertThat(container.awaitError(text -> !text.isEmpty()))
                    .startsWith("berth: core of CPUs ")
                    .hasLineCount(1);
        }
        Await.until("the end of the lease", () -> ledger.held().isEmpty());
    }

    @Test
    void runsUnboundWithOneLineWithoutTheMounts() throws Exception {
        String all = Machine.cpuList();
        try (OciContainer container =
                OciContainer.start(bundle(), script(false, "container_3"), Map.of(), all, false)) {
            assertThat(ProcStatus.settledMasks(container.awaitCommand())).containsExactly(all);
            assertThat(ledger.held()).isEmpty();
            assertThat(container.awaitError(text -> text.endsWith("this container runs unbound")))
                    .startsWith("berth: /opt/berth/bin/berth-exec cannot be run here, or ")
                    .hasLineCount(1);
        }
        try (OciContainer container = OciContainer.start(bundle(), script(true, "container_4"), Map.of(), all, false)) {
            assertThat(container.end()).isEqualTo(126);
            assertThat(container.error()).endsWith("this container fails").hasLineCount(1);
        }
    }

    /** An image's entry point has no text in front: the NodeManager binds it, from this machine. */
    @Test
    void aContainerIsBoundFromOutsideInItsCpuset() throws Exception {
        String cpu = lastCpu();
        LaunchCommand command = new LaunchCommand(
                NativeLibrary.launcher().toString(),
                ledger.directory().toString(),
                MemoryMode.PREFER,
                Optional.empty(),
                Optional.empty(),
                false,
                false);
        OutsideBinding outside = new OutsideBinding(command, Leases.at(ledger.directory()));
        for (String cpus : List.of(cpu, Machine.cpuList())) {
            try (OciContainer container =
                    OciContainer.start(bundle(), "sleep 901 &\nexec sleep 900", Map.of(), cpus, false)) {
                long pid = container.awaitCommand();
                assertThat(ProcStatus.settledMasks(pid)).containsExactly(cpus);
                outside.bind(new ContainerProcess(pid), "core:1", "container_5");
                String held = ledger.cpus("container_5");
                assertThat(Cores.in(held)).isEqualTo(1);
                assertThat(ProcStatus.settledMasks(pid)).containsExactly(held);
                assertThat(ProcessHandle.of(pid).orElseThrow().children())
                        .isNotEmpty()
                        .allSatisfy(child ->
                                assertThat(ProcStatus.settledMasks(child.pid())).containsExactly(held));
                if (cpus.equals(cpu)) {
                    assertThat(held).isEqualTo(cpu);
                }
            }
            Await.until("the end of the lease", () -> ledger.held().isEmpty());
        }
    }
}

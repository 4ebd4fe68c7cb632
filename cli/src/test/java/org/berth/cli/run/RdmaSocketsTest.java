package org.berth.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.cli.CliProcess;
import org.berth.cli.shared.CommandException;
import org.berth.oracle.Child;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is looked at before a command gets sockets over RDMA, and what it gets. A started command is looked at in the guest
 * (testing/numa-vm, check 2 rdma), which has a device.
 */
@Tag("one-jdk")
final class RdmaSocketsTest {
    private static final String JVM =
            "-Djava.nio.channels.spi.SelectorProvider=sun.nio.ch.PollSelectorProvider -Djava.net.preferIPv4Stack=true";

    @TempDir
    private Path root;

    /** A host with all that is needed; what stands in for the library is of this machine. */
    @BeforeEach
    void wholeHost() throws IOException {
        file("sys/class/infiniband/mlx5_0/ports/1/state", "1: DOWN\n");
        file("sys/class/infiniband/mlx5_1/ports/1/state", "4: ACTIVE\n");
        file("dev/infiniband/rdma_cm", "");
        Files.createDirectories(library().getParent());
        Files.copy(Path.of("/proc/self/exe"), library());
    }

    private Path library() {
        return root.resolve("usr/lib/machine-linux-gnu/rsocket/librspreload.so");
    }

    private void file(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void requireFailure(Map<String, String> environment, String... parts) {
        assertThatThrownBy(() -> RdmaSockets.require(root, environment))
                .isInstanceOf(CommandException.class)
                .hasMessageContainingAll(parts)
                .hasMessageNotContaining("\n");
    }

    @Test
    void aHostWithAllOfItGivesTheLibrary() {
        assertThat(RdmaSockets.require(root, Map.of()))
                .isEqualTo(new RdmaSockets(library(), List.of("mlx5_1 port 1"), true));
    }

    /** Of a line "PROGRAM DOMAIN TYPE PROTOCOL" the library compares the program's beginning. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            java INET STREAM *                 | false
            java inet sock_stream tcp          | false
            # java INET STREAM *               | true
            java INET                          | true
            * INET * *                         | true
            java INET STREAM *,jav * DGRAM udp | true
            java INET STREAM *,nfsd * * *      | false
            """)
    void aJvmsDatagramSocketsAreTheLibrarysUnlessItIsTold(String lines, boolean datagrams) throws IOException {
        file("etc/rdma/rsocket/preload_config", lines.replace(',', '\n') + "\n");
        RdmaSockets sockets = RdmaSockets.require(root, Map.of());
        assertThat(sockets.datagrams()).isEqualTo(datagrams);
        assertThat(sockets.warnings().toString().contains("java INET STREAM *")).isEqualTo(datagrams);
    }

    /** Debian 12 has 44.0. */
    @ParameterizedTest
    @CsvSource({
        "librdmacm.so.1.3.44.0, true",
        "librdmacm.so.1.3.44.7, false",
        "librdmacm.so.1.3.50.1, true",
        "librdmacm.so.1.3.53.0, false",
        "librdmacm.so.1.3.64.1, false",
        "librdmacm.so.1, false",
    })
    void aReleaseThatLosesConnectionsIsNamed(String file, boolean loses) throws IOException {
        Path folder = root.resolve("usr/lib/machine-linux-gnu");
        Files.createFile(folder.resolve(file));
        if (!file.equals("librdmacm.so.1")) {
            Files.createSymbolicLink(folder.resolve("librdmacm.so.1"), Path.of(file));
        }
        assertThat(RdmaSockets.require(root, Map.of()).warnings().toString().contains("listens at four sockets"))
                .isEqualTo(loses);
    }

    @Test
    void aHostWithoutTheLibraryNamesItsPackage() throws IOException {
        Files.delete(library());
        requireFailure(Map.of(), "librspreload.so", "/usr/lib/*/rsocket", "librdmacm1");
    }

    /** The loader would leave it out with a warning. */
    @Test
    void aLibraryOfAnotherMachineIsNone() throws IOException {
        byte[] other = Files.readAllBytes(library());
        other[18] ^= 1;
        Files.write(library(), other);
        requireFailure(Map.of(), "librspreload.so for this machine is in none of");
        requireFailure(
                Map.of(RdmaSockets.LIBRARY_VARIABLE, library().toString()), "for this machine", "BERTH_RSPRELOAD=");
    }

    @Test
    void devicesThatAreNotActiveAreNamedWithTheirState() throws IOException {
        file("sys/class/infiniband/mlx5_1/ports/1/state", "2: INIT\n");
        requireFailure(Map.of(), "no RDMA device in " + root, "mlx5_0 port 1 is DOWN, mlx5_1 port 1 is INIT");
    }

    @Test
    void aHostWithoutTheConnectionManagerNamesItsModule() throws IOException {
        Files.delete(root.resolve("dev/infiniband/rdma_cm"));
        requireFailure(Map.of(), "/dev/infiniband/rdma_cm is missing", "modprobe rdma_ucm");
    }

    @Test
    void theUsersOwnLibraryIsTaken() throws IOException {
        Path own = Files.copy(library(), root.resolve("own.so"));
        Files.delete(library());
        assertThat(RdmaSockets.require(root, Map.of(RdmaSockets.LIBRARY_VARIABLE, own.toString()))
                        .library())
                .isEqualTo(own);
    }

    @Test
    void whatTheUserHasPreloadedAndSetStays() {
        RdmaSockets sockets = new RdmaSockets(Path.of("/r/librspreload.so"), List.of("mlx5_0 port 1"), true);
        Launch plain = new Launch(Map.of(), List.of(), List.of("java", "-version"));
        assertThat(sockets.on(plain, Map.of()).toShellLine())
                .isEqualTo("JAVA_TOOL_OPTIONS='" + JVM + "' LD_PRELOAD=/r/librspreload.so java -version");
        assertThat(sockets.on(plain, Map.of("LD_PRELOAD", "/a.so:/b.so", "JAVA_TOOL_OPTIONS", "-Xmx1g"))
                        .environment())
                .isEqualTo(
                        Map.of("LD_PRELOAD", "/r/librspreload.so:/a.so:/b.so", "JAVA_TOOL_OPTIONS", "-Xmx1g " + JVM));
        Launch ruled = new Launch(Map.of("JAVA_TOOL_OPTIONS", "-Xmx1g -agentpath:/n.so"), List.of(), List.of("sh"));
        assertThat(sockets.on(ruled, Map.of("JAVA_TOOL_OPTIONS", "-Xmx1g")).environment())
                .containsEntry("JAVA_TOOL_OPTIONS", "-Xmx1g -agentpath:/n.so " + JVM);
    }

    @Test
    void aScriptOfBashIsRefusedWhereBashDies() throws IOException {
        Path script = Files.writeString(root.resolve("script"), "#!/usr/bin/env bash\necho started\n");
        Path other = Files.writeString(root.resolve("other"), "#!/bin/sh\necho bash\n");
        RdmaSockets harmless = new RdmaSockets(root.resolve("none.so"), List.of("mlx5_0 port 1"), true);
        harmless.requireRuns(script);
        Path library = Path.of("/usr/lib/x86_64-linux-gnu/rsocket/librspreload.so");
        if (!Files.exists(library) || Child.run(bashWith(library)).exitCode() == 0) {
            abort("bash lives with the library of this host, or there is none");
        }
        RdmaSockets deadly = new RdmaSockets(library, List.of("mlx5_0 port 1"), true);
        deadly.requireRuns(other);
        assertThatThrownBy(() -> deadly.requireRuns(script))
                .isInstanceOf(CommandException.class)
                .hasMessageContainingAll("bash, which runs " + script, "dies with " + library, "start the JVM itself");
    }

    private static ProcessBuilder bashWith(Path library) {
        ProcessBuilder bash = new ProcessBuilder("bash", "-c", ":");
        bash.environment().put("LD_PRELOAD", library.toString());
        return bash;
    }

    /** Never plain TCP instead. */
    @Test
    void withoutADeviceTheCommandDoesNotStart() throws IOException {
        Path devices = Path.of("/sys/class/infiniband");
        if (Files.isDirectory(devices)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(devices)) {
                if (found.iterator().hasNext()) {
                    abort("this host has an RDMA device");
                }
            }
        }
        for (String[] words : new String[][] {
            {"run", "--rdma-sockets", "--", "echo", "started"},
            {"run", "--rdma-sockets", "--dry-run", "--level", "core", "--", "echo", "started"},
            {"run", "--rdma-sockets", "--domain", "numa", "--", "echo", "started"}
        }) {
            Child.Result result = CliProcess.run(root, words);
            assertThat(result.err())
                    .startsWith("berth: --rdma-sockets: there is no RDMA device in /sys/class/infiniband; ")
                    .contains("rdma link add rxe0 type rxe netdev eth0")
                    .hasLineCount(1);
            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.out()).isEmpty();
        }
    }
}

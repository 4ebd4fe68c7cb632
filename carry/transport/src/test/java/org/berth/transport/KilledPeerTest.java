package org.berth.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.transport.settings.Parameter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that is killed in the middle of large messages: its client hears of it, and loses no buffer. */
final class KilledPeerTest {
    @TempDir
    private Path sockets;

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "local", "ucx"})
    void itsClientHearsOfIt(String provider) throws Exception {
        Echo.require(provider);
        ChildJvm program = ChildJvm.of(EchoProgram.class, provider)
                .with("-XX:TieredStopAtLevel=1")
                .environment(Parameter.LOCAL_DIRECTORY.variable(), sockets.toString());
        Map<String, String> options = Map.of("providers", provider, "local-directory", sockets.toString());
        try (Transport client = Transport.open(Echo.settings("client", options));
                Child server = program.start()) {
            Echo.Client echo = new Echo.Client(client, server.readLine(), "hello");
            assertThat(echo.connection().provider()).isEqualTo(provider);
            assertThat(echo.ask(new byte[2_000_000])).hasSize(2_000_000);
            for (int i = 0; i < 20; i++) {
                echo.send(new byte[2_000_000]);
            }
            server.kill();
            assertThat(echo.end()).isIn("closed", "CLOSED");
            MessagesTest.requireNothingLeased(client);
        }
        if (provider.equals("local")) {
            // Its socket is left behind, and the next server of this user removes it.
            try (Child next = program.start()) {
                next.readLine();
                assertThat(socketsOf(sockets)).hasSize(1);
            }
        }
    }

    /** UCX ends a process that closes it in the wrong order, so this runs in one of its own. */
    @Tag("one-jdk")
    @ParameterizedTest
    @ValueSource(strings = {"local", "ucx"})
    void enginesCloseWhileMessagesAreUnderWay(String provider) {
        Echo.require(provider);
        long seed = System.nanoTime();
        Child.Result result = ChildJvm.of(CyclesProgram.class, provider, Long.toString(seed), "25")
                .with("-XX:TieredStopAtLevel=1")
                .environment(Parameter.LOCAL_DIRECTORY.variable(), sockets.toString())
                .run();
        assertThat(result.output()).as("leased buffers, seed " + seed).isEqualTo("0");
    }

    private static List<Path> socketsOf(Path folder) throws Exception {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(files::add);
        }
        return files;
    }
}

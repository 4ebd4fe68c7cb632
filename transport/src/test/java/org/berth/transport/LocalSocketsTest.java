package org.berth.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the sockets of the Unix domain are. */
final class LocalSocketsTest {
    @TempDir
    private Path folder;

    /** As in a container of YARN. */
    @Test
    void aJvmWithATemporaryFolderOfALongNameHasThem() throws Exception {
        Path temporary = Files.createDirectories(folder.resolve("usercache/appcache/" + "container".repeat(12)));
        try (Child server = ChildJvm.of(EchoProgram.class, "local")
                        .with("-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + temporary)
                        .start();
                Transport client = Transport.open(Echo.settings("client", "local"));
                Echo.Client echo = new Echo.Client(client, server.readLine(), "hello")) {
            assertThat(echo.ask(new byte[10])).hasSize(10);
            assertThat(echo.connection().provider()).isEqualTo("local");
        }
    }

    @Test
    void aFolderThatOthersMayWriteToIsNotUsed() throws Exception {
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> new LocalSockets(open).addressToListen(""))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("other users may write to the directory " + open);
        requireTcp(open);
    }

    @Test
    void aFolderOfAnotherUserIsNotUsed() throws Exception {
        Path others = Files.createDirectory(folder.resolve("others"));
        try {
            Files.setAttribute(others, "unix:uid", 65_534);
        } catch (IOException e) {
            Assumptions.abort("only root gives a folder to another user: " + e.getMessage());
        }
        assertThatThrownBy(() -> new LocalSockets(others).addressToListen(""))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the directory " + others + " belongs to user 65534");
        requireTcp(others);
    }

    private static void requireTcp(Path directory) throws Exception {
        Map<String, String> options = Map.of("providers", "local", "local-directory", directory.toString());
        try (Transport server = Transport.open(Echo.settings("server", options));
                Transport client = Transport.open(Echo.settings("client", options));
                Listener listener = server.listen("127.0.0.1:0", Echo.acceptor(new java.util.ArrayList<>()));
                Echo.Client echo = new Echo.Client(client, listener.address(), "hello")) {
            assertThat(echo.ask(new byte[10])).hasSize(10);
            assertThat(echo.connection().provider()).isEqualTo("tcp");
            try (var files = Files.list(directory)) {
                assertThat(files).isEmpty();
            }
        }
    }
}

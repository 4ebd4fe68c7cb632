package org.berth.transport.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.Machine;
import org.berth.oracle.Tool;
import org.berth.transport.Echo;
import org.berth.transport.EchoProgram;
import org.berth.transport.Listener;
import org.berth.transport.Transport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The directory of the Unix domain sockets. */
final class LocalSocketsTest {
    @TempDir
    private Path folder;

    /** A container of YARN has such a directory. */
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

    /** Another user who takes the name first neither gets our connections nor ends them. */
    @Test
    void aNameThatAnotherUserHasTakenIsPassedOver() throws Exception {
        Machine.requireRoot();
        Tool.require("setpriv");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path everybodys = Files.createDirectory(folder.resolve("all"));
        Tool.output("chmod", "1777", everybodys.toString());
        for (String obstacle : List.of("mkdir N", "ln -s . N", "ln -s .. N", "mkfifo N", "touch N")) {
            Path name = everybodys.resolve("N" + obstacle.hashCode());
            String script = obstacle.replace("N", name.toString());
            Tool.output("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c", script);
            Path socket;
            LocalSockets sockets = new LocalSockets(name);
            try (ServerSocketChannel server = sockets.openServer()) {
                server.bind(sockets.addressToListen(""));
                socket = Path.of(sockets.listening(server));
                String ours = socket.toString().replaceFirst("/[^/]*$", "");
                assertThat(ours).matches(name + "-[0-9a-f]{12}");
                assertThat(Tool.output("stat", "-c", "%u %a %F", ours)).isEqualTo("0 711 directory");
                try (SocketChannel client = SocketChannel.open(sockets.addressOf(socket.toString()))) {
                    assertThat(client.isConnected()).isTrue();
                }
            } finally {
                sockets.close();
            }
            assertThat(socket).doesNotExist();
        }
    }

    /** The socket of a killed server whose number another process or thread has by now. */
    @Test
    void aSocketOfAProcessWhoseNumberCameBackIsRemoved() throws Exception {
        LocalSockets sockets = new LocalSockets(folder.resolve("own"));
        try (ServerSocketChannel server = sockets.openServer()) {
            server.bind(sockets.addressToListen(""));
            Path own = Path.of(sockets.listening(server));
            Path stranger = own.resolveSibling(ProcessHandle.current().pid() + "-1-secret");
            try (ServerSocketChannel killed = sockets.openServer()) {
                killed.bind(sockets.addressOf(stranger.toString()));
                sockets.addressToListen("");
                assertThat(stranger).as("a socket that answers").exists();
            }
            sockets.addressToListen("");
            assertThat(stranger).doesNotExist();
            assertThat(own).exists();
        } finally {
            sockets.close();
        }
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

package org.berth.transport.internal.stream;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.berth.observation.internal.PrivateDirectory;
import org.berth.observation.internal.ProcessStat;
import org.jspecify.annotations.Nullable;

/**
 * Unix domain sockets; addresses are paths. The file of a socket has a name that cannot be guessed, in a directory that
 * no other user can list; any user may connect, as the handshake asks for the token of a connection. */
public final class LocalSockets implements SocketFamily {
    /** The size of sun_path (unix(7)), with its last zero. */
    private static final int LONGEST_PATH = 107;

    /**
     * Room for a socket's name below it (digits of a PID and of clock ticks, a secret), and what the name gets where
     * another user has taken it.
     */
    public static final int LONGEST_DIRECTORY = LONGEST_PATH - (1 + 10 + 1 + 12 + 1 + 26) - 13;

    private final Path wanted;
    private final Set<Path> files = ConcurrentHashMap.newKeySet();
    private final Thread atExit = new Thread(this::deleteFiles, "berth-transport-exit");
    private volatile @Nullable Thread registered;

    public LocalSockets(Path wanted) {
        this.wanted = wanted;
    }

    @Override
    public String name() {
        return "local";
    }

    @Override
    public SocketChannel open() throws IOException {
        return SocketChannel.open(StandardProtocolFamily.UNIX);
    }

    @Override
    public ServerSocketChannel openServer() throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    }

    @Override
    public synchronized SocketAddress addressToListen(String address) throws IOException {
        // Another user who has made it before could put his sockets in the place of ours, and take the tokens of
        // connections.
        Path directory = directory();
        removeDeadSockets(directory);
        Path file = directory.resolve(ownerOf(ProcessHandle.current().pid()) + "-" + secret());
        if (file.toString().length() > LONGEST_PATH) {
            throw new IOException("the path " + file + " is longer than " + LONGEST_PATH
                    + " characters: choose another directory (local-directory)");
        }
        files.add(file);
        if (registered == null) {
            Runtime.getRuntime().addShutdownHook(atExit);
            registered = atExit;
        }
        return UnixDomainSocketAddress.of(file);
    }

    private Path directory() throws IOException {
        try {
            return PrivateDirectory.of(wanted, PrivateDirectory.PASSABLE);
        } catch (IOException e) {
            throw new IOException(
                    "the directory " + wanted + " cannot be used: " + e.getMessage()
                            + ": choose another directory (local-directory)",
                    e);
        }
    }

    /** A process, by its number and its start time, because numbers are reused. */
    private static String ownerOf(long pid) {
        return pid + "-" + ProcessStat.field(Path.of("/proc", Long.toString(pid)), ProcessStat.START_TIME);
    }

    private static String secret() {
        UUID random = UUID.randomUUID();
        return Long.toUnsignedString(random.getMostSignificantBits(), 36)
                + Long.toUnsignedString(random.getLeastSignificantBits(), 36);
    }

    /**
     * Those of processes that were killed: the name begins with a process that is not there. A process of another
     * container is not there either, so that a socket goes only if nobody answers.
     */
    private static void removeDeadSockets(Path directory) throws IOException {
        try (var entries = Files.newDirectoryStream(directory, "*-*-*")) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                String pid = name.replaceFirst("-.*", "");
                boolean gone = pid.matches("\\d{1,10}") && !name.startsWith(ownerOf(Long.parseLong(pid)) + "-");
                if (gone && !answers(entry)) {
                    Files.deleteIfExists(entry);
                }
            }
        }
    }

    private static boolean answers(Path socket) {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return channel.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    @Override
    public SocketAddress addressOf(String address) {
        return UnixDomainSocketAddress.of(address);
    }

    @Override
    public String listening(ServerSocketChannel channel) throws IOException {
        Path file = ((UnixDomainSocketAddress) channel.getLocalAddress()).getPath();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        return file.toString();
    }

    @Override
    public String peerOf(SocketChannel channel) {
        return "a process of this host";
    }

    @Override
    public void configure(SocketChannel channel) {
        // Nothing is delayed here.
    }

    @Override
    public synchronized void close() {
        deleteFiles();
        if (registered != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(atExit);
            } catch (IllegalStateException jvmEnds) {
                // The hook runs, or has run.
            }
            registered = null;
        }
    }

    private void deleteFiles() {
        for (Path file : files) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException nothingToDo) {
                // The next process of this user removes it.
            }
        }
        files.clear();
    }
}

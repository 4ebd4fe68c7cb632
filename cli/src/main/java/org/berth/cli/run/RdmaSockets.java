package org.berth.cli.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.IoErrors;

/**
 * Sockets of a command that go over RDMA: librspreload of rdma-core takes the place of the C library's sockets. The JVM's
 * selectors are those of poll(2), since the library of most distributions has no epoll, and its sockets those of IPv4.
 *
 * @param library the file that is preloaded
 * @param ports active ports of RDMA devices, such as "mlx5_0 port 1"
 * @param datagrams whether the library takes the place of a JVM's datagram sockets too
 * @see <a href="https://man7.org/linux/man-pages/man7/rsocket.7.html">rsocket(7)</a>
 */
record RdmaSockets(Path library, List<String> ports, boolean datagrams) {
    /** Environment variable with the library, where it is in none of the system's folders. */
    static final String LIBRARY_VARIABLE = "BERTH_RSPRELOAD";

    static final String PRELOAD = "LD_PRELOAD";
    private static final String OPTION = "--rdma-sockets";
    private static final String NAME = "librspreload.so";
    private static final String SETTINGS = "etc/rdma/rsocket/preload_config";
    /** A program, and the domain, type and protocol of its sockets. */
    private static final int SETTING_WORDS = 4;

    private static final Set<String> DATAGRAMS = Set.of("*", "dgram", "sock_dgram");
    private static final String JVM_OPTIONS =
            "-Djava.nio.channels.spi.SelectorProvider=sun.nio.ch.PollSelectorProvider -Djava.net.preferIPv4Stack=true";
    /** Class, byte order and machine of an ELF file, see elf(5). */
    private static final int[] ELF_KIND = {0, 1, 2, 3, 4, 5, 18, 19};

    private static final int ELF_START = 20;
    /** The kernel reads no more of a script to find its interpreter. */
    private static final int LONGEST_INTERPRETER = 256;

    RdmaSockets {
        ports = List.copyOf(ports);
    }

    /**
     * What this host has.
     *
     * @param root {@code /}, or the top of a recorded machine
     * @throws CommandException when the sockets would be those of TCP: no library, no active port, no connection manager
     */
    static RdmaSockets require(Path root, Map<String, String> environment) {
        List<String> ports = activePorts(root);
        Path manager = root.resolve("dev/infiniband/rdma_cm");
        if (!Files.isReadable(manager) || !Files.isWritable(manager)) {
            throw CommandException.failure(OPTION + ": " + manager
                    + (Files.exists(manager)
                            ? " may not be read and written by this user; run as one with access"
                            : " is missing; run as root: modprobe rdma_ucm"));
        }
        return new RdmaSockets(library(root, environment), ports, takesDatagrams(root));
    }

    /** By preload_config of the library; without it, it takes all sockets. */
    private static boolean takesDatagrams(Path root) {
        try {
            List<String[]> entries = Files.readAllLines(root.resolve(SETTINGS), StandardCharsets.ISO_8859_1).stream()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.strip().toLowerCase(Locale.ROOT).split("\\s+", -1))
                    .filter(words -> words.length >= SETTING_WORDS)
                    .toList();
            return entries.isEmpty()
                    || entries.stream()
                            .anyMatch(words -> (words[0].equals("*") || "java".startsWith(words[0]))
                                    && DATAGRAMS.contains(words[2]));
        } catch (IOException noSettings) {
            return true;
        }
    }

    private static List<String> activePorts(Path root) {
        Path devices = root.resolve("sys/class/infiniband");
        List<String> active = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (Path device : entries(devices, "*")) {
            for (Path port : entries(device.resolve("ports"), "*")) {
                String name = device.getFileName() + " port " + port.getFileName();
                // Such as "4: ACTIVE".
                String state = text(port.resolve("state")).replaceFirst("^\\d+: *", "");
                if (state.equals("ACTIVE")) {
                    active.add(name);
                } else {
                    others.add(name + " is " + state);
                }
            }
        }
        if (active.isEmpty()) {
            throw CommandException.failure(OPTION + ": "
                    + (others.isEmpty()
                            ? "there is no RDMA device in " + devices
                                    + "; load the adapter's driver, or make one in software as root: rdma link add rxe0"
                                    + " type rxe netdev eth0"
                            : "no RDMA device in " + devices + " is active: " + String.join(", ", others)
                                    + "; bring its network interface up"));
        }
        return active;
    }

    private static Path library(Path root, Map<String, String> environment) {
        String given = environment.getOrDefault(LIBRARY_VARIABLE, "");
        if (!given.isEmpty()) {
            Path file = Path.of(given);
            if (!file.isAbsolute() || given.matches(".*[\\s:].*") || !isForThisMachine(file)) {
                throw CommandException.failure(LIBRARY_VARIABLE + "=" + given
                        + ": give the absolute path of a library for this machine, without blanks and colons");
            }
            return file;
        }
        List<Path> folders = new ArrayList<>();
        entries(root.resolve("usr/lib"), "*").forEach(folder -> folders.add(folder.resolve("rsocket")));
        folders.add(root.resolve("usr/lib64/rsocket"));
        folders.add(root.resolve("usr/lib/rsocket"));
        return folders.stream()
                .map(folder -> folder.resolve(NAME))
                .filter(RdmaSockets::isForThisMachine)
                .findFirst()
                .orElseThrow(() -> CommandException.failure(OPTION + ": " + NAME
                        + " for this machine is in none of /usr/lib/*/rsocket, /usr/lib64/rsocket, /usr/lib/rsocket; install"
                        + " librdmacm1 (Debian) or librdmacm (Red Hat), or name it by " + LIBRARY_VARIABLE));
    }

    /** The loader leaves out a library of another machine with a warning, and the sockets would be those of TCP. */
    private static boolean isForThisMachine(Path library) {
        try {
            byte[] file = start(library);
            byte[] own = start(Path.of("/proc/self/exe"));
            return file.length == ELF_START
                    && own.length == ELF_START
                    && Arrays.stream(ELF_KIND).allMatch(i -> file[i] == own[i]);
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static byte[] start(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return in.readNBytes(ELF_START);
        }
    }

    /**
     * Refuses a program that dies with the library: bash does with that of rdma-core 44 (SIGSEGV), and so do its scripts.
     *
     * @throws CommandException when bash runs the program, and dies
     */
    void requireRuns(Path program) {
        if (isRunByBash(program) && !bashLives()) {
            throw CommandException.failure(OPTION + ": bash, which runs " + program + ", dies with " + library
                    + "; start the JVM itself, such as java -cp \"$(hadoop classpath)\" CLASS");
        }
    }

    private static boolean isRunByBash(Path program) {
        try (var in = Files.newInputStream(program)) {
            String start = new String(in.readNBytes(LONGEST_INTERPRETER), StandardCharsets.ISO_8859_1);
            return program.toRealPath().endsWith("bash")
                    || start.lines().findFirst().orElse("").matches("#!.*\\bbash\\b.*");
        } catch (IOException unreadable) {
            return false;
        }
    }

    private boolean bashLives() {
        ProcessBuilder bash = new ProcessBuilder("bash", "-c", ":")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        bash.environment().put(PRELOAD, library.toString());
        try {
            return bash.start().waitFor() == 0;
        } catch (IOException noBash) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /**
     * The same launch with sockets over RDMA.
     *
     * @param environment of this process, whose values stay
     */
    Launch on(Launch launch, Map<String, String> environment) {
        Map<String, String> settings = new HashMap<>(launch.environment());
        String preloaded = environment.getOrDefault(PRELOAD, "");
        settings.put(PRELOAD, preloaded.isBlank() ? library.toString() : library + ":" + preloaded);
        String options = settings.getOrDefault(
                LaunchPlanner.TOOL_OPTIONS, environment.getOrDefault(LaunchPlanner.TOOL_OPTIONS, ""));
        settings.put(LaunchPlanner.TOOL_OPTIONS, options.isBlank() ? JVM_OPTIONS : options + " " + JVM_OPTIONS);
        return new Launch(settings, launch.front(), launch.rest());
    }

    /** "sockets over RDMA (mlx5_0 port 1) by /usr/lib64/rsocket/librspreload.so". */
    String words() {
        return "sockets over RDMA (" + String.join(", ", ports) + ") by " + library;
    }

    /** What is known to go wrong with them on this host. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (datagrams) {
            warnings.add(
                    "a JVM that lists its network interfaces, as Netty does, hangs with the library's datagram sockets; keep"
                            + " the kernel's by a line in /" + SETTINGS + ": java INET STREAM *");
        }
        RdmaCore.of(library)
                .filter(RdmaCore::losesConnections)
                .ifPresent(release ->
                        warnings.add("a process that listens at four sockets or more, such as a DataNode, gets no"
                                + " connections with rdma-core " + release
                                + "; 53.0 and stable releases since then, such as 44.7 and"
                                + " 50.2, have mended that"));
        return warnings;
    }

    private static List<Path> entries(Path folder, String names) {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, names)) {
            stream.forEach(entries::add);
        } catch (IOException none) {
            return List.of();
        }
        entries.sort(null);
        return entries;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "unknown (" + IoErrors.reason(e) + ")";
        }
    }
}

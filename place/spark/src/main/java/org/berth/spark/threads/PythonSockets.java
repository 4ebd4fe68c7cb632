package org.berth.spark.threads;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the worker process that a task waits for. Spark has no interface for it, but /proc shows the file of the system
 * call that the task's thread is in (/proc/self/task/TID/syscall), the sockets that this selector watches
 * (/proc/self/fdinfo), the other end of each (/proc/self/net/tcp), and the worker that has it open (/proc/PID/fd).
 *
 * <p>A task that computes at the moment waits for no worker; a later call finds it. Not thread-safe.
 */
final class PythonSockets {
    private static final Path SELF = Path.of("/proc/self");
    private static final String SELECTOR = "anon_inode:[eventpoll]";
    private static final Pattern WATCHED = Pattern.compile("^tfd:.*\\bino:([0-9a-f]+)");
    private static final Pattern SOCKET = Pattern.compile("socket:\\[(\\d+)]");

    /** Columns of a line of /proc/net/tcp: local and remote address, state, inode. */
    private static final int LOCAL = 1;

    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String ESTABLISHED = "01";

    /** Worker processes by the inode of this process' socket; empty for sockets of other purposes. */
    private final Map<Long, Optional<Integer>> workers = new HashMap<>();

    /** Forgets sockets without a worker: they may belong to a new one now. */
    void forget() {
        workers.clear();
    }

    /** The worker that a thread of this process waits for, one of those given; empty when it waits for none of them. */
    Optional<Integer> workerOf(int tid, Set<Integer> pids) throws IOException {
        for (long socket : awaited(tid)) {
            Optional<Integer> worker = workers.get(socket);
            if (worker == null) {
                resolve(pids);
                worker = workers.computeIfAbsent(socket, key -> Optional.empty());
            }
            if (worker.isPresent() && pids.contains(worker.get())) {
                return worker;
            }
        }
        return Optional.empty();
    }

    /** The inodes of the sockets that a thread waits for in the kernel. */
    private static List<Long> awaited(int tid) {
        List<Long> sockets = new ArrayList<>();
        try {
            // "232 0x142 …": the number of the call and its first argument, or "running".
            String[] words = Files.readString(SELF.resolve("task/" + tid + "/syscall"))
                    .strip()
                    .split(" ", 3);
            if (words.length < 3 || !words[1].startsWith("0x")) {
                return List.of();
            }
            long file = Long.parseUnsignedLong(words[1].substring(2), 16);
            if (file < 0 || file > Integer.MAX_VALUE) {
                return List.of();
            }
            String target = link(SELF.resolve("fd/" + file));
            Matcher socket = SOCKET.matcher(target);
            if (socket.matches()) {
                sockets.add(Long.parseLong(socket.group(1)));
            } else if (target.equals(SELECTOR)) {
                for (String line : Files.readAllLines(SELF.resolve("fdinfo/" + file), StandardCharsets.ISO_8859_1)) {
                    Matcher watched = WATCHED.matcher(line);
                    if (watched.find()) {
                        sockets.add(Long.parseLong(watched.group(1), 16));
                    }
                }
            }
        } catch (IOException closedMeanwhile) {
            return List.of();
        }
        return sockets;
    }

    private static String link(Path path) {
        try {
            return Files.readSymbolicLink(path).toString();
        } catch (IOException none) {
            return "";
        }
    }

    private void resolve(Set<Integer> pids) throws IOException {
        Map<Long, Integer> owners = new HashMap<>();
        for (int pid : pids) {
            socketsOf(pid).forEach(inode -> owners.put(inode, pid));
        }
        Map<String, Long> byPorts = new HashMap<>();
        List<String[]> rows = connections();
        for (String[] row : rows) {
            byPorts.put(port(row[LOCAL]) + " " + port(row[REMOTE]), Long.valueOf(row[INODE]));
        }
        for (String[] row : rows) {
            // The two ends of a connection inside a machine: their ports are each other's. Ports of the loopback device
            // are enough, and the addresses differ in form between tcp and tcp6.
            Long other = byPorts.get(port(row[REMOTE]) + " " + port(row[LOCAL]));
            Integer owner = other == null ? null : owners.get(other);
            if (owner != null) {
                workers.put(Long.valueOf(row[INODE]), Optional.of(owner));
            }
        }
    }

    private static List<Long> socketsOf(int pid) {
        List<Long> inodes = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
            for (Path file : files) {
                Matcher socket = SOCKET.matcher(link(file));
                if (socket.matches()) {
                    inodes.add(Long.valueOf(socket.group(1)));
                }
            }
        } catch (IOException ended) {
            return List.of();
        }
        return inodes;
    }

    private static List<String[]> connections() throws IOException {
        List<String[]> rows = new ArrayList<>();
        for (String table : List.of("net/tcp", "net/tcp6")) {
            Path file = SELF.resolve(table);
            if (Files.exists(file)) {
                for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
                    String[] columns = line.strip().split("\\s+", -1);
                    if (columns.length > INODE && columns[STATE].equals(ESTABLISHED)) {
                        rows.add(columns);
                    }
                }
            }
        }
        return rows;
    }

    private static String port(String address) {
        return address.substring(address.lastIndexOf(':') + 1);
    }
}

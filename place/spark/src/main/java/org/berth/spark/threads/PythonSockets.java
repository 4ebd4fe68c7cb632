package org.berth.spark.threads;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;
import org.berth.observation.internal.process.OpenFiles;

/**
 * Finds the worker process that a task waits for. Spark has no interface for it, but /proc shows the file of the system
 * call that the task's thread is in (/proc/self/task/TID/syscall), the sockets that this selector watches
 * (/proc/self/fdinfo), the other end of each (/proc/self/net/tcp), and the worker that has it open (/proc/PID/fd).
 *
 * <p>A task that computes at the moment waits for no worker; a later call finds it. Not thread-safe.
 */
final class PythonSockets {
    private static final String SELF = "proc/self/";
    private static final String SELECTOR = "anon_inode:[eventpoll]";
    private static final Pattern WATCHED = Pattern.compile("(?m)^tfd:.*\\bino:([0-9a-f]+)");
    private static final Pattern SOCKET = Pattern.compile("socket:\\[(\\d+)]");

    /** Columns of a line of /proc/net/tcp: local and remote address, state, inode. */
    private static final int LOCAL = 1;

    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String ESTABLISHED = "01";

    private static final String UNSEEN = "which task a Python worker has is unknown: ";

    private final SystemFiles files = SystemFiles.LIVE;
    private final boolean kernelTells = files.exists(SELF + "syscall");
    /** Worker processes by the inode of this process' socket; empty for sockets of other purposes. */
    private final Map<Long, Optional<Integer>> workers = new HashMap<>();

    /** Forgets sockets without a worker: they may belong to a new one now. */
    void forget() {
        workers.clear();
    }

    /**
     * The worker that a thread of this process waits for, one of those given; empty when it waits for none of them.
     *
     * @param note gets the reason, when that cannot be seen
     */
    Optional<Integer> workerOf(int tid, Set<Integer> pids, Consumer<String> note) throws IOException {
        Reading<List<Long>> awaited = awaited(tid);
        awaited.refusal().ifPresent(refusal -> note.accept(UNSEEN + refusal));
        if (!kernelTells) {
            note.accept(UNSEEN + "this kernel has no /proc/PID/syscall (CONFIG_HAVE_ARCH_TRACEHOOK)");
        }
        for (long socket : awaited.orElse(List.of())) {
            Optional<Integer> worker = workers.get(socket);
            if (worker == null) {
                resolve(pids, note);
                worker = workers.computeIfAbsent(socket, key -> Optional.empty());
            }
            if (worker.isPresent() && pids.contains(worker.get())) {
                return worker;
            }
        }
        return Optional.empty();
    }

    /** The inodes of the sockets that a thread waits for in the kernel; absent when it no longer waits. */
    private Reading<List<Long>> awaited(int tid) {
        // "232 0x142 …": the number of the call and its first argument, or "running".
        return files.read(SELF + "task/" + tid + "/syscall").flatMap(text -> {
            String[] words = text.split(" ", 3);
            boolean waits = words.length == 3 && words[1].matches("0x[0-9a-f]{1,7}");
            return waits ? sockets(Integer.parseInt(words[1].substring(2), 16)) : Reading.of(List.<Long>of());
        });
    }

    private Reading<List<Long>> sockets(int file) {
        return files.link(SELF + "fd/" + file).flatMap(target -> {
            Matcher socket = SOCKET.matcher(target);
            if (socket.matches()) {
                return Reading.of(List.of(Long.valueOf(socket.group(1))));
            }
            return target.equals(SELECTOR)
                    ? files.read(SELF + "fdinfo/" + file)
                            .map(info -> WATCHED.matcher(info)
                                    .results()
                                    .map(watched -> Long.valueOf(watched.group(1), 16))
                                    .toList())
                    : Reading.of(List.<Long>of());
        });
    }

    private void resolve(Set<Integer> pids, Consumer<String> note) throws IOException {
        Map<Long, Integer> owners = new HashMap<>();
        for (int pid : pids) {
            Reading<List<String>> open = OpenFiles.of(pid, files.root());
            open.refusal().ifPresent(refusal -> note.accept(UNSEEN + refusal));
            for (String file : open.orElse(List.of())) {
                Matcher socket = SOCKET.matcher(file);
                if (socket.matches()) {
                    owners.put(Long.valueOf(socket.group(1)), pid);
                }
            }
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

    private List<String[]> connections() throws IOException {
        List<String[]> rows = new ArrayList<>();
        for (String table : List.of("net/tcp", "net/tcp6")) {
            // A kernel without IPv6 has no such table.
            String text = files.read(SELF + table).ifAbsent(Reading.of("")).orElseThrow(IOException::new);
            for (String line : text.split("\n", -1)) {
                String[] columns = line.strip().split("\\s+", -1);
                if (columns.length > INODE && columns[STATE].equals(ESTABLISHED)) {
                    rows.add(columns);
                }
            }
        }
        return rows;
    }

    private static String port(String address) {
        return address.substring(address.lastIndexOf(':') + 1);
    }
}

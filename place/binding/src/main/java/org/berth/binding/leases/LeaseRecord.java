package org.berth.binding.leases;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.berth.binding.internal.ids.ProcessIdentity;
import org.berth.observation.ProcessStatus;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * The lease of one process of this host, as it is written in the ledger.
 *
 * @param pid of the holder, in its own PID namespace
 * @param startTicks when the holder was started, in clock ticks after boot (proc_pid_stat(5), field 22)
 * @param pidNamespace the number of that namespace; the PID means something only inside
 * @param user the owner of the lease's file, which the kernel knows: a holder cannot claim to be another user
 * @param cpus kernel numbers of the PUs; not empty
 * @param memoryNodes kernel numbers of the NUMA nodes; may be empty
 * @param exclusive whether no other process is given any of these PUs
 * @param since when it was claimed, to the second
 * @param domain what it is: "NUMA node 1", "worker 0"
 * @param name the name that the holder gave; may be empty
 * @since 0.1.0
 */
public record LeaseRecord(
        long pid,
        long startTicks,
        long pidNamespace,
        long user,
        CpuSet cpus,
        NodeSet memoryNodes,
        boolean exclusive,
        Instant since,
        String domain,
        String name) {
    private static final String FIRST = "berth-lease 1";

    /**
     * Whether this process holds the lease: its PID in its own namespace, its start time, its user, and its namespace where
     * that may be read. Everything but the user is text that the holder has written, so another user cannot claim this
     * process as the holder; only root's word counts for the processes of all users.
     *
     * @param process an id in the PID namespace of the caller; false when there is no such process
     */
    public boolean isHeldBy(long process) {
        Path proc = Path.of("/proc", Long.toString(process));
        try {
            ProcessStatus status = ProcessStatus.of(proc);
            return status.innermostId().map(Integer::longValue).orElse(process) == pid
                    && ProcessIdentity.startTimeOrEmpty(proc).equals(Long.toUnsignedString(startTicks))
                    && (user == 0 || status.fileUserId().orElse(-1L) == user)
                    && isNamespace(proc);
        } catch (IOException ended) {
            return false;
        }
    }

    private boolean isNamespace(Path proc) {
        try {
            String link = Files.readSymbolicLink(proc.resolve("ns/pid")).toString();
            return link.equals("pid:[" + pidNamespace + "]");
        } catch (IOException mayNotBeRead) {
            return true;
        }
    }

    /** All leases of a text that the native library wrote. */
    static List<LeaseRecord> parseAll(List<String> lines) {
        List<LeaseRecord> found = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).equals(FIRST)) {
                found.add(parse(lines.subList(i + 1, lines.size())));
            }
        }
        return List.copyOf(found);
    }

    private static LeaseRecord parse(List<String> lines) {
        return new LeaseRecord(
                Long.parseLong(value(lines, 0, "pid")),
                Long.parseLong(value(lines, 1, "start")),
                Long.parseLong(value(lines, 2, "pid-namespace")),
                Long.parseLong(value(lines, 3, "user")),
                CpuSet.parseList(value(lines, 4, "cpus")),
                NodeSet.parseList(value(lines, 5, "nodes")),
                value(lines, 6, "exclusive").equals("yes"),
                Instant.ofEpochSecond(Long.parseLong(value(lines, 7, "since"))),
                value(lines, 8, "domain"),
                value(lines, 9, "name"));
    }

    private static String value(List<String> lines, int index, String key) {
        String line = lines.get(index);
        if (!line.startsWith(key + " ")) {
            throw new IllegalStateException("the native library wrote '" + line + "' where '" + key + "' is expected");
        }
        return line.substring(key.length() + 1);
    }
}

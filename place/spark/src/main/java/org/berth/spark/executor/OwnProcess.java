package org.berth.spark.executor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.binding.BindingException;
import org.berth.binding.Leases;

/** What this process reads about itself in /proc and its environment. */
final class OwnProcess {
    /** Environment variable with the directory of the ledger. */
    static final String LEDGER = "BERTH_LEASES";

    private static final String AGENT_THREAD = "berth-watch";
    /** The number of the first PID namespace (include/linux/proc_ns.h of the kernel, PROC_PID_INIT_INO). */
    private static final String FIRST_NAMESPACE = "pid:[4026531836]";

    private OwnProcess() {}

    /** Whether the agent keeps this process bound: its thread that follows the cpuset is there. */
    static boolean hasAgent() {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                if (name(thread).equals(AGENT_THREAD)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list the threads of this process: " + e.getMessage(), e);
        }
    }

    private static String name(Path thread) {
        try {
            return Files.readString(thread.resolve("comm"), StandardCharsets.ISO_8859_1)
                    .strip();
        } catch (IOException ended) {
            return "";
        }
    }

    /** Whether the agent has leased a domain for this process; the notes get the reason when that is not known. */
    static boolean holdsLease(List<String> notes) {
        try {
            long pid = ProcessHandle.current().pid();
            return Leases.ofHost().list().stream().anyMatch(lease -> lease.isHeldBy(pid));
        } catch (BindingException e) {
            notes.add("the leases of this host could not be read: " + e.getMessage());
        }
        return false;
    }

    /** Whether the ledger probably lacks processes of this host in other containers. */
    static boolean isInContainerWithoutLedger() {
        try {
            return System.getenv(LEDGER) == null
                    && !Files.readSymbolicLink(Path.of("/proc/self/ns/pid"))
                            .toString()
                            .equals(FIRST_NAMESPACE);
        } catch (IOException e) {
            return true;
        }
    }
}

package org.berth.spark.executor;

import java.util.List;
import org.berth.binding.errors.BindingException;
import org.berth.binding.leases.Leases;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;
import org.berth.observation.internal.process.PidNamespace;

/** What this process reads about itself in /proc and its environment. */
final class OwnProcess {
    /** Environment variable with the directory of the ledger. */
    static final String LEDGER = "BERTH_LEASES";

    private static final String AGENT_THREAD = "berth-watch";

    private OwnProcess() {}

    /** Whether the agent keeps this process bound: its thread that follows the cpuset is there. */
    static boolean hasAgent() {
        SystemFiles files = SystemFiles.LIVE;
        String tasks = "proc/self/task";
        for (int thread : files.numbered(tasks, "").orElseThrow(OwnProcess::unseen)) {
            // One that is absent has ended.
            Reading<String> name = files.read(tasks + "/" + thread + "/comm").ifAbsent(Reading.of(""));
            if (name.orElseThrow(OwnProcess::unseen).equals(AGENT_THREAD)) {
                return true;
            }
        }
        return false;
    }

    private static IllegalStateException unseen(String reason) {
        return new IllegalStateException("cannot list the threads of this process: " + reason);
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

    /**
     * Whether the ledger probably lacks processes of this host in other containers; also when that is not known, for which the notes
     * get the reason.
     */
    static boolean isInContainerWithoutLedger(List<String> notes) {
        if (System.getenv(LEDGER) != null) {
            return false;
        }
        Reading<Boolean> host = PidNamespace.isOfHost(SystemFiles.LIVE);
        host.refusal()
                .map(refusal -> "whether this is a container is not known, so it counts as one: " + refusal)
                .filter(note -> !notes.contains(note))
                .ifPresent(notes::add);
        return !host.orElse(false);
    }
}

package org.berth.spark.status;

import java.io.IOException;
import java.util.Optional;
import org.berth.binding.internal.jvm.FailureText;
import org.berth.observation.ObservationException;
import org.berth.observation.memory.MemoryLocality;
import org.berth.observation.memory.MemorySnapshot;
import org.berth.topology.NodeSet;

/**
 * How much memory of this JVM is on which nodes. With one node nothing can be remote, and only the sum is read.
 * Otherwise
 * the kernel walks the page tables within the limits of {@link PageWalk}: 10 ms of CPU time for each GiB of small pages
 * were measured. Not thread-safe.
 */
final class StatusMemory {
    private final long pid = ProcessHandle.current().pid();
    private final boolean severalNodes;
    private final PageWalk walk;
    private MemoryLocality last = unknown();
    private String problem = "";

    StatusMemory(boolean severalNodes) {
        this(severalNodes, new PageWalk());
    }

    /** Uses other limits, for tests. */
    StatusMemory(boolean severalNodes, PageWalk walk) {
        this.severalNodes = severalNodes;
        this.walk = walk;
    }

    /** Total and near bytes as of the last walk, or of a new one when it is due; a negative total is not known. */
    MemoryLocality sample(NodeSet domain) {
        try {
            if (!severalNodes) {
                long bytes = PageWalk.residentBytes();
                last = new MemoryLocality(bytes, bytes);
            } else if (walk.isDue()) {
                last = walk(domain.isEmpty() ? NodeSet.full() : domain);
                walk.putOff();
            }
        } catch (IOException | ObservationException e) {
            problem = "remote pages are not known: " + FailureText.of(e);
            last = unknown();
            walk.putOff();
        }
        return last;
    }

    /** Why the remote bytes are not known, else empty. */
    String problem() {
        return problem;
    }

    private MemoryLocality walk(NodeSet domain) throws IOException {
        Optional<String> refusal = walk.refusal();
        problem = refusal.map(why -> "remote pages are no longer read: " + why).orElse("");
        return refusal.isPresent() ? unknown() : MemoryLocality.of(walk.measure(() -> MemorySnapshot.of(pid)), domain);
    }

    private static MemoryLocality unknown() {
        return new MemoryLocality(0, ExecutorStatus.UNKNOWN);
    }
}

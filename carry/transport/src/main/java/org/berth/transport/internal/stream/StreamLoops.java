package org.berth.transport.internal.stream;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.berth.transport.progress.ProgressLoop;

/** The loops of an engine that serve sockets; links take them in turn. */
public record StreamLoops(List<StreamLoop> loops, AtomicInteger next) {
    /** A loop and what it polls. */
    public record StreamLoop(ProgressLoop loop, StreamPoller poller) {}

    public StreamLoops(List<StreamLoop> loops) {
        this(List.copyOf(loops), new AtomicInteger());
    }

    /** The next one that has not ended; any when all have. */
    StreamLoop choose() {
        StreamLoop chosen = turn();
        for (int tries = 1; tries < loops.size() && chosen.loop().isClosed(); tries++) {
            chosen = turn();
        }
        return chosen;
    }

    private StreamLoop turn() {
        return loops.get(Math.floorMod(next.getAndIncrement(), loops.size()));
    }
}

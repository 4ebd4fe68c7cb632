package org.berth.transport;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The loops of an engine that serve sockets; links take them in turn. */
record StreamLoops(List<StreamLoop> loops, AtomicInteger next) {
    /** A loop and what it polls. */
    record StreamLoop(ProgressLoop loop, StreamPoller poller) {}

    StreamLoops(List<StreamLoop> loops) {
        this(List.copyOf(loops), new AtomicInteger());
    }

    StreamLoop choose() {
        return loops.get(Math.floorMod(next.getAndIncrement(), loops.size()));
    }
}

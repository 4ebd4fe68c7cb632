package org.berth.transport;

import java.util.HashMap;
import java.util.Map;

/** The shares of all owners that have a link. Thread-safe. */
final class Shares {
    private final Map<String, Share> byOwner = new HashMap<>();

    /** For one more link; every call needs its {@link #leave}. */
    synchronized Share enter(String owner) {
        Share share = byOwner.computeIfAbsent(owner, Share::new);
        share.links++;
        return share;
    }

    synchronized void leave(Share share) {
        if (--share.links == 0) {
            byOwner.remove(share.owner());
        }
    }
}

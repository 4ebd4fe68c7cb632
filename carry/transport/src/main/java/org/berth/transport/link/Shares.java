package org.berth.transport.link;

import java.util.HashMap;
import java.util.Map;

/** The shares of all owners that have a link. Thread-safe. It is not part of the API. */
public final class Shares {
    private final Map<String, Share> byOwner = new HashMap<>();

    public Shares() {}

    /** Called for one more link; every call needs its {@link #leave}. */
    public synchronized Share enter(String owner) {
        Share share = byOwner.computeIfAbsent(owner, Share::new);
        share.links++;
        return share;
    }

    public synchronized void leave(Share share) {
        if (--share.links == 0) {
            byOwner.remove(share.owner());
        }
    }
}

package org.berth.yarn;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One warning for each kind of failure, however many containers it meets. Thread-safe. */
final class YarnFailures {
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /**
     * Logs a failure of a container.
     *
     * @param kind failures of one kind are one warning
     */
    void add(String kind, String line) {
        if (told.add(kind)) {
            AffinityListener.LOG.warn("Berth: {} (told once for its kind; debug for all)", line);
        } else {
            AffinityListener.LOG.debug("Berth: {}", line);
        }
    }
}

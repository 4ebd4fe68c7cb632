package org.berth.yarn;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One warning for each kind of failure, however many containers it meets. Thread-safe. */
final class Failures {
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /**
     * Tells of a container.
     *
     * @param kind what is told once
     */
    void add(String kind, String line) {
        if (told.add(kind)) {
            AffinityListener.LOG.warn("Berth: {} (told once for its kind; debug for all)", line);
        } else {
            AffinityListener.LOG.debug("Berth: {}", line);
        }
    }

    /** The message, or where there is none, as with a class that could not be loaded, that of the cause. */
    static String oneLine(Throwable reason) {
        Throwable told = reason;
        while (told.getMessage() == null && told.getCause() != null) {
            told = told.getCause();
        }
        String message = told.getMessage();
        String text = message == null || told instanceof LinkageError ? told.toString() : message;
        return text.lines().findFirst().orElseGet(reason::toString);
    }
}

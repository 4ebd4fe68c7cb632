package org.berth.transport.link;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.berth.transport.failure.Refusals;
import org.berth.transport.failure.TransportException;

/**
 * The links of peers that have not been let in yet, the oldest first. Their number is limited: one more ends the oldest, since
 * a peer that means it introduces itself in milliseconds. Thread-safe.
 *
 * <p>It is not part of the API.
 */
public final class Introductions {
    static final int LARGEST_LIMIT = 1024;
    private static final int SMALLEST_LIMIT = 16;
    /** A peer that is not let in may not take the files that the process itself needs. */
    private static final int SHARE_OF_FILES = 8;

    private final int limit;
    private final Refusals refusals;
    private final Set<Link> links = new LinkedHashSet<>();

    public Introductions(long openFiles, Refusals refusals) {
        this.limit = (int) Math.max(SMALLEST_LIMIT, Math.min(LARGEST_LIMIT, openFiles / SHARE_OF_FILES));
        this.refusals = refusals;
    }

    public int limit() {
        return limit;
    }

    public void add(Link link) {
        synchronized (links) {
            links.add(link);
            if (links.size() <= limit) {
                return;
            }
        }
        endOldest("more than " + limit + " peers had not introduced themselves");
    }

    /** It was let in, or is closed. */
    public void remove(Link link) {
        synchronized (links) {
            links.remove(link);
        }
    }

    /**
     * Ends the link that has waited longest.
     *
     * @return false when there is none
     */
    public boolean endOldest(String why) {
        Link oldest;
        synchronized (links) {
            Iterator<Link> first = links.iterator();
            if (!first.hasNext()) {
                return false;
            }
            oldest = first.next();
            first.remove();
        }
        refusals.add("ended the connection of " + oldest.peer() + " before its introduction: " + why);
        oldest.close(new TransportException(TransportException.Kind.REFUSED, why));
        return true;
    }

    /** How many files this process may have open (proc_pid_limits(5)); many where the kernel does not tell. */
    public static long openFiles() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
                if (line.startsWith("Max open files")) {
                    String soft =
                            line.substring("Max open files".length()).strip().split("\\s+", 2)[0];
                    return soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft);
                }
            }
        } catch (IOException | NumberFormatException unknown) {
            // The largest limit holds.
        }
        return Long.MAX_VALUE;
    }
}

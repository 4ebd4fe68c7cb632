package org.berth.rpc.link;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of this module; what could come with every call is told once. Thread-safe. */
public final class RpcLog {
    private static final Logger LOG = LoggerFactory.getLogger("org.berth.rpc");
    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();
    /** Peers that come and go may not fill the memory. */
    private static final int LONGEST_MEMORY = 10_000;

    private RpcLog() {}

    /** Tells what was started or stopped. */
    public static void tell(String line) {
        LOG.info("Berth: {}", line);
    }

    /** Warns of something that does not work, the first time. */
    public static void warnOnce(String line) {
        if (TOLD.size() < LONGEST_MEMORY && TOLD.add(line)) {
            LOG.warn("Berth: {}", line);
        }
    }
}

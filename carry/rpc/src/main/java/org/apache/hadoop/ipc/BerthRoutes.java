package org.apache.hadoop.ipc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.Client.ConnectionId;
import org.jspecify.annotations.NullMarked;

/** The routes of this process. A route without use goes, as it holds a user's credentials. Thread-safe. */
@NullMarked
final class BerthRoutes {
    private static final Map<ConnectionId, BerthRoute> ROUTES = new ConcurrentHashMap<>();

    private static final long PAUSE_MILLIS = 1000;

    static {
        Thread upkeep = new Thread(BerthRoutes::closeIdle, "berth-rpc-upkeep");
        upkeep.setDaemon(true);
        upkeep.start();
    }

    private BerthRoutes() {}

    /** The route that all proxies of that id share. */
    static BerthRoute of(ConnectionId id, Configuration configuration) {
        return ROUTES.computeIfAbsent(id, key -> new BerthRoute(key, configuration));
    }

    private static void closeIdleNow() {
        try {
            long now = System.nanoTime();
            ROUTES.values().removeIf(route -> route.closeIfIdle(now));
        } catch (Throwable e) {
            Client.LOG.warn("Berth: idle routes stay open for now", e);
        }
    }

    private static void closeIdle() {
        try {
            while (true) {
                Thread.sleep(PAUSE_MILLIS);
                closeIdleNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

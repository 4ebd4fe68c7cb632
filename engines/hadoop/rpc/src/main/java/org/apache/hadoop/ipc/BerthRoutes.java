package org.apache.hadoop.ipc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.Client.ConnectionId;
import org.jspecify.annotations.NullMarked;

/** The routes of this process. A route without use goes, as it holds a user's credentials. Thread-safe. */
@NullMarked
final class BerthRoutes {
    private static final Map<ConnectionId, BerthRoute> ROUTES = new ConcurrentHashMap<>();

    private static final ScheduledExecutorService UPKEEP = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "berth-rpc-upkeep");
        thread.setDaemon(true);
        return thread;
    });

    static {
        UPKEEP.scheduleWithFixedDelay(BerthRoutes::closeIdle, 1, 1, TimeUnit.SECONDS);
    }

    private BerthRoutes() {}

    /** The route that all proxies of that id share. */
    static BerthRoute of(ConnectionId id, Configuration configuration) {
        return ROUTES.computeIfAbsent(id, key -> new BerthRoute(key, configuration));
    }

    private static void closeIdle() {
        long now = System.nanoTime();
        ROUTES.entrySet().removeIf(entry -> entry.getValue().closeIfIdle(now));
    }
}

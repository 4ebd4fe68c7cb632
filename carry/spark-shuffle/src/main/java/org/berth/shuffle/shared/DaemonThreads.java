package org.berth.shuffle.shared;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Pools of named threads that do not keep a JVM alive, and end while there is nothing to do. */
public final class DaemonThreads {
    private static final long IDLE_SECONDS = 60;

    private DaemonThreads() {}

    public static ThreadPoolExecutor pool(String name, int threads) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    public static ThreadFactory factory(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        };
    }
}

package org.berth.spark.status;

import org.apache.spark.api.plugin.PluginContext;
import org.berth.binding.internal.jvm.FailureText;
import org.berth.spark.conf.SparkKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the status of this executor to the driver every two seconds, later every ten, and once more at the end. Its daemon thread waits for
 * each answer, so that a slow driver gets fewer statuses and no queue. It never throws; after failures the pauses double up
 * to a minute. It warns once, when a second attempt fails, too: a driver that ends normally is gone before its executors.
 */
public final class StatusSender implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SparkKeys.PLUGIN);
    private static final long FIRST_MILLIS = 2000;
    private static final int FIRST_STATUSES = 10;

    /** The interval of Spark's own heartbeats. Every two seconds a status took 0.3 % of a job's CPU time on 2 CPUs. */
    private static final long LATER_MILLIS = 10_000;

    private static final int MAX_DOUBLINGS = 5;

    private final PluginContext context;
    private final StatusBuilder builder;
    private volatile boolean reported;
    private int failures;
    private boolean warned;
    private boolean closed;

    private StatusSender(PluginContext context, StatusBuilder builder) {
        this.context = context;
        this.builder = builder;
    }

    /** Starts the thread, which sends the first status after two seconds: jobs that are shorter need none. */
    public static StatusSender start(PluginContext context, StatusBuilder builder) {
        StatusSender sender = new StatusSender(context, builder);
        Thread thread = new Thread(sender::run, "berth-status");
        thread.setDaemon(true);
        thread.start();
        return sender;
    }

    private void run() {
        int sent = 0;
        pause(FIRST_MILLIS);
        while (!isClosed()) {
            try {
                report();
                reported = true;
                failures = 0;
                sent++;
            } catch (Throwable e) {
                failed(e);
            }
            pause((sent < FIRST_STATUSES ? FIRST_MILLIS : LATER_MILLIS) << Math.min(failures, MAX_DOUBLINGS));
        }
    }

    private void report() throws Exception {
        // The answer is not true when the driver knows the machine already.
        if (Boolean.TRUE.equals(context.ask(builder.build()))
                && builder.machine().isPresent()) {
            context.ask(builder.machine().get());
        }
    }

    private synchronized void failed(Throwable reason) {
        failures++;
        if (!closed && !warned && failures > 1) {
            warned = true;
            LOG.warn("Berth: the status does not reach the driver, will try again: {}", FailureText.of(reason));
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized void pause(long millis) {
        long endNanos = System.nanoTime() + millis * 1_000_000;
        try {
            for (long left = millis; left > 0 && !closed; left = (endNanos - System.nanoTime()) / 1_000_000) {
                wait(left);
            }
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    /** Sends a last status, if there was a first one, without waiting for an answer, since the driver may be gone. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            notifyAll();
        }
        try {
            if (reported) {
                context.send(builder.build());
            }
        } catch (Exception | LinkageError e) {
            LOG.debug("Berth: the driver did not get the last status", e);
        } finally {
            builder.close();
        }
    }
}

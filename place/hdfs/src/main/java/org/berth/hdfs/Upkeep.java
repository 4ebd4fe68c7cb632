package org.berth.hdfs;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.berth.observation.internal.load.LoadMonitor;

/** The thread that frees threads that wait, binds new ones of volumes, and follows interrupts that moved. */
final class Upkeep implements AutoCloseable {
    private final HdfsSettings settings;
    private final BoundThreads bound;
    private final VolumeThreads services;
    private final Volumes volumes;
    private final Optional<LoadMonitor> load;
    private final BindingMetrics metrics;
    private final HdfsFailures failures;
    private final Thread thread = new Thread(this::run, "berth-upkeep");

    private Upkeep(
            HdfsSettings settings,
            BoundThreads bound,
            VolumeThreads services,
            Volumes volumes,
            Optional<LoadMonitor> load,
            BindingMetrics metrics,
            HdfsFailures failures) {
        this.settings = settings;
        this.bound = bound;
        this.services = services;
        this.volumes = volumes;
        this.load = load;
        this.metrics = metrics;
        this.failures = failures;
    }

    static Upkeep start(
            HdfsSettings settings,
            BoundThreads bound,
            VolumeThreads services,
            Volumes volumes,
            Optional<LoadMonitor> load,
            BindingMetrics metrics,
            HdfsFailures failures) {
        Upkeep upkeep = new Upkeep(settings, bound, services, volumes, load, metrics, failures);
        upkeep.thread.setDaemon(true);
        upkeep.thread.start();
        return upkeep;
    }

    private void run() {
        long refreshNanos = TimeUnit.MILLISECONDS.toNanos(settings.refreshMillis());
        long refreshed = System.nanoTime();
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    metrics.gaveBack(bound.sweep());
                    metrics.boundServices(services.scan(failures));
                    load.flatMap(LoadMonitor::failure).ifPresent(failures::tellOnce);
                    if (System.nanoTime() - refreshed >= refreshNanos) {
                        refreshed = System.nanoTime();
                        volumes.refresh();
                    }
                } catch (Throwable e) {
                    failures.add("the check of the bound threads failed", e);
                }
                TimeUnit.MILLISECONDS.sleep(settings.scanMillis());
            }
        } catch (InterruptedException stopped) {
            // By close(), which alone knows the thread.
        }
        services.freeAll();
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}

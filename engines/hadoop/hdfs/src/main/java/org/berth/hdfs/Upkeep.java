package org.berth.hdfs;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.berth.observation.LoadMonitor;

/** The thread that looks after the others: those that wait, those that are new, and interrupts that moved. */
final class Upkeep implements AutoCloseable {
    private final HdfsSettings settings;
    private final PlacedThreads placed;
    private final ServiceThreads services;
    private final Disks disks;
    private final Optional<LoadMonitor> load;
    private final PlaceMetrics metrics;
    private final Failures failures;
    private final Thread thread = new Thread(this::run, "berth-upkeep");

    private Upkeep(
            HdfsSettings settings,
            PlacedThreads placed,
            ServiceThreads services,
            Disks disks,
            Optional<LoadMonitor> load,
            PlaceMetrics metrics,
            Failures failures) {
        this.settings = settings;
        this.placed = placed;
        this.services = services;
        this.disks = disks;
        this.load = load;
        this.metrics = metrics;
        this.failures = failures;
    }

    static Upkeep start(
            HdfsSettings settings,
            PlacedThreads placed,
            ServiceThreads services,
            Disks disks,
            Optional<LoadMonitor> load,
            PlaceMetrics metrics,
            Failures failures) {
        Upkeep upkeep = new Upkeep(settings, placed, services, disks, load, metrics, failures);
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
                    metrics.gaveBack(placed.sweep());
                    metrics.boundServices(services.scan(failures));
                    load.flatMap(LoadMonitor::failure).ifPresent(failures::tellOnce);
                    if (System.nanoTime() - refreshed >= refreshNanos) {
                        refreshed = System.nanoTime();
                        disks.refresh();
                    }
                } catch (RuntimeException | LinkageError e) {
                    failures.add("the look after the bound threads failed", e);
                }
                TimeUnit.MILLISECONDS.sleep(settings.scanMillis());
            }
        } catch (InterruptedException stopped) {
            // By close, the only one who knows the thread.
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

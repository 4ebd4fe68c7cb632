package org.berth.uploads;

import java.time.Instant;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * What one phase of a job took.
 *
 * @param name "write", "read"; begins the names of its figures
 * @param dataNodeCpuSeconds of all DataNodes
 * @param clientCpuSeconds of this process, which holds all clients and the sampler
 * @param migrations of the threads that work on blocks; empty when they could not be watched
 * @param from when it began, by the wall clock that the recordings of the DataNodes use too
 */
record UploadPhase(
        String name,
        Transfers.Result result,
        double dataNodeCpuSeconds,
        double clientCpuSeconds,
        OptionalLong migrations,
        Instant from,
        Instant to) {
    private static final double MEGABYTES_PER_GIGABYTE = 1024;

    /** That all clients together wrote or read. */
    double gigabytes() {
        return result.allMegabytes() / MEGABYTES_PER_GIGABYTE;
    }

    void print() {
        result.print("berth-" + name);
        print("datanode-cpu-seconds-per-gb", dataNodeCpuSeconds / gigabytes());
        print("client-cpu-seconds-per-gb", clientCpuSeconds / gigabytes());
        migrations.ifPresent(moves -> System.out.println("berth-" + name + "-block-thread-migrations=" + moves));
    }

    private void print(String what, double value) {
        System.out.printf(Locale.ROOT, "berth-%s-%s=%.3f%n", name, what, value);
    }
}

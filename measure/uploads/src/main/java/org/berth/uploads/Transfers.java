package org.berth.uploads;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.berth.cluster.HdfsCluster;

/** One file for each client, written or read by all clients at the same time; each client has connections of its own. */
record Transfers(HdfsCluster cluster, int clients, String name, int megabytes) {
    private static final int MEGABYTE = 1 << 20;
    private static final long PATIENCE_SECONDS = 120;

    /** What one client does with its file. */
    private interface Work {
        void run(DistributedFileSystem files, Path file, byte[] buffer) throws IOException;
    }

    /**
     * How long it took.
     *
     * @param seconds from the common start until the last client ended
     * @param ofClients seconds of each
     */
    record Result(int megabytes, double seconds, List<Double> ofClients) {
        int allMegabytes() {
            return megabytes * ofClients.size();
        }

        /** MB/s of all files over the time until the last client ended. */
        double aggregateRate() {
            return allMegabytes() / seconds;
        }

        /** The figures of TestDFSIO. */
        void print(String what) {
            List<Double> rates =
                    ofClients.stream().map(each -> megabytes / each).toList();
            double sum = ofClients.stream().mapToDouble(Double::doubleValue).sum();
            double mean =
                    rates.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
            double variance = rates.stream()
                    .mapToDouble(rate -> (rate - mean) * (rate - mean))
                    .average()
                    .orElseThrow();
            System.out.printf(Locale.ROOT, "%s-seconds=%.3f%n", what, seconds);
            System.out.printf(Locale.ROOT, "%s-aggregate-mb-per-second=%.2f%n", what, aggregateRate());
            System.out.printf(Locale.ROOT, "%s-throughput-mb-per-second=%.2f%n", what, allMegabytes() / sum);
            System.out.printf(Locale.ROOT, "%s-average-io-rate-mb-per-second=%.2f%n", what, mean);
            System.out.printf(Locale.ROOT, "%s-io-rate-deviation=%.2f%n", what, Math.sqrt(variance));
        }
    }

    Result write() throws Exception {
        return all((files, file, buffer) -> {
            new Random(file.hashCode()).nextBytes(buffer);
            try (FSDataOutputStream out = files.create(file)) {
                for (int i = 0; i < megabytes; i++) {
                    out.write(buffer);
                }
            }
        });
    }

    /** @throws IOException when a file is shorter or longer than it was written */
    Result read() throws Exception {
        return all((files, file, buffer) -> {
            long read = 0;
            try (FSDataInputStream in = files.open(file)) {
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    read += count;
                }
            }
            if (read != (long) megabytes * MEGABYTE) {
                throw new IOException(file + " has " + read + " bytes, and " + megabytes + " MB were written");
            }
        });
    }

    private Result all(Work work) throws Exception {
        CyclicBarrier start = new CyclicBarrier(clients + 1);
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try {
            List<Future<Double>> all = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                all.add(threads.submit(client(i, start, work)));
            }
            start.await();
            long begin = System.nanoTime();
            List<Double> seconds = new ArrayList<>();
            for (Future<Double> client : all) {
                seconds.add(client.get());
            }
            return new Result(megabytes, (System.nanoTime() - begin) / 1e9, seconds);
        } finally {
            threads.shutdownNow();
        }
    }

    private Callable<Double> client(int number, CyclicBarrier start, Work work) {
        return () -> {
            Thread.currentThread().setName("client-" + number);
            byte[] buffer = new byte[MEGABYTE];
            try (DistributedFileSystem files = cluster.connect()) {
                files.getFileStatus(new Path("/"));
                start.await();
                long begin = System.nanoTime();
                work.run(files, file(number), buffer);
                return (System.nanoTime() - begin) / 1e9;
            }
        };
    }

    private Path file(int number) {
        return new Path(name + "-" + number);
    }

    /** The checksum of all files, from those that HDFS keeps of their blocks: equal for equal options. */
    String checksum() throws IOException {
        int sum = 0;
        try (DistributedFileSystem files = cluster.connect()) {
            for (int i = 0; i < clients; i++) {
                FileChecksum of = files.getFileChecksum(file(i));
                sum = 31 * sum + Arrays.hashCode(of.getBytes());
            }
        }
        return String.format(Locale.ROOT, "%d MB %08x", megabytes * clients, sum);
    }

    /** Deletes the files, and waits until the DataNodes have deleted the blocks, so that they write nothing of them back. */
    void remove() throws IOException, InterruptedException {
        try (DistributedFileSystem files = cluster.connect()) {
            for (int i = 0; i < clients; i++) {
                files.delete(file(i), false);
            }
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (cluster.blockBytes() > 0) {
            if (System.nanoTime() > end) {
                throw new IOException("blocks of deleted files still exist after " + PATIENCE_SECONDS + " s");
            }
            Thread.sleep(50);
        }
    }
}

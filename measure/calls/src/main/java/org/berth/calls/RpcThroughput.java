package org.berth.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.berth.jobkit.JobException;
import org.berth.jobkit.JobMain;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Growing numbers of clients call one server at the same time, each over a connection of its own: calls in a second. The clients
 * are threads of one JVM, where the benchmark of the Ohio State University (OHB) starts a process for each.
 */
public final class RpcThroughput {
    private static final int MOST_CLIENTS = 2000;
    private static final int MOST_SCALE = 3600;
    private static final int MOST_BYTES = 32 << 20;

    @Command(
            name = "RpcThroughput",
            description = "Echo calls of Hadoop RPC by many concurrent clients: calls per second.")
    private static final class ThroughputOptions extends CallsOptions {
        @Option(
                names = "--clients",
                paramLabel = "N",
                split = ",",
                defaultValue = "8,32,64",
                description = "Numbers of clients, one after the other (default ${DEFAULT-VALUE}).")
        private List<Integer> clients = List.of();

        @Option(
                names = "--bytes",
                paramLabel = "N",
                defaultValue = "512",
                description = "Size of the messages (default ${DEFAULT-VALUE}).")
        private int bytes;

        @Option(
                names = "--scale",
                paramLabel = "N",
                defaultValue = "10",
                description = "Measured seconds for each number of clients, after an unmeasured warm-up of half that"
                        + " time (default ${DEFAULT-VALUE}).")
        private int scale;

        @Override
        protected void check() {
            super.check();
            clients.forEach(number -> requireAtMost("--clients", number, MOST_CLIENTS));
            requireAtMost("--scale", scale, MOST_SCALE);
            requireAtMost("--bytes", bytes, MOST_BYTES);
        }
    }

    private RpcThroughput() {}

    /** Exit code 0; with one line on standard error, 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        System.exit(JobMain.run(
                "rpc-throughput",
                "cannot measure calls of Hadoop RPC",
                new ThroughputOptions(),
                arguments,
                unprepared -> {},
                RpcThroughput::measure));
    }

    private static void measure(ThroughputOptions options) throws Exception {
        long calls = 0;
        double seconds = 0;
        List<Integer> numbers = options.clients.stream().distinct().toList();
        for (int clients : numbers) {
            // A server for each number, so that none has the connections of another.
            try (CallServer server = CallServer.start(options)) {
                Round round = new Round(options, server.port(), clients);
                calls += round.run();
                seconds += options.scale;
            }
        }
        Ways.require(options.way(), calls);
        JobMain.printResult(seconds, "echoes of " + options.bytes + " bytes to " + numbers + " clients");
    }

    /** One number of clients. */
    private record Round(ThroughputOptions options, int port, int clients) {
        /** Prints the rate and returns the number of all calls. */
        long run() throws Exception {
            Configuration settings = Ways.settings(options.way());
            byte[] content = new byte[options.bytes];
            new Random(1).nextBytes(content);
            CountDownLatch ready = new CountDownLatch(clients);
            ExecutorService threads = Executors.newFixedThreadPool(clients);
            try {
                List<Future<long[]>> results = new ArrayList<>();
                for (int i = 0; i < clients; i++) {
                    UserGroupInformation user = UserGroupInformation.createRemoteUser("client-" + clients + "-" + i);
                    Echo echo = Echo.of(Echo.proxy(settings, port, user), content);
                    results.add(threads.submit(client(echo, ready)));
                }
                long measured = 0;
                long all = 0;
                for (Future<long[]> result : results) {
                    measured += result.get()[0];
                    all += result.get()[1];
                }
                System.out.printf(
                        Locale.ROOT,
                        "berth-calls-per-second-by-%d-clients=%.1f%n",
                        clients,
                        measured / (double) options.scale);
                return all;
            } finally {
                threads.shutdownNow();
            }
        }

        /** Calls within the measured time, and all calls. */
        private Callable<long[]> client(Echo echo, CountDownLatch ready) {
            return () -> {
                if (!echo.echoes()) {
                    throw JobException.failure("the answer differs from the request: the connection corrupts data");
                }
                ready.countDown();
                ready.await();
                long half = TimeUnit.SECONDS.toNanos(options.scale) / 2;
                long begin = System.nanoTime();
                long all = 1;
                long measured = 0;
                while (true) {
                    if (echo.call() != options.bytes) {
                        throw JobException.failure("an answer has another size");
                    }
                    all++;
                    long elapsed = System.nanoTime() - begin;
                    if (elapsed >= 3 * half) {
                        return new long[] {measured, all};
                    }
                    if (elapsed >= half) {
                        measured++;
                    }
                }
            };
        }
    }
}

package org.berth.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.berth.jobkit.JobException;
import org.berth.jobkit.JobMain;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One client calls one server, one call after the other, with messages of growing sizes. The method is that of the
 * Hadoop RPC benchmark of the Ohio State University (OHB): the time of a whole round trip, by one connection.
 */
public final class RpcLatency {
    private static final int LARGE_BYTES = 64 << 10;
    /** Factor by which there are fewer large messages. */
    private static final int LARGE_FACTOR = 8;

    private static final int MOST_BYTES = 32 << 20;
    private static final int MOST_SCALE = 100_000;
    private static final double NANOS_OF_A_MICROSECOND = 1e3;

    @Command(name = "RpcLatency", description = "Latency of echo calls of Hadoop RPC, one at a time, by message size.")
    private static final class LatencyOptions extends CallsOptions {
        private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})([km]?)");

        @Option(
                names = "--sizes",
                paramLabel = "N",
                split = ",",
                defaultValue = "1,1k,4k,64k,512k,1m",
                description = "Sizes of the messages in bytes (default ${DEFAULT-VALUE}).")
        private List<String> sizes = List.of();

        @Option(
                names = "--scale",
                paramLabel = "N",
                defaultValue = "4",
                description =
                        "Thousands of measured calls of each size, after as many unmeasured ones; an eighth of both"
                                + " from 64k on (default ${DEFAULT-VALUE}).")
        private int scale;

        @Option(
                names = "--warm-up",
                paramLabel = "N",
                defaultValue = "30",
                description = "Thousands of calls of the first size as a warm-up, in which the JVMs compile the code"
                        + " (default ${DEFAULT-VALUE}).")
        private int warmUp;

        @Override
        protected void check() {
            super.check();
            requireAtMost("--scale", scale, MOST_SCALE);
            requireAtMost("--warm-up", warmUp, MOST_SCALE);
            sizes.forEach(LatencyOptions::bytes);
        }

        List<String> sizes() {
            return sizes.stream().distinct().toList();
        }

        int calls(int bytes) {
            return scale * 1000 / (bytes < LARGE_BYTES ? 1 : LARGE_FACTOR);
        }

        static int bytes(String word) {
            Matcher size = SIZE.matcher(word);
            if (size.matches()) {
                int shift = size.group(2).isEmpty() ? 0 : size.group(2).equals("k") ? 10 : 20;
                long bytes = Long.parseLong(size.group(1)) << shift;
                if (bytes <= MOST_BYTES) {
                    return (int) bytes;
                }
            }
            throw JobException.usage(
                    "Invalid value for option '--sizes': '" + word + "' is not a size up to 32m, such as 1, 512 or 4k");
        }
    }

    private RpcLatency() {}

    /** Exit code 0; with one line on standard error, 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        System.exit(JobMain.run(
                "rpc-latency",
                "cannot measure calls of Hadoop RPC",
                new LatencyOptions(),
                arguments,
                unprepared -> {},
                RpcLatency::measure));
    }

    private static void measure(LatencyOptions options) throws Exception {
        try (CallServer server = CallServer.start(options)) {
            BytesEcho proxy =
                    Echo.proxy(Ways.settings(options.way()), server.port(), UserGroupInformation.getCurrentUser());
            long calls = 0;
            List<String> results = new ArrayList<>();
            long start = System.nanoTime();
            for (String size : options.sizes()) {
                int bytes = LatencyOptions.bytes(size);
                byte[] content = new byte[bytes];
                new Random(bytes).nextBytes(content);
                Echo echo = Echo.of(proxy, content);
                int count = options.calls(bytes);
                requireEcho(echo, bytes);
                if (results.isEmpty()) {
                    time(echo, bytes, options.warmUp * 1000);
                    calls += options.warmUp * 1000L;
                }
                time(echo, bytes, count);
                print(size, time(echo, bytes, count));
                requireEcho(echo, bytes);
                calls += 2L * count + 2;
                results.add(size);
            }
            double seconds = JobMain.seconds(System.nanoTime() - start);
            Ways.require(options.way(), calls);
            JobMain.printResult(seconds, calls + " calls of " + String.join(", ", results));
        }
    }

    private static void requireEcho(Echo echo, int bytes) throws ServiceException {
        if (!echo.echoes()) {
            throw JobException.failure(
                    "the answer to " + bytes + " bytes differs from the request: the connection" + " corrupts data");
        }
    }

    private static Histogram time(Echo echo, int bytes, int count) throws ServiceException {
        Histogram times = new Histogram(3);
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            int size = echo.call();
            times.recordValue(System.nanoTime() - start);
            if (size != bytes) {
                throw JobException.failure("the answer to " + bytes + " bytes has " + size);
            }
        }
        return times;
    }

    private static void print(String size, Histogram times) {
        print("p50", size, (double) times.getValueAtPercentile(50));
        print("p99", size, (double) times.getValueAtPercentile(99));
        print("mean", size, times.getMean());
    }

    private static void print(String what, String size, double nanos) {
        System.out.printf(
                Locale.ROOT, "berth-call-%s-microseconds-of-%s=%.2f%n", what, size, nanos / NANOS_OF_A_MICROSECOND);
    }
}

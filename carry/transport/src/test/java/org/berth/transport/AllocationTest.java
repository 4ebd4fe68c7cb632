package org.berth.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.MessageBuffer;
import org.berth.transport.progress.Signal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a round trip allocates on the heap, on all threads that take part, by the JVM's own count. */
@Timeout(240)
final class AllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** Rounds for classes that are loaded, and for code of the JDK that allocates until it is compiled. */
    private static final int WARM_UP = 5_000;

    private static final int COUNTED = 10_000;

    /** How often it is counted at most: threads that meet at a lock on a busy host allocate a little. */
    private static final int WINDOWS = 10;

    /** Sets the waiting thread's signal; both live as long as the connection. */
    private static final class Answers implements Receiver {
        private final Signal signal = new Signal();

        @Override
        public void received(Connection from, MessageBuffer message) {
            message.release();
            signal.set();
        }

        @Override
        public void closed(Connection from, @Nullable TransportException cause) {
            signal.set();
        }
    }

    /**
     * Over sockets a round trip of two messages allocates nothing. Over UCX it allocates what jucx makes in native code, 192 bytes: a
     * UcpRequest for each message that leaves and a UcpAmData for each that arrives. Neither depends on what the compiler makes of the
     * path, so it holds in a JVM that has run much else before, and with {@code -Xint}. The limits leave no room for one object of
     * the smallest size, 16 bytes, for each of the two messages.
     */
    @ParameterizedTest
    @CsvSource({"tcp, 24", "local, 24", "ucx, 216"})
    void theEnginesPathAllocatesNothing(String provider, int mostBytes) throws Exception {
        Echo.require(provider);
        try (Transport server = Transport.open(Echo.settings("alloc-server", provider));
                Transport client = Transport.open(Echo.settings("alloc-client", Map.of("providers", provider)));
                Listener listener = server.listen("127.0.0.1:0", Echo.acceptor(List.of()))) {
            Answers answers = new Answers();
            try (Connection connection =
                    client.connect(listener.address(), Echo.bytes("hello"), answers, Echo.PATIENCE_NANOS)) {
                assertThat(connection.provider()).isEqualTo(provider);
                calls(connection, answers, WARM_UP);
                List<Double> eachBytes = new ArrayList<>();
                do {
                    long before = allocatedBytes();
                    calls(connection, answers, COUNTED);
                    eachBytes.add((allocatedBytes() - before) / (double) COUNTED);
                } while (Collections.min(eachBytes) >= mostBytes && eachBytes.size() < WINDOWS);
                assertThat(eachBytes)
                        .as("bytes in a round trip, in windows of " + COUNTED)
                        .anyMatch(each -> each < mostBytes);
            }
        }
    }

    private static void calls(Connection connection, Answers answers, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            answers.signal.reset();
            MessageBuffer message = connection.lease(64, Echo.PATIENCE_NANOS);
            message.bytes().putLong(0, i);
            connection.send(message);
            if (!connection.await(answers.signal, Echo.PATIENCE_NANOS)) {
                throw new AssertionError("no answer");
            }
        }
    }

    /** The bytes of this thread and of the engines' threads. */
    private static long allocatedBytes() {
        long[] ids = Arrays.stream(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
                .filter(Objects::nonNull)
                .filter(info -> info.getThreadName().startsWith("alloc-")
                        || info.getThreadId() == Thread.currentThread().getId())
                .mapToLong(info -> info.getThreadId())
                .toArray();
        return Arrays.stream(THREADS.getThreadAllocatedBytes(ids)).sum();
    }
}

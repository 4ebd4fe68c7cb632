package org.berth.transport.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.berth.oracle.Await;
import org.berth.transport.failure.TransportException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The thread that all connections need: whatever is thrown, it continues, or ends and logs that. */
final class ProgressLoopTest {
    /** Throws what it is told to, and remembers why it was closed. */
    private static final class Throwing implements Poller {
        final AtomicInteger polls = new AtomicInteger();
        final CompletableFuture<@Nullable TransportException> end = new CompletableFuture<>();
        volatile @Nullable Error error;

        @Override
        public int poll(long timeoutNanos) {
            polls.incrementAndGet();
            Error now = error;
            if (now != null) {
                throw now;
            }
            return 1;
        }

        @Override
        public void wakeup() {
            // It never blocks.
        }

        @Override
        public void tick(long nowNanos) {
            throw new AssertionError("of a tick");
        }

        @Override
        public void close(@Nullable TransportException why) {
            end.complete(why);
        }
    }

    @Test
    void anErrorOfOneLinkEndsNoOther() throws Exception {
        Throwing poller = new Throwing();
        try (Running running = new Running(poller)) {
            running.loop.execute(() -> {
                throw new StackOverflowError("of a task");
            });
            CountDownLatch next = new CountDownLatch(1);
            running.loop.execute(next::countDown);
            next.await();
            poller.error = new OutOfMemoryError("of a poll");
            int seen = poller.polls.get();
            Await.until("more polls", () -> poller.polls.get() > seen + 2);
            poller.error = null;
            int later = poller.polls.get();
            Await.until("polls again", () -> poller.polls.get() > later + 10);
            assertThat(poller.end).isNotDone();
        }
        assertThat(poller.end.get()).as("closed without a reason").isNull();
    }

    @Test
    void allThatWaitHearOfAPollerThatAlwaysFails() throws Exception {
        Throwing poller = new Throwing();
        poller.error = new InternalError("no file descriptor");
        try (Running running = new Running(poller)) {
            TransportException why = poller.end.get(Await.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            assertThat(why).isNotNull().hasMessageContaining("no file descriptor");
            assertThat(running.loop.await(new Signal(), Long.MAX_VALUE / 2))
                    .as("a wait for a loop that has ended")
                    .isFalse();
        }
    }

    private static final class Running implements AutoCloseable {
        final ProgressLoop loop;
        private final Thread thread;

        Running(Poller poller) {
            loop = new ProgressLoop(poller, WaitMode.EVENT, 10_000);
            thread = new Thread(() -> loop.run(() -> {}), "progress of a test");
            thread.start();
        }

        @Override
        public void close() {
            loop.close();
            Await.until("the end of the thread", () -> !thread.isAlive());
        }
    }
}

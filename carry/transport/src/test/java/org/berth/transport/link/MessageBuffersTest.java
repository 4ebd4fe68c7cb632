package org.berth.transport.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.berth.oracle.Await;
import org.berth.transport.Echo;
import org.berth.transport.failure.TransportException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class MessageBuffersTest {
    @Test
    void aReleasedBufferServesTheNextLease() throws Exception {
        MessageBuffers pool = new MessageBuffers("test", 1 << 20);
        MessageBuffer first = pool.lease(100, 0);
        assertThat(first.bytes().remaining()).isEqualTo(100);
        assertThat(first.bytes().isDirect()).isTrue();
        first.release();
        assertThat(pool.tryLease(1000)).isSameAs(first);
        assertThat(pool.leased()).isEqualTo(1);
        assertThat(pool.leasedBytes()).isEqualTo(1024);
    }

    @Test
    void whatIsReleasedIsNobodysAnyMore() throws Exception {
        MessageBuffer buffer = new MessageBuffers("test", 1 << 20).lease(1, 0);
        buffer.release();
        assertThatThrownBy(buffer::release)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("twice");
        assertThatThrownBy(buffer::bytes).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aPoolThatIsEmptySaysSo() throws Exception {
        MessageBuffers pool = new MessageBuffers("small", 4096);
        MessageBuffer all = pool.lease(4000, 0);
        assertThat(pool.tryLease(1)).isNull();
        assertThatThrownBy(() -> pool.lease(1, 1_000_000))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.EXHAUSTED))
                .hasMessage("no buffer of 1 bytes in 1 ms: pool small has 1 buffers of 4096 bytes leased, of 4096");
        assertThat(pool.canHold(5000)).isFalse();
        assertThatThrownBy(() -> pool.tryLease(5000)).isInstanceOf(IllegalArgumentException.class);
        all.release();
        assertThat(pool.tryLease(1)).isNotNull();
    }

    @Test
    void aThreadThatWaitsGetsWhatIsReleased() throws Exception {
        MessageBuffers pool = new MessageBuffers("test", 2048);
        MessageBuffer all = pool.lease(2000, 0);
        AtomicInteger told = new AtomicInteger();
        pool.whenReleased(10, null, told::incrementAndGet);
        CountDownLatch got = new CountDownLatch(1);
        Thread waiter = new Thread(() -> {
            try {
                pool.lease(10, Echo.PATIENCE_NANOS).release();
                got.countDown();
            } catch (TransportException e) {
                throw new AssertionError(e);
            }
        });
        waiter.start();
        Await.until("the thread to wait", () -> waiter.getState() == Thread.State.TIMED_WAITING);
        assertThat(told).hasValue(0);
        all.release();
        got.await();
        waiter.join();
        assertThat(told).hasValue(1);
        pool.whenReleased(10, null, told::incrementAndGet);
        assertThat(told).as("at once, as there is room").hasValue(2);
    }

    @Test
    void leasesOfAllSizesStayInsideTheLimit() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        MessageBuffers pool = new MessageBuffers("test", 1 << 20);
        List<MessageBuffer> leased = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            if (!leased.isEmpty() && random.nextInt(5) < 2) {
                leased.remove(random.nextInt(leased.size())).release();
            } else {
                MessageBuffer buffer = pool.tryLease(1 << random.nextInt(19));
                if (buffer != null) {
                    leased.add(buffer);
                } else {
                    leased.remove(random.nextInt(leased.size())).release();
                }
            }
            assertThat(pool.leasedBytes() + pool.idleBytes()).as("seed " + seed).isBetween(0L, 1L << 20);
            assertThat(pool.leased()).as("seed " + seed).isEqualTo(leased.size());
        }
        leased.forEach(MessageBuffer::release);
        assertThat(pool.leasedBytes()).isZero();
    }

    /** Before, each message of a modest owner woke all of them. */
    @Test
    void aReleaseWakesOnlyThoseForWhomItMakesRoom() throws Exception {
        MessageBuffers pool = new MessageBuffers("test", 1 << 20);
        Shares shares = new Shares();
        Share greedy = shares.enter("greedy");
        Share modest = shares.enter("modest");
        List<MessageBuffer> taken = new ArrayList<>();
        for (MessageBuffer one = pool.tryLease(1 << 17, greedy); one != null; one = pool.tryLease(1 << 17, greedy)) {
            taken.add(one);
        }
        AtomicInteger told = new AtomicInteger();
        List<MessageBuffers.Waiting> waiting = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            waiting.add(pool.whenReleased(1 << 17, greedy, told::incrementAndGet));
        }
        Objects.requireNonNull(pool.tryLease(1 << 10, modest), "a small one").release();
        assertThat(told).hasValue(0);
        taken.remove(0).release();
        assertThat(told).hasValue(1);
        waiting.get(999).withdraw();
        assertThat(told).as("the last one was not woken").hasValue(1);
        waiting.get(0).withdraw();
        assertThat(told).as("the next one in its place").hasValue(2);
        waiting.subList(0, 998).forEach(MessageBuffers.Waiting::withdraw);
        taken.forEach(MessageBuffer::release);
        assertThat(told.get()).isLessThanOrEqualTo(999);
    }

    /** Whoever is woken takes its buffer, finds that another was quicker and waits again, or withdraws: none is forgotten. */
    @Test
    void noneWaitsForEver() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        MessageBuffers pool = new MessageBuffers("test", 1 << 20);
        Shares shares = new Shares();
        List<Share> owners = List.of(shares.enter("a"), shares.enter("b"), shares.enter("c"));
        List<MessageBuffer> leased = new ArrayList<>();
        ArrayDeque<Asking> woken = new ArrayDeque<>();
        int ended = 0;
        for (int i = 0; i < 5000; i++) {
            Asking asking = new Asking(1 << random.nextInt(20), owners.get(random.nextInt(3)));
            asking.waitsFor(pool, woken);
            while (random.nextInt(3) > 0 && (!woken.isEmpty() || !leased.isEmpty())) {
                if (woken.isEmpty() || (random.nextBoolean() && !leased.isEmpty())) {
                    leased.remove(random.nextInt(leased.size())).release();
                } else {
                    ended += woken.remove().goesOn(pool, leased, woken, random.nextInt(10) == 0);
                }
            }
        }
        while (!woken.isEmpty() || !leased.isEmpty()) {
            if (!woken.isEmpty()) {
                ended += woken.remove().goesOn(pool, leased, woken, false);
            } else {
                leased.remove(leased.size() - 1).release();
            }
        }
        assertThat(ended).as("seed " + seed).isEqualTo(5000);
        assertThat(pool.leasedBytes()).isZero();
    }

    private static final class Asking {
        private final int size;
        private final Share share;
        private MessageBuffers.@Nullable Waiting waiting;

        Asking(int size, Share share) {
            this.size = size;
            this.share = share;
        }

        void waitsFor(MessageBuffers pool, Queue<Asking> woken) {
            waiting = pool.whenReleased(size, share, () -> woken.add(this));
        }

        /** 1 when it has ended. */
        int goesOn(MessageBuffers pool, List<MessageBuffer> leased, Queue<Asking> woken, boolean closed)
                throws TransportException {
            if (closed) {
                Objects.requireNonNull(waiting).withdraw();
                return 1;
            }
            MessageBuffer buffer = pool.tryLease(size, share);
            if (buffer == null) {
                waitsFor(pool, woken);
                return 0;
            }
            leased.add(buffer);
            return 1;
        }
    }

    @Test
    void anOwnerLeavesRoomForOthers() throws Exception {
        MessageBuffers pool = new MessageBuffers("test", 1 << 20);
        Shares shares = new Shares();
        Share greedy = shares.enter("greedy");
        Share second = shares.enter("second");
        Share modest = shares.enter("modest");
        List<MessageBuffer> taken = new ArrayList<>();
        for (MessageBuffer one = pool.tryLease(1 << 17, greedy); one != null; one = pool.tryLease(1 << 17, greedy)) {
            taken.add(one);
        }
        assertThat(pool.leasedBytes()).as("half of the pool").isEqualTo(1 << 19);
        for (MessageBuffer one = pool.tryLease(1 << 17, second); one != null; one = pool.tryLease(1 << 17, second)) {
            taken.add(one);
        }
        assertThat(pool.leasedBytes()).as("three quarters").isEqualTo(3 << 18);
        assertThat(pool.tryLease(1 << 16, modest)).as("the last quarter").isNotNull();
        taken.add(Objects.requireNonNull(pool.tryLease(1 << 16, greedy), "a small one"));
        AtomicInteger told = new AtomicInteger();
        pool.whenReleased(1 << 17, greedy, told::incrementAndGet);
        assertThat(told).hasValue(0);
        taken.forEach(MessageBuffer::release);
        assertThat(told).hasValue(1);
        assertThat(greedy.heldBytes()).isZero();
        assertThat(pool.tryLease(1 << 17, greedy)).isNotNull();
    }

    /** The kernel's pages are behind direct buffers only when they are written, so the JVM's own count tells. */
    @Test
    void memoryComesWithTheMessage() throws Exception {
        MessageBuffers pool = new MessageBuffers("test", 1 << 26);
        Share share = new Shares().enter("peer");
        long before = directBytes();
        MessageBuffer part = Objects.requireNonNull(pool.tryLease(1 << 25, 1 << 14, share));
        assertThat(directBytes() - before).isLessThan(1 << 20);
        assertThat(pool.leasedBytes()).as("reserved").isEqualTo(1 << 25);
        assertThat(pool.tryLease(1 << 25, 1 << 14, share))
                .as("more than its part")
                .isNull();
        part.bytes().putInt(7).position(1 << 14);
        MessageBuffer whole = part.grown(1 << 25);
        assertThat(whole.bytes().getInt(0)).isEqualTo(7);
        assertThat(whole.bytes().position()).isEqualTo(1 << 14);
        assertThat(whole.bytes().limit()).isEqualTo(1 << 25);
        assertThat(pool.leased()).isEqualTo(1);
        assertThat(pool.leasedBytes()).isEqualTo(1 << 25);
        assertThat(pool.idleBytes()).as("the first part").isEqualTo(1 << 14);
        assertThatThrownBy(part::release).isInstanceOf(IllegalStateException.class);
        whole.release();
        assertThat(pool.leasedBytes()).isZero();
        assertThat(share.heldBytes()).isZero();
        assertThat(pool.idleBytes()).isEqualTo((1 << 25) + (1 << 14));
        pool.lease(1 << 26, 0).release();
        assertThat(pool.idleBytes()).as("all within the limit").isEqualTo(1 << 26);
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(one -> one.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    @Test
    void aSizeThatIsAPowerOfTwoTakesNoMoreThanThat() throws Exception {
        MessageBuffers pool = new MessageBuffers("test", 1 << 26);
        assertThat(pool.lease(1 << 26, 0).bytes().remaining()).isEqualTo(1 << 26);
        assertThat(pool.leasedBytes()).isEqualTo(1 << 26);
    }
}

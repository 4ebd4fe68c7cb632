package org.berth.transport.link;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.berth.transport.failure.TransportException;
import org.jspecify.annotations.Nullable;

/**
 * Buffers for messages by size class (powers of two, and room for a header), of a bounded total. What is released is
 * kept for the next lease, so that memory is allocated, and registered with a network adapter, once. Thread-safe.
 *
 * @since 0.1.0
 */
public final class MessageBuffers {
    private static final int SMALLEST_CLASS = 10;
    private static final int LARGEST_CLASS = 30;
    /** A peer that holds less than this part of the pool holds little. */
    private static final int LITTLE = 16;

    private static final int SMALL_BYTES = 64 * 1024;

    private final String name;
    private final long capacityBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    private final List<ArrayDeque<MessageBuffer>> idle = new ArrayList<>();
    /** Those of one want go on, or none of them; guarded by the lock. */
    private final Map<Want, Set<Waiting>> starved = new LinkedHashMap<>();

    /** The bytes of the reserved classes. */
    private long leasedBytes;
    /** The bytes of leased buffers. */
    private long usedBytes;

    private long idleBytes;
    private int leased;

    private record Want(@Nullable Share share, int sizeClass) {
        long bytes() {
            return 1L << sizeClass;
        }
    }

    /**
     * A thread or request that waits for a buffer. A thousand peers of one owner may wait while another owner's
     * messages come and go, so a
     * release wakes only as many as it has room for; who is woken takes its buffer, or withdraws so that the next one
     * is woken.
     */
    public final class Waiting {
        private final Want want;
        private final Runnable action;

        private Waiting(Want want, Runnable action) {
            this.want = want;
            this.action = action;
        }

        /** It does not want its buffer any more, whether it was woken or not. */
        public void withdraw() {
            List<Waiting> woken = List.of();
            lock.lock();
            try {
                Set<Waiting> others = starved.get(want);
                if (others == null || !others.remove(this)) {
                    woken = wake();
                } else if (others.isEmpty()) {
                    starved.remove(want);
                }
            } finally {
                lock.unlock();
            }
            run(woken);
        }
    }

    /**
     * A pool with nothing allocated.
     *
     * @param name for messages
     * @param capacityBytes the limit of leased and idle buffers together
     */
    public MessageBuffers(String name, long capacityBytes) {
        this.name = name;
        this.capacityBytes = capacityBytes;
        for (int sizeClass = 0; sizeClass <= LARGEST_CLASS; sizeClass++) {
            idle.add(new ArrayDeque<>());
        }
    }

    /** How many buffers are leased; 0 when each owner has released its own. */
    public int leased() {
        lock.lock();
        try {
            return leased;
        } finally {
            lock.unlock();
        }
    }

    /** The size of all leased buffers. */
    public long leasedBytes() {
        lock.lock();
        try {
            return leasedBytes;
        } finally {
            lock.unlock();
        }
    }

    /** The size of buffers that wait for a lease. */
    public long idleBytes() {
        lock.lock();
        try {
            return idleBytes;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a message of this size fits into an empty pool. */
    public boolean canHold(int size) {
        return sizeClass(size) <= LARGEST_CLASS && 1L << sizeClass(size) <= capacityBytes;
    }

    /**
     * A buffer whose limit is {@code size}; null when all are leased. Does not block.
     *
     * @throws TransportException EXHAUSTED when the JVM refuses to allocate memory outside the heap
     */
    public @Nullable MessageBuffer tryLease(int size) throws TransportException {
        int sizeClass = requireHoldable(size);
        lock.lock();
        try {
            return take(sizeClass, sizeClass, size);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The same for a message that arrives, which is charged to a share until it is released. One owner may hold half of
     * the pool
     * with large messages, and all that hold much three quarters: the last quarter is for those who hold little, and
     * for small messages, which so never wait for large ones.
     */
    @Nullable
    public MessageBuffer tryLease(int size, Share share) throws TransportException {
        return tryLease(size, size, share);
    }

    /**
     * The same for a message of which little has arrived: its place is reserved, and {@link #grow} brings the memory. A
     * peer that announces much and sends little would otherwise let this side allocate and drop memory all the time.
     *
     * @param part for its beginning
     */
    @Nullable
    public MessageBuffer tryLease(int size, int part, Share share) throws TransportException {
        int sizeClass = requireHoldable(size);
        lock.lock();
        try {
            MessageBuffer buffer = allows(share, 1L << sizeClass) ? take(sizeClass, sizeClass(part), part) : null;
            if (buffer != null) {
                buffer.chargeTo(share);
                share.charge(1L << sizeClass);
            }
            return buffer;
        } finally {
            lock.unlock();
        }
    }

    /** A larger buffer in place of one, with what that has already, for the reservation that was made with it. */
    MessageBuffer grow(MessageBuffer part, int size) throws TransportException {
        lock.lock();
        try {
            MessageBuffer whole = memory(sizeClass(size));
            whole.takeOver(part, size);
            keep(part);
            return whole;
        } finally {
            lock.unlock();
        }
    }

    private boolean allows(Share share, long bytes) {
        long held = share.heldBytes() + bytes;
        return held <= capacityBytes / LITTLE
                // Beside large messages of the same owner, who may be a host with many users.
                || (bytes <= SMALL_BYTES && held <= capacityBytes - capacityBytes / 4)
                || (held <= capacityBytes / 2 && leasedBytes + bytes <= capacityBytes - capacityBytes / 4);
    }

    /**
     * A buffer whose limit is {@code size}. Waits while all are leased.
     *
     * @throws TransportException EXHAUSTED when none was released in time, CLOSED when the thread was interrupted,
     * whose flag     stays set
     */
    public MessageBuffer lease(int size, long timeoutNanos) throws TransportException {
        int sizeClass = requireHoldable(size);
        long left = timeoutNanos;
        lock.lock();
        try {
            MessageBuffer buffer = take(sizeClass, sizeClass, size);
            while (buffer == null) {
                if (left <= 0) {
                    throw new TransportException(
                            TransportException.Kind.EXHAUSTED,
                            "no buffer of " + size + " bytes in " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos)
                                    + " ms: pool " + name + " has " + leased + " buffers of " + leasedBytes
                                    + " bytes leased, of " + capacityBytes);
                }
                left = released.awaitNanos(left);
                buffer = take(sizeClass, sizeClass, size);
            }
            return buffer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(
                    TransportException.Kind.CLOSED, "interrupted while waiting for a buffer of pool " + name, e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs an action once when there may be memory; at once if some is there already. The action must not block, and
     * comes for its buffer soon; where it does not, {@link Waiting#withdraw} is to be called.
     *
     * @param size of the buffer that is needed
     * @param share that it would be charged to; null for none
     */
    public Waiting whenReleased(int size, @Nullable Share share, Runnable action) {
        Waiting waiting = new Waiting(new Want(share, requireHoldable(size)), action);
        lock.lock();
        try {
            if (!mayHave(waiting.want)) {
                starved.computeIfAbsent(waiting.want, key -> new LinkedHashSet<>())
                        .add(waiting);
                return waiting;
            }
        } finally {
            lock.unlock();
        }
        action.run();
        return waiting;
    }

    private boolean mayHave(Want want) {
        Share share = want.share;
        return hasRoom(want.sizeClass) && (share == null || allows(share, want.bytes()));
    }

    /** Takes those out of {@link #starved} who all together find room now. */
    private List<Waiting> wake() {
        if (starved.isEmpty()) {
            return List.of();
        }
        List<Waiting> woken = new ArrayList<>();
        Iterator<Map.Entry<Want, Set<Waiting>>> wants = starved.entrySet().iterator();
        while (wants.hasNext()) {
            Map.Entry<Want, Set<Waiting>> entry = wants.next();
            Iterator<Waiting> queue = entry.getValue().iterator();
            while (queue.hasNext() && mayHave(entry.getKey())) {
                woken.add(queue.next());
                queue.remove();
                charge(entry.getKey(), 1);
            }
            if (entry.getValue().isEmpty()) {
                wants.remove();
            }
        }
        // They take it themselves.
        woken.forEach(one -> charge(one.want, -1));
        return woken;
    }

    private void charge(Want want, int sign) {
        leasedBytes += sign * want.bytes();
        Share share = want.share;
        if (share != null) {
            share.charge(sign * want.bytes());
        }
    }

    void takeBack(MessageBuffer buffer, @Nullable Share chargedTo) {
        List<Waiting> woken;
        lock.lock();
        try {
            long size = 1L << buffer.reservedClass();
            if (chargedTo != null) {
                chargedTo.charge(-size);
            }
            leased--;
            leasedBytes -= size;
            keep(buffer);
            released.signalAll();
            woken = wake();
        } finally {
            lock.unlock();
        }
        run(woken);
    }

    /** Outside the lock. An iterator over an empty list would be the only object of a message. */
    private static void run(List<Waiting> woken) {
        if (!woken.isEmpty()) {
            woken.forEach(one -> one.action.run());
        }
    }

    private int requireHoldable(int size) {
        if (size < 0 || !canHold(size)) {
            throw new IllegalArgumentException(
                    "pool " + name + " has " + capacityBytes + " bytes and never holds a message of " + size);
        }
        return sizeClass(size);
    }

    private static int sizeClass(int size) {
        return size <= 1 << SMALLEST_CLASS ? SMALLEST_CLASS : Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
    }

    /** What a message of this size takes of a pool. */
    public static long classBytes(int size) {
        return 1L << sizeClass(size);
    }

    private boolean hasRoom(int sizeClass) {
        return leasedBytes + (1L << sizeClass) <= capacityBytes;
    }

    /** Reserves a class, with memory of this or a smaller one. */
    private @Nullable MessageBuffer take(int reservedClass, int sizeClass, int size) throws TransportException {
        if (!hasRoom(reservedClass)) {
            return null;
        }
        MessageBuffer buffer = memory(sizeClass);
        leased++;
        leasedBytes += 1L << reservedClass;
        buffer.leaseFor(size, reservedClass);
        return buffer;
    }

    private MessageBuffer memory(int sizeClass) throws TransportException {
        long bytes = 1L << sizeClass;
        MessageBuffer buffer = idle.get(sizeClass).poll();
        if (buffer == null) {
            makeRoom(bytes);
            buffer = allocate(sizeClass);
        } else {
            idleBytes -= bytes;
        }
        usedBytes += bytes;
        return buffer;
    }

    private void keep(MessageBuffer buffer) {
        long bytes = 1L << buffer.sizeClass();
        usedBytes -= bytes;
        idleBytes += bytes;
        idle.get(buffer.sizeClass()).push(buffer);
    }

    private MessageBuffer allocate(int sizeClass) throws TransportException {
        try {
            return new MessageBuffer(this, sizeClass);
        } catch (OutOfMemoryError e) {
            throw new TransportException(
                    TransportException.Kind.EXHAUSTED,
                    "the JVM refuses " + (1L << sizeClass) + " bytes outside the heap for pool " + name + " ("
                            + e.getMessage() + "): raise -XX:MaxDirectMemorySize or lower the pool's size",
                    e);
        }
    }

    /** Drops idle buffers of other classes, the largest first; the garbage collector frees their memory. */
    private void makeRoom(long bytes) {
        for (int sizeClass = LARGEST_CLASS; usedBytes + idleBytes + bytes > capacityBytes; ) {
            if (idle.get(sizeClass).poll() == null) {
                sizeClass--;
            } else {
                idleBytes -= 1L << sizeClass;
            }
        }
    }
}

package org.berth.transport;

import java.lang.System.Logger;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.berth.binding.SlotBinder;
import org.berth.placement.DevicePolicy;
import org.jspecify.annotations.Nullable;

/**
 * Places of progress threads by {@link AutoPolicy}, which looks once a second at the messages that came meanwhile. Thread-safe: all
 * progress threads of an engine share it.
 */
final class AutoPlaces {
    private static final Logger LOG = System.getLogger(AutoPlaces.class.getName());
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Fewer say nothing about the work. */
    private static final long LEAST_MESSAGES = 1000;

    private static final int LOOK_MASK = 63;

    private final String name;
    private final AutoPolicy.Facts facts;
    private final Counters counters;
    private final Function<DevicePolicy, SlotBinder> slots;

    @SuppressWarnings("ThreadLocalUsage") // a thread may have a place of each of several engines
    private final ThreadLocal<@Nullable SlotBinder> own = new ThreadLocal<>();

    private final AtomicLong lookedNanos = new AtomicLong(System.nanoTime());
    private volatile @Nullable SlotBinder current;
    private volatile AutoPolicy.Choice choice;
    private AutoPolicy.Choice before;
    /** Of all threads, of which some get lost. */
    private int asked;

    private long messages;
    private long bytes;

    /** @param slots of a policy on this machine */
    AutoPlaces(String name, AutoPolicy.Facts facts, Counters counters, Function<DevicePolicy, SlotBinder> slots) {
        this.name = name;
        this.facts = facts;
        this.counters = counters;
        this.slots = slots;
        this.choice = AutoPolicy.choose(facts, 0);
        this.before = choice;
        take(choice);
    }

    private void take(AutoPolicy.Choice taken) {
        choice = taken;
        current = taken.policy().map(slots).orElse(null);
        LOG.log(
                Logger.Level.INFO,
                "berth: progress threads of " + name + ": policy auto is "
                        + taken.policy().map(DevicePolicy::word).orElse("none") + ", as " + taken.reason() + " ("
                        + facts.costs() + ")");
    }

    /** The policy in force. */
    Optional<DevicePolicy> policy() {
        return choice.policy();
    }

    /** Binds the calling thread, or finds in a nanosecond that it is bound. */
    void bind() {
        SlotBinder wanted = current;
        SlotBinder held = own.get();
        if (held != wanted) {
            if (held != null) {
                held.release();
            }
            own.set(wanted);
        }
        if (wanted != null) {
            wanted.bind();
        }
        // Not each time, as asking for the time takes longer than all of the above.
        if ((++asked & LOOK_MASK) == 0) {
            look(System.nanoTime());
        }
    }

    /** Looks at the messages if a second has passed; one thread does. */
    void look(long nowNanos) {
        long last = lookedNanos.get();
        if (nowNanos - last < LOOK_NANOS || !lookedNanos.compareAndSet(last, nowNanos)) {
            return;
        }
        long allMessages = counters.messagesSent.sum() + counters.messagesReceived.sum();
        long allBytes = counters.bytesSent.sum() + counters.bytesReceived.sum();
        if (allMessages - messages < LEAST_MESSAGES) {
            return;
        }
        AutoPolicy.Choice now = AutoPolicy.choose(facts, (allBytes - bytes) / (allMessages - messages));
        messages = allMessages;
        bytes = allBytes;
        // Twice in turn, so that threads do not move to and fro with a mixture of sizes.
        if (!now.policy().equals(choice.policy()) && now.policy().equals(before.policy())) {
            take(now);
        }
        before = now;
    }
}

package org.berth.transport;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.berth.binding.Binder;
import org.berth.binding.BindingException;
import org.berth.topology.CpuSet;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;

/**
 * What it costs to wake a thread that waits, by how far it is from the thread that wakes it. Immutable.
 *
 * @param nanos median of one wake-up; no entry for a distance that this machine does not have
 */
record WakeupCosts(Map<Distance, Long> nanos) {
    private static final int WARM_UPS = 50;
    private static final int ROUND_TRIPS = 200;
    /** Two wake-ups make a round trip. */
    private static final int WAKEUPS = 2;

    private static final long LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** How far two hardware threads are from each other. */
    enum Distance {
        /** The same one. */
        SAME_CPU("the same CPU"),
        /** Two of one core. */
        SAME_CORE("the same core"),
        /** Different cores near the adapter. */
        NEAR("cores near the adapter"),
        /** One near the adapter, one that is not. */
        FAR("a core that is not near the adapter");

        private final String words;

        Distance(String words) {
            this.words = words;
        }
    }

    WakeupCosts {
        nanos = Map.copyOf(nanos);
    }

    OptionalLong of(Distance distance) {
        Long known = nanos.get(distance);
        return known == null ? OptionalLong.empty() : OptionalLong.of(known);
    }

    /** A pair of CPUs for each distance that the allowed CPUs have; a pure function. */
    static Map<Distance, List<Integer>> pairs(Topology topology, CpuSet near) {
        CpuSet allowed = topology.allowedCpuSet();
        CpuSet inside = near.intersection(allowed);
        Map<Distance, List<Integer>> pairs = new EnumMap<>(Distance.class);
        if (inside.isEmpty()) {
            return pairs;
        }
        int first = inside.first();
        CpuSet core = topology.objectsIntersecting(CpuSet.of(first), ObjectType.CORE).stream()
                .findFirst()
                .map(object -> object.cpuSet())
                .orElse(CpuSet.of(first));
        pairs.put(Distance.SAME_CPU, List.of(first, first));
        add(pairs, Distance.SAME_CORE, first, core.intersection(allowed).minus(CpuSet.of(first)));
        add(pairs, Distance.NEAR, first, inside.minus(core));
        add(pairs, Distance.FAR, first, allowed.minus(near).minus(core));
        return pairs;
    }

    private static void add(Map<Distance, List<Integer>> pairs, Distance distance, int first, CpuSet others) {
        if (!others.isEmpty()) {
            pairs.put(distance, List.of(first, others.first()));
        }
    }

    /**
     * Measures each distance by two threads that wake each other in turn, for 50 ms at most.
     *
     * @throws BindingException when a thread cannot be bound
     */
    static WakeupCosts measure(Topology topology, Binder binder, CpuSet near) {
        Map<Distance, Long> nanos = new EnumMap<>(Distance.class);
        pairs(topology, near).forEach((distance, pair) -> nanos.put(distance, measure(binder, pair)));
        return new WakeupCosts(nanos);
    }

    private static long measure(Binder binder, List<Integer> pair) {
        PingPong game = new PingPong();
        CompletableFuture<Thread> other = new CompletableFuture<>();
        CompletableFuture<Long> median = new CompletableFuture<>();
        Thread second = start(binder, pair.get(1), median, () -> game.answer(other.join()));
        start(binder, pair.get(0), median, () -> {
            other.complete(Thread.currentThread());
            median.complete(game.ask(second));
        });
        try {
            return median.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof BindingException binding) {
                throw binding;
            }
            throw e;
        } finally {
            game.end(second);
        }
    }

    private static Thread start(Binder binder, int cpu, CompletableFuture<Long> failures, Runnable work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        binder.setThreadCpus(CpuSet.of(cpu));
                        work.run();
                    } catch (RuntimeException e) {
                        failures.completeExceptionally(e);
                    }
                },
                "berth-wakeup-cost");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Each side waits for its turn as threads of the engine wait for their signals. */
    private static final class PingPong {
        private volatile boolean isAsked;
        private volatile boolean ended;

        void answer(Thread asker) {
            while (!ended) {
                if (isAsked) {
                    isAsked = false;
                    LockSupport.unpark(asker);
                }
                LockSupport.parkNanos(this, LIMIT_NANOS);
            }
        }

        long ask(Thread answerer) {
            long begin = System.nanoTime();
            long[] trips = new long[ROUND_TRIPS];
            int count = 0;
            for (int i = -WARM_UPS; i < ROUND_TRIPS && (count == 0 || System.nanoTime() - begin < LIMIT_NANOS); i++) {
                long start = System.nanoTime();
                isAsked = true;
                LockSupport.unpark(answerer);
                while (isAsked && !ended) {
                    LockSupport.parkNanos(this, LIMIT_NANOS);
                }
                if (i >= 0) {
                    trips[count++] = System.nanoTime() - start;
                }
            }
            Arrays.sort(trips, 0, count);
            return trips[count / 2] / WAKEUPS;
        }

        void end(Thread answerer) {
            ended = true;
            LockSupport.unpark(answerer);
        }
    }

    /** "wake-ups cost 13.6 µs on the same CPU, 24.0 µs on cores near the adapter". */
    @Override
    public String toString() {
        return "wake-ups cost "
                + Arrays.stream(Distance.values())
                        .filter(nanos::containsKey)
                        .map(distance -> String.format(
                                Locale.ROOT, "%.1f µs on %s", nanos.getOrDefault(distance, 0L) / 1e3, distance.words))
                        .collect(Collectors.joining(", "));
    }
}

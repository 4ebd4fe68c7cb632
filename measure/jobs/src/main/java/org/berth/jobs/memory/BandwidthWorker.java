package org.berth.jobs.memory;

import java.nio.DoubleBuffer;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.berth.binding.Binder;
import org.berth.jobkit.JobException;
import org.berth.jobs.SplitMix;
import org.berth.jobs.Workers;

/** One thread of {@link Bandwidth}: three buffers, four loops, in step with the other threads. */
final class BandwidthWorker implements Workers.Worker<Long> {
    private static final double FACTOR = 3;

    /** A thread that fails ends the job; the others then wait in vain. */
    private static final long PATIENCE_MINUTES = 10;

    private final MemoryPlaces.Place place;
    private final Optional<Binder> binder;
    private final MemoryOptions options;
    private final CyclicBarrier barrier;
    private DoubleBuffer a = DoubleBuffer.allocate(0);
    private DoubleBuffer b = a;
    private DoubleBuffer c = a;

    BandwidthWorker(MemoryPlaces.Place place, Optional<Binder> binder, MemoryOptions options, CyclicBarrier barrier) {
        this.place = place;
        this.binder = binder;
        this.options = options;
        this.barrier = barrier;
    }

    @Override
    public void prepare() {
        place.bindThread(binder);
        a = place.allocate(binder, options.sizeBytes()).asDoubleBuffer();
        b = place.allocate(binder, options.sizeBytes()).asDoubleBuffer();
        c = place.allocate(binder, options.sizeBytes()).asDoubleBuffer();
        for (int i = 0; i < a.capacity(); i++) {
            a.put(i, 1 + (SplitMix.at(options.seed(), i) >>> 44) * 0x1p-20);
            b.put(i, 0);
            c.put(i, 0);
        }
    }

    @Override
    public Long work() throws Exception {
        await();
        for (int round = 0; round < options.rounds(); round++) {
            copy(c, a);
            await();
            scale(b, c);
            await();
            add(c, a, b);
            await();
            triad(a, b, c);
            await();
        }
        long sum = 0;
        for (int i = 0; i < a.capacity(); i++) {
            sum = sum * 31 + SplitMix.mix(Double.doubleToRawLongBits(a.get(i) + b.get(i) + c.get(i)));
        }
        return sum;
    }

    private void await() throws Exception {
        try {
            barrier.await(PATIENCE_MINUTES, TimeUnit.MINUTES);
        } catch (BrokenBarrierException e) {
            throw JobException.failure(
                    "another thread has failed, or did not arrive within " + PATIENCE_MINUTES + " minutes");
        }
    }

    private static void copy(DoubleBuffer to, DoubleBuffer from) {
        for (int i = 0; i < to.capacity(); i++) {
            to.put(i, from.get(i));
        }
    }

    private static void scale(DoubleBuffer to, DoubleBuffer from) {
        for (int i = 0; i < to.capacity(); i++) {
            to.put(i, FACTOR * from.get(i));
        }
    }

    private static void add(DoubleBuffer to, DoubleBuffer left, DoubleBuffer right) {
        for (int i = 0; i < to.capacity(); i++) {
            to.put(i, left.get(i) + right.get(i));
        }
    }

    private static void triad(DoubleBuffer to, DoubleBuffer left, DoubleBuffer right) {
        for (int i = 0; i < to.capacity(); i++) {
            to.put(i, left.get(i) + FACTOR * right.get(i));
        }
    }
}

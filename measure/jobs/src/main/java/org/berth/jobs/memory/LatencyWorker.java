package org.berth.jobs.memory;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.berth.binding.Binder;
import org.berth.jobs.SplitMix;
import org.berth.jobs.Workers;

/** One thread of {@link Latency}. */
final class LatencyWorker implements Workers.Worker<LatencyWorker.Report> {
    /**
     * @param nanosPerLoad of the best round
     * @param end where the chain led to, in bytes
     */
    record Report(double nanosPerLoad, int end) {}

    /** Two lines of most processors: their adjacent-line prefetch brings pairs. */
    private static final int STRIDE_BYTES = 128;

    private static final int LOADS = 2_000_000;

    private final MemoryPlaces.Place place;
    private final Optional<Binder> binder;
    private final MemoryOptions options;
    private final int[] cycle;
    private ByteBuffer memory = ByteBuffer.allocate(0);
    private int at;

    /** @param cycle only read, and only before the clock starts */
    LatencyWorker(MemoryPlaces.Place place, Optional<Binder> binder, MemoryOptions options, int[] cycle) {
        this.place = place;
        this.binder = binder;
        this.options = options;
        this.cycle = cycle;
    }

    /** The next slot of each slot, in one cycle through all (S. Sattolo, An algorithm to generate a random cyclic permutation, 1986). */
    static int[] cycle(int sizeBytes, long seed) {
        int[] next = new int[sizeBytes / STRIDE_BYTES];
        for (int i = 0; i < next.length; i++) {
            next[i] = i;
        }
        for (int i = next.length - 1; i > 0; i--) {
            int other = (int) Long.remainderUnsigned(SplitMix.at(seed, i), i);
            int kept = next[i];
            next[i] = next[other];
            next[other] = kept;
        }
        return next;
    }

    @Override
    public void prepare() {
        place.bindThread(binder);
        memory = place.allocate(binder, options.sizeBytes());
        for (int slot = 0; slot < cycle.length; slot++) {
            memory.putInt(slot * STRIDE_BYTES, cycle[slot] * STRIDE_BYTES);
        }
        at = chase(0); // compiles the loop
    }

    @Override
    public Report work() {
        double best = Double.POSITIVE_INFINITY;
        for (int round = 0; round < options.rounds(); round++) {
            long start = System.nanoTime();
            at = chase(at);
            best = Math.min(best, (System.nanoTime() - start) / (double) LOADS);
        }
        return new Report(best, at);
    }

    private int chase(int from) {
        ByteBuffer chain = memory;
        int position = from;
        for (int i = 0; i < LOADS; i++) {
            position = chain.getInt(position);
        }
        return position;
    }
}

package org.berth.placement.internal.policy;

import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Assigns workers of one size to parts of a machine (packages, nodes) that may differ in size: each to the part with
 * the most room for each of its workers, to empty ones first. Parts of one size get workers in turn. */
final class Dealing {
    /** The part of a worker that fits into none. */
    static final int NOWHERE = -1;

    private final int[] room;
    private final int[] workers;

    Dealing(int[] room) {
        this.room = room.clone();
        this.workers = new int[room.length];
    }

    /**
     * Returns the part of the next worker, which counts as one of its workers from now on.
     *
     * @param most how many workers a part may have
     * @return {@link #NOWHERE} when every part has that many
     */
    int next(IntUnaryOperator most) {
        int best = NOWHERE;
        for (int part = 0; part < room.length; part++) {
            if (workers[part] < most.applyAsInt(part) && (best == NOWHERE || hasMoreForEach(part, best))) {
                best = part;
            }
        }
        if (best != NOWHERE) {
            workers[best]++;
        }
        return best;
    }

    private boolean hasMoreForEach(int part, int other) {
        return workers[part] == 0
                ? workers[other] > 0
                : workers[other] > 0 && (long) room[part] * workers[other] > (long) room[other] * workers[part];
    }

    /** The part of each worker, where a part has at most as many as it has room for; the others are {@link #NOWHERE}. */
    static int[] fitting(int[] room, int workers, int threadsPerWorker) {
        Dealing dealing = new Dealing(room);
        return IntStream.range(0, workers)
                .map(worker -> dealing.next(part -> room[part] / threadsPerWorker))
                .toArray();
    }

    /** The part of each worker, where there are more threads than room. */
    static int[] crowded(int[] room, int workers) {
        Dealing dealing = new Dealing(room);
        return IntStream.range(0, workers)
                .map(worker -> dealing.next(part -> Integer.MAX_VALUE))
                .toArray();
    }

    /** How many workers each part has. */
    static int[] counts(int[] partOfWorker, int parts) {
        int[] counts = new int[parts];
        for (int part : partOfWorker) {
            if (part != NOWHERE) {
                counts[part]++;
            }
        }
        return counts;
    }

    /** How many threads of one worker each part gets: the smallest number of parts that hold them, and these evenly. */
    static int[] across(int[] free, int threads) {
        List<Integer> largestFirst = IntStream.range(0, free.length)
                .boxed()
                .sorted(Comparator.comparing((Integer part) -> free[part]).reversed())
                .toList();
        int parts = 0;
        for (int held = 0; held < threads; parts++) {
            held += free[largestFirst.get(parts)];
        }
        List<Integer> taken = largestFirst.subList(0, parts).stream().sorted().toList();
        int[] shares = new int[free.length];
        for (int left = threads; left > 0; ) {
            for (int part : taken) {
                if (left > 0 && shares[part] < free[part]) {
                    shares[part]++;
                    left--;
                }
            }
        }
        return shares;
    }
}

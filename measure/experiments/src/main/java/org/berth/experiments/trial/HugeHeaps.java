package org.berth.experiments.trial;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.berth.observation.NoSuchProcessException;
import org.berth.observation.ObservationException;
import org.berth.observation.memory.HeapMemory;

/**
 * How much of the heaps of the sampled JVMs lies in huge pages. The kernel walks the page tables for it, so it is read
 * {@link SeldomLooks seldom}. Heaps grow, and the kernel makes huge pages in the background: the last look counts.
 */
final class HugeHeaps {
    private OptionalDouble share = OptionalDouble.empty();
    private Optional<String> problem = Optional.empty();

    /** @param number of the sample, from 1 */
    void add(int number, Set<Long> processes) {
        if (!SeldomLooks.at(number)) {
            return;
        }
        long huge = 0;
        long total = 0;
        for (long pid : processes) {
            try {
                Optional<HeapMemory> heap = HeapMemory.find(pid);
                huge += heap.map(HeapMemory::hugeBytes).orElse(0L);
                total += heap.map(HeapMemory::totalBytes).orElse(0L);
            } catch (NoSuchProcessException ended) {
                // Its handle may be there until the exit code is fetched.
            } catch (ObservationException hidden) {
                problem = ProcessHandle.of(pid).isPresent() ? Optional.ofNullable(hidden.getMessage()) : problem;
            }
        }
        if (total > 0) {
            share = OptionalDouble.of((double) huge / total);
        }
    }

    /** At the last sample that found a heap, from 0 to 1. */
    OptionalDouble share() {
        return share;
    }

    /** Why a living JVM was not examined; empty when there is a share anyway. */
    Optional<String> problem() {
        return share.isPresent() ? Optional.empty() : problem;
    }
}

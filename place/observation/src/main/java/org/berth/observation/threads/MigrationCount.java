package org.berth.observation.threads;

import java.util.OptionalLong;

/**
 * How often threads migrated.
 *
 * <p>A sampler sees a migration only when the thread is elsewhere in the next sample, so its numbers are lower bounds:
 * a thread that left and returned between two samples looks as if it had stayed. The kernel's number misses only the
 * last moments of threads that ended between two samples.
 *
 * @param seenBetweenCpus migrations between PUs that samples showed
 * @param seenBetweenCores those of them that left the core
 * @param seenBetweenCaches those that left the last-level cache: the outermost cache of data around a CPU, mostly L3
 * @param seenBetweenPackages those that left the package
 * @param seenBetweenNodes those that left the near NUMA nodes
 * @param kernelBetweenCpus migrations between PUs by the kernel's own count ({@code nr_migrations} in {@code
 *     /proc/<pid>/task/<tid>/sched}); empty when a thread was seen for which the kernel does not tell
 * @since 0.1.0
 */
public record MigrationCount(
        long seenBetweenCpus,
        long seenBetweenCores,
        long seenBetweenCaches,
        long seenBetweenPackages,
        long seenBetweenNodes,
        OptionalLong kernelBetweenCpus) {

    /** No migration, by the kernel's count. */
    public static final MigrationCount ZERO = new MigrationCount(0, 0, 0, 0, 0, OptionalLong.of(0));

    /** The source of the best number of {@link #betweenCpus()}. */
    public enum Source {
        /** Counted by the kernel: every migration. */
        KERNEL,
        /** Seen in samples: a lower bound. */
        SAMPLES
    }

    /** Migrations between PUs: the kernel's count where there is one, else what samples showed. */
    public long betweenCpus() {
        return kernelBetweenCpus.orElse(seenBetweenCpus);
    }

    /** Which of the two {@link #betweenCpus()} is. */
    public Source source() {
        return kernelBetweenCpus.isPresent() ? Source.KERNEL : Source.SAMPLES;
    }

    /** The sum of both, such as of two threads. */
    public MigrationCount plus(MigrationCount other) {
        boolean known = kernelBetweenCpus.isPresent() && other.kernelBetweenCpus.isPresent();
        return new MigrationCount(
                seenBetweenCpus + other.seenBetweenCpus,
                seenBetweenCores + other.seenBetweenCores,
                seenBetweenCaches + other.seenBetweenCaches,
                seenBetweenPackages + other.seenBetweenPackages,
                seenBetweenNodes + other.seenBetweenNodes,
                known
                        ? OptionalLong.of(kernelBetweenCpus.getAsLong() + other.kernelBetweenCpus.getAsLong())
                        : OptionalLong.empty());
    }
}

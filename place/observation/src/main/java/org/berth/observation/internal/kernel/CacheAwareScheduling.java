package org.berth.observation.internal.kernel;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;

/**
 * The cache-aware scheduling of Linux 7.2 and later ({@code CONFIG_SCHED_CACHE}): the load balancer prefers one last-level
 * cache for the threads of a process. Its settings are in debugfs, which only root may read. Immutable.
 *
 * <p>The rules by which it skips a process are those of {@code invalid_llc_nr()} and {@code exceed_llc_capacity()} in
 * {@code kernel/sched/fair.c} of 7.2.
 *
 * @param wanted whether {@code enabled} asks for it; the kernel also needs two last-level caches to act
 * @param tolerance {@code aggr_tolerance}: 0 skips every process, 1 (the default) those that do not fit into one cache, 100 none
 * @see <a href="https://lwn.net/Articles/1041668/">LWN: cache-aware scheduling</a>
 * @since 0.1.0
 */
public record CacheAwareScheduling(boolean wanted, int tolerance) {
    /** The folder of its settings. */
    public static final String FOLDER = "/sys/kernel/debug/sched/llc_balancing";

    private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+).*", Pattern.DOTALL);
    private static final int FIRST_MAJOR = 7;
    private static final int FIRST_MINOR = 2;
    private static final int IGNORE_LIMITS = 100;
    private static final int DEFAULT_TOLERANCE = 1;

    /** Reads that of this machine ({@code /}), or of a recorded one. */
    public static Reading<CacheAwareScheduling> read(Path root) {
        SystemFiles files = new SystemFiles(root);
        String folder = FOLDER.substring(1);
        Reading<CacheAwareScheduling> read = files.read(folder + "/enabled").map(text -> {
            String enabled = KernelText.chosen(text);
            // Words are those of a patch of 2026 that no release had when this was written.
            boolean wanted = !(enabled.equals("0") || enabled.equals("never"));
            return new CacheAwareScheduling(
                    wanted, files.number(folder + "/aggr_tolerance").orElse(DEFAULT_TOLERANCE));
        });
        String release = files.read("proc/sys/kernel/osrelease").orElse("");
        return read.value().isEmpty() && isOlder(release)
                ? Reading.absent("Linux " + release + " is older than 7.2, which brought it")
                : read.fold(
                        Reading::of,
                        absent -> Reading.absent("there is no " + FOLDER + " (CONFIG_SCHED_CACHE)"),
                        Reading::refused);
    }

    private static boolean isOlder(String release) {
        Matcher numbers = RELEASE.matcher(release);
        if (!numbers.matches()) {
            return false;
        }
        int major = Integer.parseInt(numbers.group(1));
        return major < FIRST_MAJOR || (major == FIRST_MAJOR && Integer.parseInt(numbers.group(2)) < FIRST_MINOR);
    }

    /**
     * Whether a process runs too many threads for one cache: with the tolerance 1, when its mean number of running threads
     * times the threads of a core reaches 80 % of the CPUs of the cache.
     *
     * @param busyThreads mean number of its threads that run at the same time
     * @param cacheCpus CPUs that share the cache
     * @param threadsOfCore the largest number of PUs of a core of the machine, 2 with SMT
     */
    public boolean tooManyThreads(double busyThreads, int cacheCpus, int threadsOfCore) {
        return tolerance < IGNORE_LIMITS && busyThreads >= mostThreads(cacheCpus, threadsOfCore);
    }

    /**
     * The mean number of running threads from which {@link #tooManyThreads} holds.
     *
     * @param cacheCpus CPUs that share the cache
     * @param threadsOfCore the largest number of PUs of a core of the machine, 2 with SMT
     */
    public double mostThreads(int cacheCpus, int threadsOfCore) {
        return tolerance >= IGNORE_LIMITS
                ? Double.POSITIVE_INFINITY
                : (double) scale(1) * cacheCpus * 1024 / 1280 / threadsOfCore;
    }

    /**
     * Whether the footprint of a process exceeds the cache, which the kernel asks only while NUMA balancing samples it.
     *
     * @param footprintBytes memory in use as sampled
     * @param cacheBytes size of the cache
     */
    public boolean tooLarge(long footprintBytes, long cacheBytes) {
        return tolerance < IGNORE_LIMITS && footprintBytes > (double) scale(256) * cacheBytes;
    }

    /**
     * The smallest tolerance that skips the process for neither reason.
     *
     * @return 1 to 100
     */
    public static int sufficientTolerance(
            double busyThreads, int cacheCpus, int threadsOfCore, long footprintBytes, long cacheBytes) {
        for (int tolerance = DEFAULT_TOLERANCE; tolerance < IGNORE_LIMITS; tolerance++) {
            CacheAwareScheduling tried = new CacheAwareScheduling(true, tolerance);
            if (!tried.tooManyThreads(busyThreads, cacheCpus, threadsOfCore)
                    && !tried.tooLarge(footprintBytes, cacheBytes)) {
                return tolerance;
            }
        }
        return IGNORE_LIMITS;
    }

    /** The factor of the kernel's get_sched_cache_scale(); 0 skips every process. */
    private int scale(int step) {
        return tolerance == 0 ? 0 : 1 + (tolerance - 1) * step;
    }
}

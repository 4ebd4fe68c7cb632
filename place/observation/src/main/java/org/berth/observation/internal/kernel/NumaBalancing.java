package org.berth.observation.internal.kernel;

import java.nio.file.Path;
import java.util.OptionalLong;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;

/**
 * The kernel's automatic NUMA balancing, as {@code /proc/sys/kernel/numa_balancing} and {@code /proc/vmstat} report it:
 * the kernel takes pages out of the page tables from time to time, and the faults of their users tell it which pages, and
 * which threads, to move to another node. Immutable.
 *
 * @param mode 0 off, 1 pages and threads move towards each other, 2 memory tiers only, 3 both
 * @param hintFaults such faults since boot; empty when the kernel does not count them
 * @param pagesMigrated pages that were moved because of them, since boot
 * @see <a href="https://docs.kernel.org/admin-guide/sysctl/kernel.html#numa-balancing">kernel.numa_balancing</a>
 * @since 0.1.0
 */
public record NumaBalancing(Reading<Integer> mode, OptionalLong hintFaults, OptionalLong pagesMigrated) {
    private static final int PAGES_FOLLOW = 1;

    /** Reads that of this machine ({@code /}), or of a recorded one. */
    public static NumaBalancing read(Path root) {
        SystemFiles files = new SystemFiles(root);
        String counters = files.read("proc/vmstat").orElse("");
        return new NumaBalancing(
                files.number("proc/sys/kernel/numa_balancing"),
                KernelText.number(counters, "numa_hint_faults"),
                KernelText.number(counters, "numa_pages_migrated"));
    }

    /** Whether pages and threads are moved between nodes of one tier. */
    public boolean movesPages() {
        return (mode.orElse(0) & PAGES_FOLLOW) != 0;
    }
}

package org.berth.observation.internal.kernel;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.berth.observation.SystemFiles;

/**
 * What the kernel's automatic NUMA balancing has done since boot, as {@code /proc/vmstat} counts it: for the whole machine, all
 * processes together. Immutable.
 *
 * @param pteUpdates page table entries that were cleared, so that the next access faults
 * @param hintFaults faults of such accesses
 * @param hintFaultsLocal those by threads on the node of the page
 * @param pagesMigrated pages that were moved to the node of the thread that uses them
 * @see <a href="https://docs.kernel.org/admin-guide/sysctl/kernel.html#numa-balancing">kernel.numa_balancing</a>
 * @since 0.1.0
 */
public record BalancingCounters(long pteUpdates, long hintFaults, long hintFaultsLocal, long pagesMigrated) {
    /** No event at all. */
    public static final BalancingCounters ZERO = new BalancingCounters(0, 0, 0, 0);

    /** Reads those of this machine ({@code /}), or of a recorded one; empty when the kernel does not count them. */
    public static Optional<BalancingCounters> read(Path root) {
        String text = new SystemFiles(root).read("proc/vmstat").orElse("");
        OptionalLong updates = KernelText.number(text, "numa_pte_updates");
        OptionalLong faults = KernelText.number(text, "numa_hint_faults");
        OptionalLong local = KernelText.number(text, "numa_hint_faults_local");
        OptionalLong migrated = KernelText.number(text, "numa_pages_migrated");
        return updates.isEmpty() || faults.isEmpty() || local.isEmpty() || migrated.isEmpty()
                ? Optional.empty()
                : Optional.of(new BalancingCounters(
                        updates.getAsLong(), faults.getAsLong(), local.getAsLong(), migrated.getAsLong()));
    }

    /** The events since an earlier reading of the same machine. */
    public BalancingCounters since(BalancingCounters earlier) {
        return new BalancingCounters(
                pteUpdates - earlier.pteUpdates,
                hintFaults - earlier.hintFaults,
                hintFaultsLocal - earlier.hintFaultsLocal,
                pagesMigrated - earlier.pagesMigrated);
    }
}

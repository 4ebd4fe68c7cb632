package org.berth.binding.leases;

import java.util.List;
import java.util.Optional;

/**
 * The contents of a ledger. Immutable.
 *
 * @param leases those that a living process holds
 * @param unreadable locked files that are not leases: from a newer version of Berth, or not from Berth; as long as
 *     there are any, no domain is given exclusively
 * @param warning one line when another user can take leases away from their holders
 * @since 0.1.0
 */
public record LeaseListing(List<LeaseRecord> leases, int unreadable, Optional<String> warning) {
    private static final String UNREADABLE = "unreadable ";
    private static final String WARNING = "warning ";

    public LeaseListing {
        leases = List.copyOf(leases);
    }

    /** A text that the native library wrote. */
    static LeaseListing parse(List<String> lines) {
        String warning = lines.get(1).substring(WARNING.length());
        return new LeaseListing(
                LeaseRecord.parseAll(lines.subList(2, lines.size())),
                Integer.parseInt(lines.get(0).substring(UNREADABLE.length())),
                warning.isEmpty() ? Optional.empty() : Optional.of(warning));
    }
}

package org.berth.binding.leases;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.berth.binding.errors.BindingException;

/** What the native library answers to a claim. Immutable. */
record LeaseReply(LeaseRecord lease, Optional<String> warning) {
    /** LEASE_TEXT_SIZE of lease_record.h. */
    private static final int LEASE_BYTES = 32_768;

    /** Room for one lease and a warning, of which error_text.h holds at most half a KiB. */
    static final int BYTES = LEASE_BYTES + 1_024;

    private static final String WARNING = "warning ";

    static LeaseReply parse(byte[] reply) {
        List<String> lines = text(reply).lines().toList();
        String warning = lines.get(0).substring(WARNING.length());
        return new LeaseReply(
                LeaseRecord.parseAll(lines).get(0), warning.isEmpty() ? Optional.empty() : Optional.of(warning));
    }

    static BindingException failure(String operation, String target, int result, byte[] reply) {
        String reason = text(reply).strip();
        return reason.isEmpty()
                ? BindingException.ofErrno(operation, target, "", -result, "")
                : BindingException.ofReason(operation, target, -result, reason);
    }

    static String text(byte[] reply) {
        int length = 0;
        while (length < reply.length && reply[length] != 0) {
            length++;
        }
        return new String(reply, 0, length, StandardCharsets.UTF_8);
    }
}

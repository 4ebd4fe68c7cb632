package org.berth.binding.records;

/** The record of a bound process, as another version of Berth, or a disk that was full, may have left it. */
public final class BindingRecordText {
    public static final String SEED =
            "berth-bound 1\nprocess 7 123 boot\nleader 0-3\nthread 7-123 0-3\nthread 8-124 1,3\nend\n";

    private BindingRecordText() {}

    /** Refused as it says. */
    public static void parse(String text) {
        try {
            BindingRecord.parse(text, 7, "123", "boot").cpus();
        } catch (IllegalArgumentException refused) {
            // As it says.
        }
    }
}

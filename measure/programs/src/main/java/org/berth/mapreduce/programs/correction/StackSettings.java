package org.berth.mapreduce.programs.correction;

import org.apache.hadoop.conf.Configuration;

/**
 * How stacks are made and judged.
 *
 * @param window bases that align the reads of a stack, odd
 * @param sample one of so many windows makes a stack
 * @param support minimum sum of qualities of the reads that agree
 * @param ratio how much larger this sum must be than that of any other base
 * @param reads maximum number of reads that vote in a stack
 * @param changes maximum number of bases of a read that a stack may find wrong
 */
record StackSettings(int window, int sample, int support, int ratio, int reads, int changes) {
    static final StackSettings DEFAULT = new StackSettings(23, 8, 60, 4, 1000, 6);

    private static final String PREFIX = "berth.correction.";

    static StackSettings of(Configuration conf) {
        return new StackSettings(
                conf.getInt(PREFIX + "window", DEFAULT.window),
                conf.getInt(PREFIX + "sample", DEFAULT.sample),
                conf.getInt(PREFIX + "support", DEFAULT.support),
                conf.getInt(PREFIX + "ratio", DEFAULT.ratio),
                conf.getInt(PREFIX + "reads", DEFAULT.reads),
                conf.getInt(PREFIX + "changes", DEFAULT.changes));
    }

    void write(Configuration conf) {
        conf.setInt(PREFIX + "window", window);
        conf.setInt(PREFIX + "sample", sample);
        conf.setInt(PREFIX + "support", support);
        conf.setInt(PREFIX + "ratio", ratio);
        conf.setInt(PREFIX + "reads", reads);
        conf.setInt(PREFIX + "changes", changes);
    }
}

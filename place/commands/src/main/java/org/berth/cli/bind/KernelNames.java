package org.berth.cli.bind;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.berth.observation.internal.threads.ThreadNamePattern;
import org.berth.placement.ThreadRule;

/**
 * Matches rules for complete names with the 15 bytes of a thread's name that the kernel keeps. A pure function.
 */
final class KernelNames {
    private static final int KERNEL_NAME_BYTES = 15;

    /** A private-use character, which rules do not contain, so only * and ? match it. */
    private static final String UNKNOWN = "\uE000";

    /** Lengths of the missing part that represent all: a rule distinguishes them only by its question marks. */
    private static final List<Integer> MISSING = List.of(0, 1, 2, 3, 4, 5, 8, 64);

    private KernelNames() {}

    enum Answer {
        YES,
        NO,
        /** Some names that begin like this match, and others do not. */
        PERHAPS
    }

    static Answer matches(ThreadRule rule, String kernelName) {
        if (kernelName.getBytes(StandardCharsets.UTF_8).length < KERNEL_NAME_BYTES) {
            return rule.matches(kernelName) ? Answer.YES : Answer.NO;
        }
        boolean all = MISSING.stream().allMatch(length -> rule.matches(kernelName + UNKNOWN.repeat(length)));
        if (all) {
            return Answer.YES;
        }
        return ThreadNamePattern.of(rule.glob()).mayMatch(kernelName) ? Answer.PERHAPS : Answer.NO;
    }
}

package org.berth.cli;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.placement.ThreadRule;

/**
 * Whether a thread that the kernel knows by 15 bytes of its name falls under a rule for complete names. JVMs up to 21
 * give the kernel the first 15 bytes; later ones seven, two dots and the last six ("Dispatc..read21"). A pure function.
 */
final class KernelNames {
    private static final int KERNEL_NAME_BYTES = 15;
    private static final Pattern MIDDLE_CUT = Pattern.compile("(.{7})\\.\\.(.{6})");

    /** A letter that nobody writes into a rule, so only * and ? match it. */
    private static final String UNKNOWN = "\uE000";

    /** Lengths of what is missing that stand for all: a rule can tell them apart only by its question marks. */
    private static final List<Integer> MISSING = List.of(1, 2, 3, 4, 5, 8, 64);

    private KernelNames() {}

    enum Answer {
        YES,
        NO,
        PERHAPS
    }

    static Answer matches(ThreadRule rule, String kernelName) {
        if (kernelName.getBytes(StandardCharsets.UTF_8).length < KERNEL_NAME_BYTES) {
            return rule.matches(kernelName) ? Answer.YES : Answer.NO;
        }
        boolean all = rule.matches(kernelName) && allCompletions(rule, kernelName, "");
        boolean some = rule.matches(kernelName) || someCompletion(rule, kernelName, "");
        Matcher cut = MIDDLE_CUT.matcher(kernelName);
        if (cut.matches()) {
            all &= allCompletions(rule, cut.group(1), cut.group(2));
            some |= someCompletion(rule, cut.group(1), cut.group(2));
        }
        return all ? Answer.YES : some ? Answer.PERHAPS : Answer.NO;
    }

    private static boolean allCompletions(ThreadRule rule, String start, String end) {
        return MISSING.stream().allMatch(length -> rule.matches(start + UNKNOWN.repeat(length) + end));
    }

    /** What the rule says before its first wildcard, and behind its last one, must not contradict the name. */
    private static boolean someCompletion(ThreadRule rule, String start, String end) {
        String glob = rule.glob();
        if (glob.indexOf('*') < 0 && glob.indexOf('?') < 0) {
            return glob.startsWith(start) && glob.endsWith(end) && glob.length() > start.length() + end.length();
        }
        String first = glob.split("[*?]", 2)[0];
        String last = glob.substring(Math.max(glob.lastIndexOf('*'), glob.lastIndexOf('?')) + 1);
        return agree(first, start) && agree(reverse(last), reverse(end));
    }

    private static boolean agree(String one, String other) {
        return one.startsWith(other) || other.startsWith(one);
    }

    private static String reverse(String text) {
        return new StringBuilder(text).reverse().toString();
    }
}

package org.berth.cli.run;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.cli.shared.CommandException;
import org.berth.topology.CpuSet;

/**
 * The target of a thread rule: {@code slot}, {@code slots A-B}, {@code cpus LIST} or {@code process}. The agent, which
 * has the last word, reads the same grammar ({@code thread_rule.c} of place/native).
 *
 * @param source the option or line that names it, for messages
 * @param lastSlot the last slot of {@code slots A-B}
 * @param cpus the CPUs of {@code cpus LIST}, otherwise empty
 */
public record ThreadTarget(String source, OptionalInt lastSlot, CpuSet cpus) {
    private static final String ARROW = "->";
    private static final Pattern FREE = Pattern.compile("process|slot([ \t]+exclusive)?");
    private static final Pattern SLOTS = Pattern.compile("slots[ \t]+(\\d{1,9})(?:-(\\d{1,9}))?([ \t]+exclusive)?");
    private static final Pattern CPUS = Pattern.compile("cpus[ \t]+(\\S+)");
    private static final Pattern GROUP = Pattern.compile("@(?!(gc|jit|carriers)$).*");

    /** A usage error for a text that is no target. */
    static ThreadTarget parse(String source, String text) {
        String words = text.strip();
        Matcher slots = SLOTS.matcher(words);
        if (slots.matches()) {
            int first = Integer.parseInt(slots.group(1));
            int last = slots.group(2) == null ? first : Integer.parseInt(slots.group(2));
            if (last < first) {
                throw CommandException.usage(source + ": the range '" + words + "' is backwards");
            }
            return new ThreadTarget(source, OptionalInt.of(last), CpuSet.empty());
        }
        Matcher list = CPUS.matcher(words);
        if (list.matches()) {
            return new ThreadTarget(source, OptionalInt.empty(), cpus(source, list.group(1)));
        }
        if (!FREE.matcher(words).matches()) {
            throw CommandException.usage(source + ": '" + words + "' is no target; write slot, slots A-B (exclusive may"
                    + " follow), cpus LIST, or process");
        }
        return new ThreadTarget(source, OptionalInt.empty(), CpuSet.empty());
    }

    /** The target of a rule {@code GLOB -> TARGET} or {@code GLOB}. */
    static ThreadTarget ofRule(String source, String rule) {
        // The last arrow, as the agent does: a thread's name may hold one.
        int arrow = rule.lastIndexOf(ARROW);
        String glob = (arrow < 0 ? rule : rule.substring(0, arrow)).strip();
        if (glob.isEmpty()) {
            throw CommandException.usage(source + ": a rule is written GLOB -> TARGET, such as worker-* -> slot");
        }
        if (GROUP.matcher(glob).matches()) {
            throw CommandException.usage(source + ": '" + glob + "' is not one of @gc, @jit, @carriers");
        }
        return parse(source, arrow < 0 ? "slot" : rule.substring(arrow + ARROW.length()));
    }

    /** Whether the text behind the last arrow is a target, so that the text is more than a name. */
    static boolean isRule(String text) {
        int arrow = text.lastIndexOf(ARROW);
        String words = arrow < 0 ? "" : text.substring(arrow + ARROW.length()).strip();
        return FREE.matcher(words).matches()
                || SLOTS.matcher(words).matches()
                || CPUS.matcher(words).matches();
    }

    /** Whether it names slots or CPUs, which may not exist. */
    boolean isNumbered() {
        return lastSlot.isPresent() || !cpus.isEmpty();
    }

    /**
     * A usage error for slots or CPUs that the command does not get.
     *
     * @param slots number of slots
     * @param available CPUs of the command
     */
    void require(int slots, CpuSet available) {
        if (lastSlot.isPresent() && lastSlot.getAsInt() >= slots) {
            throw CommandException.usage(source + ": there is no slot " + lastSlot.getAsInt() + "; the command gets "
                    + (slots == 1 ? "1 slot, number 0" : slots + " slots, 0 to " + (slots - 1))
                    + " (--level core or pu with --threads T gives T slots)");
        }
        if (!cpus.isEmpty() && !cpus.intersects(available)) {
            throw CommandException.usage(
                    source + ": none of the CPUs " + cpus + " is one of the command, which gets " + available);
        }
    }

    private static CpuSet cpus(String source, String list) {
        try {
            CpuSet cpus = CpuSet.parseList(list);
            if (!cpus.isEmpty() && !cpus.isInfinite()) {
                return cpus;
            }
        } catch (IllegalArgumentException notAList) {
            // Reported below like an empty list.
        }
        throw CommandException.usage(source + ": '" + list + "' is not a CPU list; write one such as 0-3,8");
    }
}

package org.berth.binding.discovery;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.binding.errors.BindingException;
import org.berth.topology.FailureKind;
import org.berth.topology.type.ObjectType;
import org.jspecify.annotations.Nullable;

/**
 * Checks the description of a synthetic machine before hwloc reads it, which believes any number, in octal and
 * hexadecimal too ({@code strtoul} with base 0), and takes the memory and the time for it. */
final class SyntheticDescription {
    static final String HINT = "an example is \"pack:2 l3:1 core:8 pu:2\"";

    /** A longer one is cut in messages. */
    private static final int LONGEST_IN_MESSAGE = 100;

    /** Two lists of indexes of the largest machine fit. */
    private static final int LONGEST = 1 << 17;

    /** Above real machines; Linux numbers at most 8,192 CPUs. */
    static final int MOST_OBJECTS = 1 << 13;

    /** Sorting in siblings takes hwloc time in their square: 2 s for 8 packages of 1,024 cores, 24 s for 8,192 cores. */
    private static final int MOST_CHILDREN = 1 << 10;

    /** Eight levels of the largest size. */
    private static final int MOST_OBJECTS_OF_ALL_LEVELS = 8 * MOST_OBJECTS;

    private static final String ATTRIBUTES = "(?:\\(([^()\\[\\]]*)\\))?";
    private static final Pattern ROOT = Pattern.compile("\\s*" + ATTRIBUTES + "\\s*");
    /** {@code pu:2}, {@code 2}, {@code [numa(memory=1GB)]}. */
    private static final Pattern ITEM = Pattern.compile("(?:\\[\\s*([A-Za-z]\\w*)" + ATTRIBUTES
            + "\\s*\\]|(?:([A-Za-z]\\w*):)?([1-9]\\d{0,17})" + ATTRIBUTES + ")(?=[\\s\\[]|$)\\s*");

    /**
     * A level with the number of its objects.
     *
     * @param type empty when hwloc chooses it
     */
    record Level(Optional<ObjectType> type, long width) {}

    private final String target;
    private final List<Level> levels = new ArrayList<>();
    private final List<SyntheticAttributes> attributes = new ArrayList<>();
    private long objects;
    private long attachedNodes;
    private boolean nodeLevel;
    private String attachedAttributes = "";

    private SyntheticDescription(String target) {
        this.target = target;
    }

    /** What messages call the machine. */
    static String target(String description) {
        String text = description.length() > LONGEST_IN_MESSAGE
                ? description.substring(0, LONGEST_IN_MESSAGE - 3) + "..."
                : description;
        return "the synthetic machine \"" + text + "\"";
    }

    /** @throws BindingException when hwloc had better not see it */
    static void check(String description) {
        SyntheticDescription checked = new SyntheticDescription(target(description));
        checked.readLevels(description);
        checked.attributes.forEach(one -> one.checkIndexes(checked.levels));
    }

    private void readLevels(String description) {
        if (description.isBlank() || description.chars().anyMatch(Character::isISOControl)) {
            throw refused(target, "it is not a description of a machine");
        }
        if (description.length() > LONGEST) {
            throw refused(target, "it is longer than " + LONGEST + " characters");
        }
        Matcher matcher = ROOT.matcher(description);
        int at = 0;
        if (matcher.lookingAt()) {
            at = matcher.end();
            addAttributes(matcher.group(1), 1);
        }
        matcher.usePattern(ITEM);
        while (at < description.length()) {
            if (!matcher.region(at, description.length()).lookingAt()) {
                throw refused(target, "hwloc does not understand it at \"" + oneWord(description.substring(at)) + "\"");
            }
            if (matcher.group(4) == null) {
                attach(matcher);
            } else {
                addLevel(matcher);
            }
            at = matcher.end();
        }
        addAttributes(attachedAttributes, attachedNodes);
        if (attachedNodes == 0 && !nodeLevel) {
            // hwloc adds one node for the whole machine.
            levels.add(new Level(Optional.of(ObjectType.NUMA_NODE), 1));
        }
    }

    /** The indexes of all attached nodes are one list, of which hwloc takes the last that is there. */
    private void attach(Matcher matcher) {
        long width = levels.isEmpty() ? 1 : levels.get(levels.size() - 1).width();
        attachedNodes += width;
        count(width);
        String text = matcher.group(2) == null ? "" : matcher.group(2);
        SyntheticAttributes own = new SyntheticAttributes(target, text, width);
        attachedAttributes = own.hasIndexes() ? text : attachedAttributes;
    }

    private void addLevel(Matcher matcher) {
        long width = levels.isEmpty() ? 1 : levels.get(levels.size() - 1).width();
        long children = Long.parseLong(matcher.group(4));
        // Both factors are small enough that the product cannot overflow before the check.
        width *= Math.min(children, MOST_OBJECTS + 1);
        if (width > MOST_OBJECTS) {
            throw refused(target, "it has more than " + MOST_OBJECTS + " objects in a level");
        }
        if (children > MOST_CHILDREN) {
            throw refused(target, "it has more than " + MOST_CHILDREN + " objects in one; divide them into packages");
        }
        count(width);
        Optional<ObjectType> type = Optional.ofNullable(matcher.group(3)).flatMap(ObjectType::named);
        nodeLevel |= type.isEmpty() || type.get() == ObjectType.NUMA_NODE;
        levels.add(new Level(type, width));
        addAttributes(matcher.group(5), width);
    }

    private void count(long more) {
        objects += more;
        if (objects > MOST_OBJECTS_OF_ALL_LEVELS) {
            throw refused(target, "it has more than " + MOST_OBJECTS_OF_ALL_LEVELS + " objects");
        }
    }

    private void addAttributes(@Nullable String text, long width) {
        if (text != null && !text.isEmpty()) {
            attributes.add(new SyntheticAttributes(target, text, width));
        }
    }

    private static String oneWord(String rest) {
        String word = rest.split("\\s", 2)[0];
        return word.length() > 40 ? word.substring(0, 37) + "..." : word;
    }

    static BindingException refused(String target, String reason) {
        return BindingException.of(FailureKind.INVALID, "read", target, "", reason, HINT);
    }
}

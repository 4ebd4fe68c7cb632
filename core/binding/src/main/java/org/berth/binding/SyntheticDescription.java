package org.berth.binding;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Looks at the description of a synthetic machine before hwloc does, which believes any number, in octal and hexadecimal
 * too ({@code strtoul} with base 0), and takes the memory and the time for it.
 */
final class SyntheticDescription {
    static final String HINT = "an example is \"pack:2 l3:1 core:8 pu:2\"";

    /** Above real machines; hwloc takes minutes for a flat machine of 40,000 cores. */
    private static final long MOST_OBJECTS = 1 << 13;

    private static final String ATTRIBUTES = "(?:\\([^()\\[\\]]*\\))?";
    private static final Pattern ROOT = Pattern.compile("\\s*" + ATTRIBUTES + "\\s*");
    /** {@code pu:2}, {@code 2}, {@code [numa(memory=1GB)]}. */
    private static final Pattern ITEM = Pattern.compile("(?:\\[\\s*[A-Za-z]\\w*" + ATTRIBUTES
            + "\\s*\\]|(?:[A-Za-z]\\w*:)?([1-9]\\d{0,17})" + ATTRIBUTES + ")(?=[\\s\\[]|$)\\s*");

    private SyntheticDescription() {}

    /** @throws BindingException when hwloc had better not see it */
    static void check(String target, String description) {
        Matcher matcher = ROOT.matcher(description);
        int at = matcher.lookingAt() ? matcher.end() : 0;
        if (description.isBlank() || description.chars().anyMatch(Character::isISOControl)) {
            throw refused(target, "it is not a description of a machine");
        }
        long objects = 1;
        matcher.usePattern(ITEM);
        while (at < description.length()) {
            if (!matcher.region(at, description.length()).lookingAt()) {
                throw refused(target, "hwloc does not understand it at \"" + oneWord(description.substring(at)) + "\"");
            }
            if (matcher.group(1) != null) {
                // Both factors are small enough that the product cannot overflow before the check.
                objects *= Math.min(Long.parseLong(matcher.group(1)), MOST_OBJECTS + 1);
            }
            if (objects > MOST_OBJECTS) {
                throw refused(target, "it has more than " + MOST_OBJECTS + " objects in a level");
            }
            at = matcher.end();
        }
    }

    private static String oneWord(String rest) {
        String word = rest.split("\\s", 2)[0];
        return word.length() > 40 ? word.substring(0, 37) + "..." : word;
    }

    private static BindingException refused(String target, String reason) {
        return BindingException.of("read", target, "", reason, HINT);
    }
}

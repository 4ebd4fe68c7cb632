package org.berth.placement.internal.shape;

import java.util.List;
import java.util.regex.Pattern;
import org.berth.placement.PlacementException;
import org.berth.placement.internal.NearestWord;
import org.berth.text.Words;

/**
 * The parts into which a {@link HostShape} cuts a host. Immutable and safe for use by several threads.
 *
 * @param kind what a part is
 * @param count how many parts with {@link Kind#COUNT}, at least 1; otherwise 0, because the machine decides
 * @since 0.1.0
 */
public record Division(Kind kind, int count) {
    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,3}");

    /** What a part is. */
    public enum Kind {
        /** The CPUs of one L3 cache. */
        L3,
        /** A NUMA node. */
        NUMA,
        /** A package. */
        PACKAGE,
        /** One of a given number of parts of nearly equal size. */
        COUNT
    }

    /** @throws IllegalArgumentException when the number does not belong to the kind */
    public Division {
        if (kind == Kind.COUNT ? count < 1 : count != 0) {
            throw new IllegalArgumentException(count + " parts of kind " + Words.of(kind));
        }
    }

    /**
     * Reads {@code l3}, {@code numa}, {@code package} or a number of parts.
     *
     * @throws PlacementException one line with the choices, when the text is none of them
     */
    public static Division parse(String text) {
        if (NUMBER.matcher(text).matches()) {
            return new Division(Kind.COUNT, Integer.parseInt(text));
        }
        for (Kind kind : Kind.values()) {
            if (kind != Kind.COUNT && Words.of(kind).equals(text)) {
                return new Division(kind, 0);
            }
        }
        throw new PlacementException("cannot divide a host into '" + Words.quote(text)
                + "': choose l3, numa, package, or a number of parts from 1 to 9999"
                + NearestWord.hint(text, List.of("l3", "numa", "package")));
    }

    /** The text that {@link #parse} reads. */
    public String word() {
        return kind == Kind.COUNT ? Integer.toString(count) : Words.of(kind);
    }
}

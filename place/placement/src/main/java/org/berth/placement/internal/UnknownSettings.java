package org.berth.placement.internal;

import java.util.Collection;
import java.util.List;

/** Names of settings that no part of Berth reads, mostly misspelt ones. A pure function. */
public final class UnknownSettings {
    private UnknownSettings() {}

    /**
     * One line for each given name that is not known, in the order of the names, with the nearest known name.
     *
     * @param known all names that have an effect, which a line lists when none of them is near
     */
    public static List<String> of(Collection<String> given, Collection<String> known) {
        return given.stream()
                .filter(name -> !known.contains(name))
                .sorted()
                .map(name -> "the setting " + name + " is unknown and has no effect; "
                        + NearestWord.of(name, known)
                                .map(one -> "did you mean " + one + "?")
                                .orElse("there is " + String.join(", ", known)))
                .toList();
    }
}

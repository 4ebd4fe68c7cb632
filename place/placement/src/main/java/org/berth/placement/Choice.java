package org.berth.placement;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.berth.text.Words;

/** One of several constants, by the word that users write for it. */
final class Choice {
    private Choice() {}

    static <E extends Enum<E>> E parse(String what, String text, E[] choices) {
        for (E choice : choices) {
            if (Words.of(choice).equalsIgnoreCase(text)) {
                return choice;
            }
        }
        String words = Arrays.stream(choices).map(Words::of).collect(Collectors.joining(", "));
        throw new PlacementException("unknown " + what + " '" + Words.quote(text) + "': choose one of " + words);
    }
}

package org.berth.placement;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Enum constants as users write them. */
final class Words {
    private Words() {}

    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static <E extends Enum<E>> E parse(String what, String text, E[] choices) {
        for (E choice : choices) {
            if (of(choice).equalsIgnoreCase(text)) {
                return choice;
            }
        }
        String words = Arrays.stream(choices).map(Words::of).collect(Collectors.joining(", "));
        throw new PlacementException("unknown " + what + " '" + PlanLine.shortened(text) + "': choose one of " + words);
    }
}

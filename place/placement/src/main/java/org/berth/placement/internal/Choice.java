package org.berth.placement.internal;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.berth.text.Words;

/** One of several constants, by the word that users write for it. */
public final class Choice {
    private Choice() {}

    /**
     * The constant of a word.
     *
     * @param refusal makes the exception of this message, one line, for a word that stands for none of them
     */
    public static <E extends Enum<E>> E parse(
            String what, String text, E[] choices, Function<String, ? extends RuntimeException> refusal) {
        for (E choice : choices) {
            if (Words.of(choice).equals(text)) {
                return choice;
            }
        }
        List<String> words = Arrays.stream(choices).map(Words::of).toList();
        throw refusal.apply("unknown " + what + " '" + Words.quote(text) + "': choose one of "
                + String.join(", ", words) + NearestWord.hint(text.toLowerCase(Locale.ROOT), words));
    }
}

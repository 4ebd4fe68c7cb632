package org.berth.jobkit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.text.Words;

/**
 * The way that the messages of a job take between its processes: an arm of a comparison, written as its {@link #word} in {@code
 * berth bench --ways} and in the job's {@code --way}. Immutable.
 *
 * @param word as the user wrote it: a way, and any number of {@code +KEY=VALUE}
 * @param settings of Berth's RPC or shuffle: key without prefix, and value
 */
public record WayArm(String word, Way way, Map<String, String> settings) {
    /** The kinds of ways. */
    public enum Way {
        /** The engine's own connections. */
        STOCK,
        /** Berth's transport with the provider that it chooses. */
        BERTH,
        /** Berth's transport, TCP only. */
        TCP,
        /** Berth's transport, Unix domain sockets. */
        LOCAL,
        /** Berth's transport, UCX. */
        UCX;

        /** The word for it: the name in lower case. */
        @Override
        public String toString() {
            return Words.of(this);
        }
    }

    /** The words that there are, for messages. */
    public static final String WORDS =
            "stock (the engine's own connections), tcp, local, ucx, berth (the transport's own choice)";

    private static final Pattern SETTING = Pattern.compile("([A-Za-z.-]+)=([^ ]+)");

    /** Copies the settings. */
    public WayArm {
        settings = Map.copyOf(settings);
    }

    /** Returns the arm of that word, or throws {@link JobException} for wrong usage. */
    public static WayArm parse(String word) {
        String[] parts = word.split("\\+", -1);
        Way way = way(parts[0]);
        Map<String, String> settings = new LinkedHashMap<>();
        for (int i = 1; i < parts.length; i++) {
            Matcher setting = SETTING.matcher(parts[i]);
            if (!setting.matches()) {
                throw JobException.usage("way '" + word + "': '+" + parts[i] + "' is not of the form +KEY=VALUE");
            }
            if (way == Way.STOCK) {
                throw JobException.usage("way '" + word + "': stock has no settings of Berth");
            }
            settings.put(setting.group(1), setting.group(2));
        }
        return new WayArm(word, way, settings);
    }

    private static Way way(String word) {
        for (Way way : Way.values()) {
            if (way.toString().equals(word)) {
                return way;
            }
        }
        throw JobException.usage("unknown way '" + word + "': choose from " + WORDS);
    }

    /** Whether it is one provider, which the job requires to be taken. */
    public boolean isProvider() {
        return way != Way.STOCK && way != Way.BERTH;
    }

    /** The word for it. */
    @Override
    public String toString() {
        return word;
    }
}

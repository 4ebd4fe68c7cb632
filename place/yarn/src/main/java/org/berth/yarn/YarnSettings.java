package org.berth.yarn;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.berth.binding.internal.launch.HeapPolicy;
import org.berth.placement.MemoryMode;
import org.berth.placement.PlacementException;
import org.berth.placement.internal.UnknownSettings;
import org.berth.text.Words;

/**
 * The settings of an administrator in the NodeManager's configuration, checked. {@code docs/engines/yarn.md} says what each one does.
 *
 * @param domain a kind of lease, or how it is chosen
 * @param memory how new pages follow
 * @param heapMemory how the pages of the heaps of its JVMs are placed; empty for those of all memory
 * @param exclusive whether a container shares its domain with no other
 * @param strict whether a container that cannot be bound fails
 * @param way how containers are bound
 * @param launcher the program berth-exec, as containers see it; empty for that of the jar
 * @param library libberth.so, as containers see it; empty for that in the folder of the launcher, or in the jar
 * @param leases directory of the ledger; empty for that of the host
 * @param patienceSeconds how long a container that was launched may take until it runs its command
 */
record YarnSettings(
        String domain,
        MemoryMode memory,
        Optional<HeapPolicy> heapMemory,
        boolean exclusive,
        boolean strict,
        Way way,
        String launcher,
        String library,
        String leases,
        int patienceSeconds) {
    static final String PREFIX = "berth.yarn.";
    static final String DOMAIN = PREFIX + "domain";
    static final String MEMORY = PREFIX + "memory";
    static final String HEAP_MEMORY = PREFIX + "heap-memory";
    static final String SELECT = PREFIX + "select";
    static final String STRICT = PREFIX + "strict";
    static final String BIND = PREFIX + "bind";
    static final String LAUNCHER = PREFIX + "launcher";
    static final String LIBRARY = PREFIX + "library";
    static final String LEASES = PREFIX + "leases";
    static final String PATIENCE = PREFIX + "patience-seconds";

    private static final Pattern KINDS = Pattern.compile("auto|none|numa|package|l3|cores|core:[1-9][0-9]{0,3}");
    private static final Pattern SECONDS = Pattern.compile("[1-9][0-9]{0,4}");
    /** A path that needs no quotes in any shell. */
    private static final Pattern PLAIN_PATH = Pattern.compile("/[A-Za-z0-9_./+@:,-]*");

    /** How a container is bound. */
    enum Way {
        /**
         * Its first process binds itself before it becomes the container's command; where that is impossible, from
         * outside.
         */
        AUTO,
        /** The first only. */
        BIRTH,
        /** The NodeManager binds the processes that run. */
        OUTSIDE
    }

    /**
     * Reads them.
     *
     * @throws IllegalArgumentException one line, when one of them makes no sense
     */
    static YarnSettings of(Configuration settings) {
        String domain = settings.getTrimmed(DOMAIN, DomainChoice.AUTO);
        if (!KINDS.matcher(domain).matches()) {
            throw wrong(DOMAIN, domain, "auto, numa, package, l3, cores, core:K or none");
        }
        return new YarnSettings(
                domain,
                memory(settings),
                heapMemory(settings),
                oneOf(settings, SELECT, Select.FREE, Select.values()) == Select.EXCLUSIVE,
                oneOf(settings, STRICT, Answer.FALSE, Answer.values()) == Answer.TRUE,
                oneOf(settings, BIND, Way.AUTO, Way.values()),
                path(settings, LAUNCHER),
                path(settings, LIBRARY),
                path(settings, LEASES),
                seconds(settings));
    }

    /** One line for each setting that looks like one of these and is none; those for HDFS may be in the same file. */
    static List<String> unknown(Configuration settings) {
        List<String> given = new ArrayList<>();
        for (Map.Entry<String, String> setting : settings) {
            if (setting.getKey().startsWith("berth.") && !setting.getKey().startsWith("berth.hdfs.")) {
                given.add(setting.getKey());
            }
        }
        return UnknownSettings.of(
                given, List.of(DOMAIN, MEMORY, HEAP_MEMORY, SELECT, STRICT, BIND, LAUNCHER, LIBRARY, LEASES, PATIENCE));
    }

    private enum Select {
        FREE,
        EXCLUSIVE
    }

    private enum Answer {
        TRUE,
        FALSE
    }

    private static <E extends Enum<E>> E oneOf(Configuration settings, String key, E ordinary, E[] all) {
        String word = settings.getTrimmed(key, "");
        for (E value : all) {
            if (Words.of(value).equals(word)) {
                return value;
            }
        }
        if (word.isEmpty()) {
            return ordinary;
        }
        List<String> words = Arrays.stream(all).map(Words::of).toList();
        throw wrong(key, word, String.join(", ", words));
    }

    private static MemoryMode memory(Configuration settings) {
        String word = settings.getTrimmed(MEMORY, "");
        try {
            return word.isEmpty() ? MemoryMode.LOCAL : MemoryMode.parse(word);
        } catch (PlacementException e) {
            List<String> words =
                    Arrays.stream(MemoryMode.values()).map(MemoryMode::word).toList();
            String tiers = word.contains("tier:")
                    ? "; the domain of a container is not known before it starts, and so not its nodes of a tier"
                    : "";
            throw wrong(MEMORY, word, String.join(", ", words) + tiers);
        }
    }

    private static Optional<HeapPolicy> heapMemory(Configuration settings) {
        String text = settings.getTrimmed(HEAP_MEMORY, "");
        try {
            Optional<HeapPolicy> policy = text.isEmpty() ? Optional.empty() : Optional.of(HeapPolicy.parse(text));
            if (policy.isPresent() && policy.get().hasTier()) {
                throw wrong(
                        HEAP_MEMORY,
                        text,
                        "nodes behind the @: the domain of a container is not known before it"
                                + " starts, and so not its nodes of a tier");
            }
            return policy;
        } catch (PlacementException e) {
            throw wrong(HEAP_MEMORY, text, HeapPolicy.FORM + " (" + e.getMessage() + ")");
        }
    }

    private static String path(Configuration settings, String key) {
        String path = settings.getTrimmed(key, "");
        return path.isEmpty() ? "" : requirePlain(key, path);
    }

    private static int seconds(Configuration settings) {
        String number = settings.getTrimmed(PATIENCE, "600");
        if (!SECONDS.matcher(number).matches()) {
            throw wrong(PATIENCE, number, "seconds from 1 to 99999");
        }
        return Integer.parseInt(number);
    }

    /** It is written into the script that starts a container. */
    static String requirePlain(String what, String path) {
        if (!PLAIN_PATH.matcher(path).matches()) {
            throw wrong(what, path, "an absolute path of letters, digits and _./+@:,-");
        }
        return Path.of(path).normalize().toString();
    }

    private static IllegalArgumentException wrong(String key, String value, String choices) {
        return new IllegalArgumentException(key + " is '" + value + "': give " + choices);
    }
}

package org.berth.mapreduce.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.berth.mapreduce.runtime.BlockCollector;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.placement.PlacementException;
import org.berth.placement.internal.UnknownSettings;

/**
 * Settings of the engine, checked; {@code docs/engines/mapreduce.md} tells what each one does.
 *
 * @param level how tightly worker threads are bound
 * @param threads worker threads
 * @param memoryBytes bound of all buffers
 * @param bufferBytes size of a buffer
 * @param sortBytes size of a worker thread's sort buffer
 * @param guarded whether the slots of worker threads are widened while they cost more than they gain
 */
public record EngineSettings(
        OrderedLevel level, int threads, long memoryBytes, int bufferBytes, long sortBytes, boolean guarded) {
    static final String PREFIX = "berth.mapreduce.";
    /** The property that chooses the driver. */
    public static final String ENGINE = PREFIX + "engine";

    /** The property with the level. */
    public static final String LEVEL = PREFIX + "level";
    /** The property that keeps worker threads in their slots with {@code off}. */
    public static final String GUARD = PREFIX + "guard";
    /** The property with the number of worker threads. */
    public static final String THREADS = PREFIX + "threads";
    /** The property with the bound of all buffers. */
    public static final String MEMORY = PREFIX + "memory.bytes";
    /** The property with the size of a buffer. */
    public static final String BUFFER = PREFIX + "buffer.bytes";
    /** The property with the size of a sort buffer. */
    public static final String SORT = BlockCollector.SORT_BYTES;

    /** The property of the embedded driver that gives worker threads class loaders of their own. */
    public static final String ISOLATION = PREFIX + "isolation";

    static final String HISTORY = PREFIX + "history.jobs";
    static final String EMBEDDED = "embedded";

    /**
     * Size that, with the header of an array, is half of G1's smallest region. An array that is larger takes whole
     * regions, and each allocation may start a concurrent cycle: a TeraSort of 1 GB in a heap of 4 GB had 94 of them
     * with arrays of 1 MiB, three with these (the JDK's garbage collection tuning guide, "Humongous Objects").
     */
    private static final int DEFAULT_BUFFER = (512 << 10) - 24;

    /**
     * Reads the settings of a job.
     *
     * @throws IllegalArgumentException one line, when one of them makes no sense
     */
    public static EngineSettings of(Configuration conf) {
        String word = conf.getTrimmed(LEVEL, AffinityLevel.NONE.word());
        OrderedLevel level;
        try {
            level = OrderedLevel.parse(word);
        } catch (PlacementException e) {
            throw new IllegalArgumentException(LEVEL + ": " + e.getMessage(), e);
        }
        long memory = number(conf, MEMORY, Runtime.getRuntime().maxMemory() / 5 * 2, 1, Long.MAX_VALUE);
        return new EngineSettings(
                level,
                (int) number(conf, THREADS, Runtime.getRuntime().availableProcessors(), 1, 4096),
                memory,
                (int) number(conf, BUFFER, DEFAULT_BUFFER, 64, 1 << 29),
                number(conf, SORT, 16 << 20, 1, 1L << 34),
                guarded(conf.getTrimmed(GUARD, "on")));
    }

    private static boolean guarded(String word) {
        if (!word.equals("on") && !word.equals("off")) {
            throw new IllegalArgumentException(GUARD + " is '" + word + "': give on or off");
        }
        return word.equals("on");
    }

    /** Returns how many ended jobs a JVM remembers. */
    static int history(Configuration conf) {
        return (int) number(conf, HISTORY, 100, 1, 1_000_000);
    }

    /** One line for each setting that looks like one of these, or of the engine's own, and is none. */
    static List<String> unknown(Configuration conf, List<String> own) {
        List<String> given = new ArrayList<>();
        for (Map.Entry<String, String> setting : conf) {
            if (setting.getKey().startsWith(PREFIX)) {
                given.add(setting.getKey());
            }
        }
        List<String> known =
                new ArrayList<>(List.of(ENGINE, LEVEL, GUARD, THREADS, MEMORY, BUFFER, SORT, ISOLATION, HISTORY));
        known.addAll(own);
        return UnknownSettings.of(given, known);
    }

    private static long number(Configuration conf, String key, long ordinary, long minimum, long maximum) {
        String text = conf.getTrimmed(key, "");
        if (text.isEmpty()) {
            return ordinary;
        }
        try {
            long number = conf.getLongBytes(key, ordinary);
            if (number >= minimum && number <= maximum) {
                return number;
            }
        } catch (IllegalArgumentException e) {
            // The line below tells what is right.
        }
        throw new IllegalArgumentException(
                key + " is '" + text + "': give a number from " + minimum + " to " + maximum + " (k, m, g allowed)");
    }
}

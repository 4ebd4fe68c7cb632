package org.berth.jobkit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What runs a MapReduce job: an arm of a comparison, written as its {@link #word} in {@code berth bench --engines} and in the
 * job's {@code --engine}. Immutable.
 *
 * @param word as the user wrote it: an engine, and any number of {@code +KEY=VALUE}
 * @param engine what runs the tasks
 * @param localTasks maps, and reduces, that Hadoop's local runner runs at a time
 * @param heap maximum heap of the job's JVM, in the words of {@code java -Xmx}
 * @param settings of Berth's engine: property and value
 */
public record EngineArm(
        String word, Engine engine, int localTasks, Optional<String> heap, Map<String, String> settings) {
    /** The kinds of engines. */
    public enum Engine {
        /** Hadoop's local runner. */
        LOCAL("local"),
        /** Berth's engine with its embedded driver. */
        BERTH("berth"),
        /** Berth's engine on a Spark of the same JVM. */
        BERTH_SPARK("berth-spark"),
        /** The same program written by hand for Spark's RDDs. */
        SPARK_RDD("spark-rdd"),
        /** Hadoop's MapReduce on YARN. */
        YARN("yarn"),
        /** Apache Tez on YARN. */
        TEZ("tez");

        private final String word;

        Engine(String word) {
            this.word = word;
        }

        /** Whether Spark's libraries must be in the class path, which exclude those of Hadoop. */
        public boolean isOnSpark() {
            return this == BERTH_SPARK || this == SPARK_RDD;
        }

        /** Whether it needs a running YARN. */
        public boolean isOnYarn() {
            return this == YARN || this == TEZ;
        }

        /** Whether {@code +KEY=VALUE} can set {@code berth.mapreduce.KEY}. */
        boolean isBerth() {
            return this == BERTH || this == BERTH_SPARK;
        }
    }

    /** The words that there are, for messages. */
    public static final String WORDS =
            "local (Hadoop's local runner), local-N (with N tasks at a time), berth, berth-spark, spark-rdd (the program"
                    + " by hand on RDDs), yarn, tez";

    private static final Pattern LOCAL = Pattern.compile("local-([1-9][0-9]{0,3})");
    private static final Pattern SETTING = Pattern.compile("([A-Za-z.]+)=([^ ]+)");
    private static final Pattern HEAP = Pattern.compile("[1-9][0-9]{0,8}[kKmMgG]");

    /** Copies the settings. */
    public EngineArm {
        settings = Map.copyOf(settings);
    }

    /** Returns the arm of that word, or throws {@link JobException} for wrong usage. */
    public static EngineArm parse(String word) {
        List<String> parts = List.of(word.split("\\+", -1));
        Matcher local = LOCAL.matcher(parts.get(0));
        Engine engine = local.matches() ? Engine.LOCAL : engine(parts.get(0));
        Optional<String> heap = Optional.empty();
        Map<String, String> settings = new LinkedHashMap<>();
        for (String part : parts.subList(1, parts.size())) {
            Matcher setting = SETTING.matcher(part);
            if (!setting.matches()) {
                throw JobException.usage("engine '" + word + "': '+" + part + "' is not of the form +KEY=VALUE");
            }
            if (setting.group(1).equals("heap")) {
                heap = Optional.of(heap(word, setting.group(2)));
            } else if (engine.isBerth()) {
                settings.put("berth.mapreduce." + setting.group(1), setting.group(2));
            } else {
                throw JobException.usage("engine '" + word + "': +" + setting.group(1)
                        + " is for berth and berth-spark, whose settings are berth.mapreduce.KEY; each engine has"
                        + " +heap=SIZE");
            }
        }
        return new EngineArm(word, engine, local.matches() ? Integer.parseInt(local.group(1)) : 1, heap, settings);
    }

    private static Engine engine(String word) {
        for (Engine engine : Engine.values()) {
            if (engine.word.equals(word)) {
                return engine;
            }
        }
        throw JobException.usage("unknown engine '" + word + "': choose from " + WORDS);
    }

    private static String heap(String word, String size) {
        if (!HEAP.matcher(size).matches()) {
            throw JobException.usage("engine '" + word + "': '" + size + "' is not a size such as 256m or 2g");
        }
        return size;
    }

    /** The word for it. */
    @Override
    public String toString() {
        return word;
    }
}

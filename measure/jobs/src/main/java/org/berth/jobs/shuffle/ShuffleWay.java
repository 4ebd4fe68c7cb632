package org.berth.jobs.shuffle;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.metrics.source.Source;
import org.berth.jobkit.JobException;
import org.berth.jobkit.WayArm;
import org.berth.shuffle.BerthShuffleManager;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/** Spark's settings for a way of shuffle blocks, and the proof that blocks took it. */
final class ShuffleWay {
    private static final String PREFIX = "spark.berth.shuffle.";
    private static final String EXECUTOR_MEGABYTES = "1024";

    private ShuffleWay() {}

    static SparkConf configure(SparkConf conf, WayArm way, int executors) {
        conf.set("spark.master", "local-cluster[" + executors + ",1," + EXECUTOR_MEGABYTES + "]")
                .set("spark.executor.memory", EXECUTOR_MEGABYTES + "m")
                .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
                // On by default, and then executors of one host read each other's files.
                .set("spark.shuffle.readHostLocalDisk", "false")
                .set("spark.cores.max", Integer.toString(executors))
                .set("spark.scheduler.minRegisteredResourcesRatio", "1");
        if (way.way() != WayArm.Way.STOCK) {
            conf.set("spark.shuffle.manager", BerthShuffleManager.class.getName());
        }
        if (way.isProvider()) {
            conf.set(PREFIX + "providers", way.way().toString());
        }
        way.settings().forEach((key, value) -> conf.set(PREFIX + key, value));
        return conf;
    }

    /** Fails when some blocks took another way, which would be measured in silence. */
    static void require(JavaSparkContext spark, WayArm way, int executors) {
        if (way.way() == WayArm.Way.STOCK) {
            return;
        }
        Map<String, Map<String, Long>> counts = new HashMap<>();
        for (int i = 0; counts.size() < executors && i < 20; i++) {
            spark.parallelize(IntStream.range(0, executors).boxed().toList(), executors)
                    .map(number -> {
                        // So long that each executor gets one.
                        Thread.sleep(200);
                        return new Tuple2<>(SparkEnv.get().executorId(), counts());
                    })
                    .collect()
                    .forEach(pair -> counts.put(pair._1(), pair._2()));
        }
        counts.forEach((executor, values) -> {
            if (values.getOrDefault("receivedBlocks", 0L) == 0 || values.getOrDefault("sparkBlocks", 0L) > 0) {
                throw JobException.failure("way '" + way + "': executor " + executor + " counts " + values
                        + ": blocks went over Spark's own connections; its log gives the reason");
            }
            String word = way.way().toString();
            String peers = word + "Peers";
            if (way.isProvider() && values.getOrDefault(peers, 0L) == 0) {
                throw JobException.failure(String.format(
                        Locale.ROOT,
                        "way '%s': executor %s counts %s: no peer by %s; berth transport devices tells what this host has",
                        way,
                        executor,
                        values,
                        word));
            }
        });
    }

    private static Map<String, Long> counts() {
        Map<String, Long> values = new TreeMap<>();
        List<Source> sources =
                CollectionConverters.asJava(SparkEnv.get().metricsSystem().getSourcesByName("berth-shuffle"));
        for (Source source : sources) {
            source.metricRegistry().getGauges().forEach((name, gauge) -> values.put(name, (Long) gauge.getValue()));
        }
        return values;
    }
}

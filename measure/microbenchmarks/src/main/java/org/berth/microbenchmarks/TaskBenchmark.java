package org.berth.microbenchmarks;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.berth.spark.AffinityPlugin;
import org.berth.spark.conf.SparkKeys;
import org.berth.spark.settings.AffinitySettings;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What the Spark plugin does for a task whose thread is in its place: one start and one end, as Spark calls them. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TaskBenchmark {
    private final ExecutorPlugin plugin = new AffinityPlugin().executorPlugin();

    @Setup
    public void start() {
        SparkConf conf = new SparkConf(false)
                .set("spark.master", "local[*]")
                .set(SparkKeys.LEVEL, "pu")
                .set(AffinitySettings.GUARD, "off");
        plugin.init(new TaskBenchmarkContext(conf), Map.of());
        HwlocTopology.check("read", BareCalls.readMask(1));
    }

    @TearDown
    public void stop() {
        plugin.shutdown();
    }

    @Benchmark
    public void sparkTaskBerth() {
        plugin.onTaskStart();
        plugin.onTaskSucceeded();
    }

    @Benchmark
    @OperationsPerInvocation(BindBenchmark.BATCH)
    public int sparkTaskBare() {
        return BareCalls.readMask(BindBenchmark.BATCH);
    }
}

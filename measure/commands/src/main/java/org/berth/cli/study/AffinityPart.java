package org.berth.cli.study;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.cli.bench.jobs.EngineArms;
import org.berth.cli.bench.jobs.Job;
import org.berth.cli.bench.jobs.JobRun;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.jobkit.EngineArm;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.text.Words;

/**
 * One workload of a study on one engine with one number of threads. Its arms are levels.
 *
 * @param workers worker JVMs
 * @param threads of each
 * @param arms the levels that differ
 */
record AffinityPart(Job job, EngineArm engine, int workers, int threads, CompareArms arms) {
    /** What the parts of one panel have in common. */
    String setting() {
        return engine + ", " + Words.count(workers, "worker") + " of " + Words.count(threads, "thread");
    }

    /** The name of its folder. */
    String folder() {
        return AffinityStudy.name(job) + "-" + engine.word().replaceAll("[^A-Za-z0-9._-]", "_") + "-" + workers + "x"
                + threads;
    }

    /** @param sparkHome where local clusters of Spark find their libraries */
    StudyPart ready(JobRun run, Path sparkHome) {
        // Only the names of levels: the engine makes its plans itself.
        CompareArms shown = new CompareArms(Map.of(), arms.same(), workers * threads, List.of());
        String name = AffinityStudy.name(job);
        return new StudyPart(
                name,
                setting(),
                folder(),
                shown,
                experiment(run, sparkHome),
                arm(name, OrderedLevel.of(AffinityLevel.NONE), run, sparkHome));
    }

    /** @param sparkHome where local clusters of Spark find their libraries */
    Experiment experiment(JobRun run, Path sparkHome) {
        List<Arm> list = arms.plans().keySet().stream()
                .map(level -> arm(level.word(), level, run, sparkHome))
                .toList();
        return Experiment.of(job.name(), list).withMetric(Job.SECONDS).withWorkers(job.workers());
    }

    /** The job at one level. */
    Arm arm(String name, OrderedLevel level, JobRun run, Path sparkHome) {
        String word = engine.word() + "+level=" + level.word();
        if (engine.engine() == EngineArm.Engine.BERTH) {
            return EngineArms.arm(name, run, EngineArm.parse(word + "+threads=" + threads), List.of(), Map.of());
        }
        long megabytes = EngineArms.heapMegabytes(engine);
        String master = "local-cluster[" + workers + "," + threads + "," + megabytes + "]";
        return EngineArms.arm(
                name,
                run,
                EngineArm.parse(word + "+spark.master=" + master),
                List.of("-Dspark.executor.memory=" + megabytes + "m"),
                Map.of("SPARK_HOME", sparkHome.toString(), "SPARK_SCALA_VERSION", "2.13"));
    }
}

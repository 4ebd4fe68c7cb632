package org.berth.cli.bench.jobs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.berth.cli.shared.CommandException;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.jobkit.EngineArm;
import org.berth.jobkit.EngineCluster;
import org.berth.observation.internal.threads.Expectation;

/** The arms of a MapReduce job: Hadoop's local runner, Berth's engine, and others. */
public final class EngineArms {
    private static final String OPTION = "--engine";
    /** Every arm has it, so that engines differ in nothing else; +heap=SIZE is another one. */
    private static final String HEAP = "2g";

    private static final String SPARK_LIBRARIES = "org.berth.jobs.spark.lib";

    private static final String CONTAINERS =
            "containers run below the YARN that all runs share; the number cpu has their CPU time";

    /** What Spark's own scripts open for its serializers. */
    static final List<String> OPENED = Stream.of(
                    "java.lang",
                    "java.lang.invoke",
                    "java.lang.reflect",
                    "java.io",
                    "java.net",
                    "java.nio",
                    "java.util",
                    "java.util.concurrent",
                    "java.util.concurrent.atomic",
                    "sun.nio.ch",
                    "sun.nio.cs",
                    "sun.security.action",
                    "sun.util.calendar")
            .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED")
            .toList();

    public static final ArmWords<EngineArm> WORDS =
            new ArmWords<>("--engines", List.of(OPTION, EngineCluster.OPTION), EngineArm.WORDS, EngineArm::parse);

    private EngineArms() {}

    /** The arms unless the user names some. */
    public static String ordinary() {
        int cpus = Runtime.getRuntime().availableProcessors();
        return cpus == 1 ? "local,berth" : "local,local-" + cpus + ",berth";
    }

    /**
     * Makes the experiment that runs a job on several engines.
     *
     * @param cluster client settings of the YARN that some engines need
     */
    public static Experiment experiment(JobRun run, List<EngineArm> engines, Optional<String> cluster, int rounds) {
        List<Arm> arms = engines.stream()
                .map(engine -> arm(engine.word(), onCluster(run, engine, cluster), engine, List.of(), Map.of()))
                .toList();
        return Experiment.of(run.job().name(), arms)
                .withRounds(rounds)
                .withMetrics(run.job().metrics(run.options()))
                .withWorkers(run.job().workers());
    }

    private static JobRun onCluster(JobRun run, EngineArm arm, Optional<String> cluster) {
        if (!arm.engine().isOnYarn()) {
            return run;
        }
        List<String> options = new ArrayList<>(run.options());
        options.addAll(List.of(EngineCluster.OPTION, cluster.orElseThrow()));
        return new JobRun(run.job(), run.libraries(), options);
    }

    /**
     * An arm of this name.
     *
     * @param jvmOptions more for its JVM
     * @param environment more for its process
     */
    public static Arm arm(
            String name, JobRun run, EngineArm arm, List<String> jvmOptions, Map<String, String> environment) {
        boolean spark = arm.engine().isOnSpark();
        JobRun here = spark ? new JobRun(run.job(), sparkLibraries(), run.options()) : run;
        List<String> jvm = new ArrayList<>(List.of("-Xmx" + arm.heap().orElse(HEAP)));
        if (spark) {
            jvm.addAll(OPENED);
        }
        jvm.addAll(jvmOptions);
        List<String> command = here.command(jvm);
        command.addAll(List.of(OPTION, arm.word()));
        Map<String, String> variables = new HashMap<>(spark ? JobArms.SPARK : Map.of());
        variables.putAll(environment);
        Arm made = new Arm(name, command, variables, Expectation.none());
        return arm.engine().isOnYarn() ? made.withWorkElsewhere(CONTAINERS) : made;
    }

    /** The heap of an arm's JVMs in MiB. */
    public static long heapMegabytes(EngineArm arm) {
        String heap = arm.heap().orElse(HEAP);
        long number = Long.parseLong(heap.substring(0, heap.length() - 1));
        return switch (Character.toLowerCase(heap.charAt(heap.length() - 1))) {
            case 'g' -> number << 10;
            case 'm' -> number;
            default -> Math.max(1, number >> 10);
        };
    }

    public static Path sparkLibraries() {
        String libraries = System.getProperty(SPARK_LIBRARIES, "");
        if (libraries.isEmpty() || !Files.isDirectory(Path.of(libraries))) {
            throw CommandException.failure("cannot find Spark for the engines berth-spark and spark-rdd: the"
                    + " evaluation jobs are in a checkout only; start './berth bench' there, which builds it");
        }
        return Path.of(libraries).toAbsolutePath();
    }
}

package org.berth.cli.bench.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.jobkit.WayArm;
import org.berth.observation.internal.threads.Expectation;
import org.berth.transport.ProviderStatus;

/** The arms of a job of messages: the engine's own connections, and Berth's transport with each provider. */
public final class WayArms {
    private static final String OPTION = "--way";

    public static final ArmWords<WayArm> WORDS = new ArmWords<>("--ways", List.of(OPTION), WayArm.WORDS, WayArm::parse);

    private WayArms() {}

    /**
     * The arms of a comparison.
     *
     * @param arms that run
     * @param absent lines about those that this host does not allow
     */
    public record Choice(List<WayArm> arms, List<String> absent) {
        public Choice {
            arms = List.copyOf(arms);
            absent = List.copyOf(absent);
        }
    }

    /** Every provider of this host in addition to the engine's own connections. */
    public static Choice ordinary() {
        List<WayArm> arms = new ArrayList<>(List.of(WayArm.parse("stock")));
        List<String> absent = new ArrayList<>();
        for (ProviderStatus status : ProviderStatus.ofHost()) {
            if (status.works()) {
                arms.add(WayArm.parse(status.name()));
            } else {
                absent.add(status.name() + ": not run: " + status.detail());
            }
        }
        return new Choice(arms, absent);
    }

    /**
     * Makes the experiment that runs a job with several ways of messages.
     *
     * @param sparkHome where a local cluster of Spark finds its libraries, for a job on Spark
     */
    public static Experiment experiment(JobRun run, List<WayArm> ways, Optional<Path> sparkHome, int rounds) {
        Map<String, String> environment = new HashMap<>();
        sparkHome.ifPresent(home -> {
            environment.putAll(JobArms.SPARK);
            environment.put("SPARK_LOCAL_HOSTNAME", "localhost");
            environment.put("SPARK_HOME", home.toString());
            environment.put("SPARK_SCALA_VERSION", "2.13");
        });
        List<Arm> arms = ways.stream()
                .map(way -> {
                    List<String> command = run.command(sparkHome.isPresent() ? EngineArms.OPENED : List.of());
                    command.addAll(List.of(OPTION, way.word()));
                    return new Arm(way.word(), command, environment, Expectation.none());
                })
                .toList();
        return Experiment.of(run.job().name(), arms)
                .withRounds(rounds)
                .withMetrics(run.job().metrics(run.options()))
                .withWorkers(run.job().workers());
    }

    /** Executors of a local cluster take Spark from a folder {@code jars} below its home. */
    public static Path sparkHome(Path folder, Path libraries) throws IOException {
        Path home = folder.resolve("spark-home");
        Files.createDirectories(home);
        Path jars = home.resolve("jars");
        Files.deleteIfExists(jars);
        Files.createSymbolicLink(jars, libraries);
        return home;
    }
}

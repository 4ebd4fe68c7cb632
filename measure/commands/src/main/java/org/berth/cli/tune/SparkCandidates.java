package org.berth.cli.tune;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.cli.compare.arms.SparkCommand;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.placement.OrderedLevel;
import org.berth.placement.internal.shape.ShapePart;
import org.berth.placement.internal.shape.ShapeRequest;
import org.berth.spark.conf.SparkKeys;
import org.berth.spark.conf.SparkSettings;
import org.berth.topology.Topology;

/**
 * Candidates whose processes are executors of a Spark application: of the command's standalone master, or of {@code local-cluster} on
 * this host when it names none.
 */
record SparkCandidates(SparkCommand command, Topology topology) implements ShapeCandidates {
    private static final String CORES = "spark.executor.cores";
    private static final String MEMORY = "spark.executor.memory";

    /** A usage error for what the plugin does not know. */
    static void check(String level) {
        if (!level.equals(SparkKeys.AUTO)) {
            Arguments.level(level);
        }
    }

    @Override
    public String usualLevel() {
        return SparkKeys.AUTO;
    }

    /** The plugin places tasks in an executor that has the whole machine. */
    @Override
    public String effectiveLevel(TuneShape shape, boolean everywhere) {
        return shape.level();
    }

    /** Executors of an application have one size. */
    @Override
    public Optional<String> uneven(TuneShape shape) {
        int each = cores(shape);
        int all = shape.host().parts().stream()
                .mapToInt(part -> shape.smt() ? part.cpus().size() : part.cores())
                .sum();
        int used = each * shape.processes();
        return used == all
                ? Optional.empty()
                : Optional.of(shape.processes() + " executors of one size, " + each + " tasks each, would use " + used
                        + " of " + all + ", and all candidates have the same CPUs");
    }

    @Override
    public long heapBytes(TuneShape shape) {
        return shape.leastHeap().map(ShapePart::heapBytes).orElse(0L) * shape.processes();
    }

    @Override
    public Optional<String> obstacle(TuneShape shape) {
        return Optional.empty();
    }

    @Override
    public TuneCandidate make(String name, TuneShape shape, ShapeRequest request, List<String> flags) {
        ShapePart heap = shape.leastHeap()
                .orElseThrow(() -> CommandException.failure("executors would have no heap; give --heap"));
        Map<String, String> settings = new LinkedHashMap<>();
        if (shape.bound()) {
            settings.putAll(placed(shape, request));
        }
        settings.put(CORES, Integer.toString(cores(shape)));
        settings.put(MEMORY, heap.heapWord());
        if (!flags.isEmpty()) {
            settings.merge(SparkKeys.JAVA_OPTIONS, String.join(" ", flags), (agent, more) -> agent + " " + more);
        }
        if (command.master().isEmpty()) {
            settings.put(
                    "spark.master",
                    "local-cluster[" + shape.processes() + "," + cores(shape) + "," + (heap.heapBytes() >> 20) + "]");
        }
        return new SparkCandidate(name, shape, settings, command, topology.allowedCpuSet());
    }

    private Map<String, String> placed(TuneShape shape, ShapeRequest request) {
        Optional<OrderedLevel> level =
                shape.level().equals(SparkKeys.AUTO) ? Optional.empty() : Optional.of(Arguments.level(shape.level()));
        // Executors have whole cores, and as many tasks as the race says.
        ShapeRequest all = new ShapeRequest(
                request.into(),
                Optional.empty(),
                request.heapBytes(),
                request.heapPercent(),
                request.memoryLimitBytes(),
                request.memoryPlace());
        return SparkSettings.of(
                        topology,
                        new SparkSettings.Request(
                                SparkSettings.Manager.STANDALONE,
                                level,
                                0,
                                shape.memory(),
                                NativeLibrary.file().toString()),
                        all)
                .settings();
    }

    /** Tasks of an executor at a time: one for each PU, or one for each core. */
    private static int cores(TuneShape shape) {
        return shape.host().parts().stream()
                .mapToInt(part -> shape.smt() ? part.cpus().size() : part.cores())
                .min()
                .orElseThrow();
    }
}

package org.berth.cli.tune;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.berth.experiments.Arm;
import org.berth.placement.PlacementPlan;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/** A setting that {@code tune} tries. */
interface TuneCandidate {
    /** Unique in its race. */
    String name();

    /** "--level core --threads 2", for people. */
    String options();

    /** CPUs of all its processes together; empty when leases choose them. */
    Optional<CpuSet> cpus();

    /** The number and size of its processes; empty where only one way of binding one process races. */
    default Optional<TuneShape> shape() {
        return Optional.empty();
    }

    /** How it is run. */
    Arm arm(Start start);

    /** One line for a shell that does the same. */
    String line();

    /** The same as lines of an engine's own configuration; empty for a command without one. */
    default Map<String, String> settings() {
        return Map.of();
    }

    /**
     * What a candidate needs to know of the machine before it can be run.
     *
     * @param javaLauncher whether the command is a JDK's or JRE's own {@code java}
     * @param planFile writes the plan of a candidate of that name
     */
    record Start(Topology topology, boolean javaLauncher, BiFunction<PlacementPlan, String, Path> planFile) {}
}

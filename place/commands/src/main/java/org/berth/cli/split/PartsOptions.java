package org.berth.cli.split;

import java.util.List;
import java.util.Optional;
import org.berth.cli.run.FirstPart;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementException;
import org.berth.placement.internal.NearestWord;
import org.berth.placement.internal.shape.Division;
import org.berth.placement.internal.shape.HostShape;
import org.berth.placement.internal.shape.ShapePart;
import org.berth.placement.internal.shape.ShapeRequest;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;
import picocli.CommandLine.Option;

/** The parts of a host, each with a process of its own: a kind of domain, as for {@code run}, or a number of parts. */
public final class PartsOptions {
    /** What they exclude. */
    public static final OptionRule RULE = OptionRule.excludes("--domain", "--into", "");

    private static final List<String> KINDS = List.of("numa", "package", "l3", "core:K");

    @Option(
            names = "--domain",
            paramLabel = "DOMAIN",
            description =
                    "The part of the host that each process gets, in the words of 'run': numa (a node), package, l3 (a"
                            + " cache) or core:K (K cores). There is a process for each such part.")
    private Optional<String> domain = Optional.empty();

    @Option(
            names = "--into",
            paramLabel = "N",
            description = "Instead of --domain: the number of processes, whose parts have nearly equal size.")
    private Optional<String> into = Optional.empty();

    /** The parts, if the user chose them; a usage error for those that this machine does not have. */
    public Optional<Division> division(Topology topology, Optional<CpuSet> within) {
        return into.map(PartsOptions::number).or(() -> domain.map(kind -> ofKind(kind, topology, within)));
    }

    private static Division number(String text) {
        try {
            Division parts = Division.parse(text);
            if (parts.kind() == Division.Kind.COUNT) {
                return parts;
            }
        } catch (PlacementException notANumber) {
            // Reported below like a kind of part.
        }
        throw CommandException.usage("--into " + text
                + ": give a number of parts from 1 to 9999; for parts of the machine write --domain numa, package, l3 or"
                + " core:K" + NearestWord.hint(text, KINDS));
    }

    private static Division ofKind(String kind, Topology topology, Optional<CpuSet> within) {
        FirstPart part = FirstPart.parse(kind);
        if (part.level() == AffinityLevel.CORE) {
            return ofCores(part.count(), topology, within);
        }
        if (part.cpus().isPresent()) {
            throw CommandException.usage(
                    "--domain " + kind
                            + ": the parts of a host are numa, package, l3 or core:K; --cpus says which CPUs are cut into parts");
        }
        return Division.parse(kind);
    }

    /** Parts of exactly this number of cores, none of which crosses a node or package that another one is in. */
    private static Division ofCores(int each, Topology topology, Optional<CpuSet> within) {
        CpuSet cpus = within.map(list -> Arguments.allowedCpus(list, topology)).orElseGet(topology::allowedCpuSet);
        int cores = topology.objectsIntersecting(cpus, ObjectType.CORE).size();
        int all = cores == 0 ? cpus.size() : cores;
        Division parts = new Division(Division.Kind.COUNT, Math.max(1, all / each));
        List<Integer> sizes = HostShape.of(topology, ShapeRequest.of(parts).within(cpus)).parts().stream()
                .map(ShapePart::cores)
                .distinct()
                .toList();
        if (!sizes.equals(List.of(each))) {
            throw CommandException.usage(
                    "--domain core:" + each + ": the " + all + " cores of this host do not make parts of " + each
                            + "; give --into N for parts of nearly equal size");
        }
        return parts;
    }
}

package org.berth.cli.tune;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.split.SplitRequest;
import org.berth.placement.MemoryMode;
import org.berth.placement.PlacementException;
import org.berth.placement.internal.shape.Division;
import org.berth.placement.internal.shape.HostShape;
import org.berth.placement.internal.shape.ShapeRequest;
import org.berth.text.Bytes;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;

/**
 * The candidates of a race of shapes: every combination of parts, level, memory policy, SMT and options of the JVM that
 * is possible on
 * a machine, uses all of its CPUs or cores and as much heap as the others, and differs from the others. Starts nothing.
 */
final class ShapeGrid {
    /** Heaps are rounded down to round numbers, by 6 % at most. */
    private static final double LEAST_OF_HEAP = 0.9;

    private final TargetMachine machine;
    private final ShapeDimensions dimensions;
    private final ShapeCandidates maker;
    private final List<TuneCandidate> list = new ArrayList<>();
    private final List<String> dropped = new ArrayList<>();
    private final Map<Object, String> divisions = new HashMap<>();
    private final Map<Object, String> seen = new HashMap<>();
    private long usualHeap;

    private ShapeGrid(TargetMachine machine, ShapeDimensions dimensions, ShapeCandidates maker) {
        this.machine = machine;
        this.dimensions = dimensions;
        this.maker = maker;
    }

    /** The candidates, the first of which is {@code none}: one process that is not bound. */
    static TuneCandidates of(TargetMachine machine, ShapeDimensions dimensions, ShapeCandidates maker) {
        ShapeGrid grid = new ShapeGrid(machine, dimensions, maker);
        grid.fill();
        return new TuneCandidates(grid.list, grid.dropped);
    }

    /** The machine as the only part. */
    static HostShape whole(TargetMachine machine, Optional<String> heap) {
        return HostShape.of(machine.topology(), SplitRequest.of(machine, Division.parse("1"), Optional.empty(), heap));
    }

    private Topology topology() {
        return machine.topology();
    }

    private void fill() {
        HostShape whole = whole(machine, dimensions.heap());
        TuneShape baseline = new TuneShape(
                Division.parse("1"), whole, TuneShape.NONE, MemoryMode.LOCAL, false, true, RacedFlags.NONE);
        usualHeap = baseline.heapBytes();
        add("none", baseline, request(baseline.into(), true), List.of());
        for (Division into : dimensions.into()) {
            Set<String> reasons = new LinkedHashSet<>();
            for (boolean smt : dimensions.smt()) {
                Optional<String> obstacle = smt ? Optional.empty() : noSmt();
                try {
                    ShapeRequest request = request(into, smt);
                    HostShape host = HostShape.of(topology(), request);
                    if (obstacle.isEmpty()) {
                        obstacle = unequal(host, smt);
                    }
                    if (obstacle.isEmpty()) {
                        obstacle = twin(into, host, smt);
                    }
                    if (obstacle.isEmpty()) {
                        addAll(into, host, smt, request);
                    }
                } catch (PlacementException e) {
                    obstacle = Optional.of(String.valueOf(e.getMessage()));
                }
                String name = "into-" + into.word() + (smt ? "" : "+no-smt");
                obstacle.ifPresent(why -> reasons.add(name + ": " + why));
            }
            dropped.addAll(reasons);
        }
    }

    /** Two words for the same parts, such as "2" and "numa". */
    private Optional<String> twin(Division into, HostShape host, boolean smt) {
        String name = divisions.putIfAbsent(List.of(parts(host), smt), "into-" + into.word());
        return Optional.ofNullable(name).map(same -> "same parts as " + same + " on this machine");
    }

    private static List<Object> parts(HostShape host) {
        return host.parts().stream()
                .<Object>map(part -> List.of(part.cpus(), part.memoryNodes(), part.heapBytes()))
                .toList();
    }

    private ShapeRequest request(Division into, boolean smt) {
        Optional<CpuSet> within = smt ? Optional.empty() : TuneCandidates.firstPus(topology());
        return SplitRequest.of(machine, into, within, dimensions.heap());
    }

    private Optional<String> noSmt() {
        CpuSet allowed = topology().allowedCpuSet();
        Optional<CpuSet> first = TuneCandidates.firstPus(topology());
        return first.isEmpty() || first.get().equals(allowed)
                ? Optional.of("the cores of this machine have one PU each")
                : Optional.empty();
    }

    /** Requires equal totals, because otherwise numbers of processes cannot be compared. */
    private Optional<String> unequal(HostShape host, boolean smt) {
        CpuSet all = smt
                ? topology().allowedCpuSet()
                : TuneCandidates.firstPus(topology()).orElseThrow();
        TuneShape shape =
                new TuneShape(Division.parse("1"), host, TuneShape.NONE, MemoryMode.LOCAL, false, smt, RacedFlags.NONE);
        CpuSet unused = all.minus(shape.cpus());
        if (!unused.isEmpty()) {
            return Optional.of("it leaves CPUs " + unused + " unused, and all candidates have the same CPUs");
        }
        Optional<String> uneven = maker.uneven(shape);
        long heap = maker.heapBytes(shape);
        boolean less = heap < LEAST_OF_HEAP * usualHeap && usualHeap > 0;
        return uneven.isPresent() || !less
                ? uneven
                : Optional.of("its heaps are " + Bytes.text(heap) + " together, and all candidates have "
                        + Bytes.text(usualHeap));
    }

    private void addAll(Division into, HostShape host, boolean smt, ShapeRequest request) {
        for (String level : dimensions.levels()) {
            boolean bound = !level.equals(TuneShape.NONE);
            if (!bound && !smt) {
                dropped.add("into-" + into.word() + "+none+no-smt: processes that are not bound use all PUs");
                continue;
            }
            List<MemoryMode> modes = !bound
                    ? List.of(MemoryMode.LOCAL)
                    : dimensions.memory().isEmpty() ? List.of(MemoryMode.LOCAL) : dimensions.memory();
            for (MemoryMode memory : modes) {
                for (RacedFlags flags : dimensions.flags()) {
                    boolean named = bound && dimensions.memory().size() > 1;
                    TuneShape shape = new TuneShape(into, host, level, memory, named, smt, flags);
                    add(shape, request);
                }
            }
        }
    }

    private void add(TuneShape shape, ShapeRequest request) {
        String name = shape.name(maker.usualLevel());
        RacedFlags.Fit fit = shape.flags().in(shape, topology(), dimensions.hugePages());
        Optional<String> obstacle = fit.obstacle().isPresent() ? fit.obstacle() : maker.obstacle(shape);
        if (obstacle.isPresent()) {
            dropped.add(name + ": " + obstacle.get());
        } else {
            add(name, shape, request, fit.options());
        }
    }

    private void add(String name, TuneShape asked, ShapeRequest request, List<String> flags) {
        MemoryMode memory = effective(asked);
        boolean everywhere =
                asked.processes() == 1 && asked.cpus().equals(topology().allowedCpuSet()) && memory == MemoryMode.LOCAL;
        TuneShape shape = asked.withLevel(maker.effectiveLevel(asked, everywhere));
        List<Object> key = List.of(parts(shape.host()), shape.level(), memory, shape.smt(), flags);
        String twin = seen.get(key);
        if (twin != null) {
            dropped.add(name + ": same as " + twin + " on this machine");
            return;
        }
        try {
            list.add(maker.make(name, shape, request, flags));
            seen.put(key, name);
        } catch (CommandException e) {
            if (name.equals("none")) {
                throw e;
            }
            dropped.add(name + ": " + e.getMessage());
        }
    }

    /** What a memory mode does: where the parts have all nodes, there is nothing to prefer. */
    private MemoryMode effective(TuneShape shape) {
        int nodes = topology()
                .objectsIntersecting(topology().allowedCpuSet(), ObjectType.NUMA_NODE)
                .size();
        boolean all = shape.host().parts().stream()
                .allMatch(part -> part.memoryNodes().equals(topology().allowedNodeSet()));
        boolean near = List.of(MemoryMode.BIND, MemoryMode.PREFER).contains(shape.memory());
        boolean same = all && (nodes < 2 || near);
        return same ? MemoryMode.LOCAL : shape.memory();
    }
}

package org.berth.placement.internal.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.berth.machines.Machines;
import org.berth.machines.RandomMachine;
import org.berth.placement.MemoryPlace;
import org.berth.placement.PlacementException;
import org.berth.placement.RandomPart;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Shapes that were checked by hand, and what every shape must keep on every machine. A golden file's name is its request:
 * {@code layered-2-1-8-8-2-l3.shape} is {@link RandomMachine#layered} divided by its L3 caches.
 *
 * <p>{@code -Dberth.goldens=refresh} writes the shapes anew below their heads; a new file needs only its head.
 */
class HostShapeTest {
    private static final Path FOLDER = Path.of("src/test/resources/shapes");
    private static final Pattern NAME = Pattern.compile("(.+)-(l3|numa|package|\\d+)\\.shape");
    private static final long SEED = Long.getLong("berth.seed", System.nanoTime());
    private static final long GIBIBYTE = 1L << 30;

    static List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    static Stream<String> recorded() {
        return Stream.concat(Machines.names().stream(), Machines.literature().stream());
    }

    static LongStream seeds() {
        return LongStream.range(SEED, SEED + 60);
    }

    @ParameterizedTest
    @MethodSource("names")
    void shapeIsTheOneThatWasCheckedByHand(String name) throws IOException {
        Matcher request = NAME.matcher(name);
        assertThat(request.matches()).as("file name %s", name).isTrue();
        HostShape shape = HostShape.of(machine(request.group(1)), ShapeRequest.of(Division.parse(request.group(2))));
        Path file = FOLDER.resolve(name);
        List<String> lines = Files.readAllLines(file);
        String head = lines.stream().filter(line -> line.startsWith("#")).collect(Collectors.joining("\n", "", "\n"));
        if ("refresh".equals(System.getProperty("berth.goldens"))) {
            Files.writeString(file, head + text(shape));
            return;
        }
        assertThat(head).as("the reason why this shape is right").hasSizeGreaterThan(20);
        assertThat(head + text(shape)).isEqualTo(String.join("\n", lines) + "\n");
    }

    /** Three pairs of cores of one package: DRAM near two of them, HBM near two, NVM near all. */
    @Test
    void theMemoryAndHeapOfAPartAreThoseOfATier() {
        Topology machine = TopologyXml.parse(Machines.xml("fakeheteromemtiers"));
        ShapeRequest request = ShapeRequest.of(Division.parse("3"));
        for (String kind : List.of("dram", "hbm", "nvm")) {
            HostShape shape = HostShape.of(machine, request.withMemory(new MemoryPlace.Tier(kind)));
            long tier = 0;
            NodeSet all = NodeSet.empty();
            for (ShapePart part : shape.parts()) {
                all = all.union(part.memoryNodes());
                tier += part.memoryBytes();
                assertThat(part.heapBytes()).isBetween(1L, part.memoryBytes() / 2);
            }
            NodeSet nodes = machine.memoryTiers().stream()
                    .filter(one -> kind.equalsIgnoreCase(one.kind()))
                    .flatMap(one -> one.nodes().stream())
                    .map(node -> NodeSet.of(node.osIndex()))
                    .reduce(NodeSet.empty(), NodeSet::union);
            assertThat(all).as(kind).isEqualTo(nodes);
            assertThat(tier).as(kind).isLessThanOrEqualTo(bytes(machine, nodes)).isGreaterThan(0);
        }
        assertThatThrownBy(() -> HostShape.of(machine, request.withMemory(new MemoryPlace.Tier("cxl"))))
                .isInstanceOf(PlacementException.class)
                .hasMessageStartingWith("there is no memory tier 'cxl' on this machine");
    }

    private static long bytes(Topology machine, NodeSet nodes) {
        return machine.objects(ObjectType.NUMA_NODE).stream()
                .filter(node -> nodes.contains(node.osIndex()))
                .map(TopologyObject::attributes)
                .mapToLong(own -> own instanceof ObjectAttributes.NumaNode memory ? memory.localMemoryBytes() : 0)
                .sum();
    }

    private static Topology machine(String name) {
        Matcher layered =
                Pattern.compile("layered-(\\d+)-(\\d+)-(\\d+)-(\\d+)-(\\d+)").matcher(name);
        if (!layered.matches()) {
            return TopologyXml.parse(Machines.xml(name));
        }
        int[] counts = new int[5];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = Integer.parseInt(layered.group(i + 1));
        }
        return TopologyXml.parse(RandomMachine.layered(counts[0], counts[1], counts[2], counts[3], counts[4]));
    }

    private static String text(HostShape shape) {
        StringBuilder text = new StringBuilder();
        for (ShapePart part : shape.parts()) {
            text.append("%d: CPUs %s, nodes %s, heap %s: %s%n"
                    .formatted(part.index(), part.cpus(), part.memoryNodes(), part.heapWord(), part.reason()));
        }
        if (!shape.leftOver().isEmpty()) {
            text.append("left over: ").append(shape.leftOver()).append('\n');
        }
        shape.notes().forEach(note -> text.append("note: ").append(note).append('\n'));
        return text.toString();
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void everyShapeOfRecordedMachines(String name) {
        checkWholeAndParts(name, TopologyXml.parse(Machines.xml(name)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyShapeOfRandomMachines(long seed) {
        checkWholeAndParts("random machine " + seed, TopologyXml.parse(RandomMachine.xml(seed)));
    }

    private static void checkWholeAndParts(String name, Topology machine) {
        SplittableRandom random = new SplittableRandom(SEED ^ name.hashCode());
        check(name + ", seed " + SEED, machine, random);
        for (int i = 0; i < 3; i++) {
            CpuSet cpus = RandomPart.of(machine.allowedCpuSet(), random);
            NodeSet nodes = i == 0 ? machine.allowedNodeSet() : RandomPart.of(machine.allowedNodeSet(), random);
            String what = name + ", allowed " + cpus + " and nodes " + nodes + ", seed " + SEED;
            check(what, machine.withAllowed(cpus, nodes), random);
        }
    }

    private static void check(String what, Topology machine, SplittableRandom random) {
        CpuSet usable = machine.allowedCpuSet().intersection(machine.cpuSet());
        List<Division> divisions = new ArrayList<>(List.of(Division.parse("numa"), Division.parse("package")));
        if (machine.objects(ObjectType.PU).stream()
                .anyMatch(pu -> usable.contains(pu.osIndex())
                        && pu.ancestor(ObjectType.L3_CACHE).isPresent())) {
            divisions.add(Division.parse("l3"));
        }
        for (int i = 0; i < 4; i++) {
            divisions.add(Division.parse(Integer.toString(1 + random.nextInt(Math.min(usable.size(), 9999)))));
        }
        for (Division into : divisions) {
            ShapeRequest request = ShapeRequest.of(into).withHeapPercent(1 + random.nextInt(100));
            HostShape shape = HostShape.of(machine, request);
            try {
                checkCpus(machine, usable, into, shape);
                checkHeaps(machine, shape);
                checkTotal(machine, request, shape, random);
            } catch (AssertionError error) {
                throw new AssertionError(what + ", into " + into.word() + ":\n" + text(shape), error);
            }
        }
    }

    private static void checkCpus(Topology machine, CpuSet usable, Division into, HostShape shape) {
        CpuSet seen = shape.leftOver();
        for (ShapePart part : shape.parts()) {
            assertThat(part.cpus().isEmpty()).isFalse();
            assertThat(part.cpus().intersects(seen)).isFalse();
            assertThat(part.memoryNodes().minus(machine.allowedNodeSet()).isEmpty())
                    .isTrue();
            seen = seen.union(part.cpus());
        }
        assertThat(seen).isEqualTo(usable);
        if (into.kind() == Division.Kind.COUNT) {
            assertThat(shape.parts()).hasSize(into.count());
            assertThat(shape.leftOver().isEmpty()).isTrue();
            checkBorders(machine, shape);
        }
    }

    /**
     * If a package has two parts, neither is in another package, too; the same for memory nodes that do not overlap.
     */
    private static void checkBorders(Topology machine, HostShape shape) {
        for (TopologyObject place : machine.objects(ObjectType.PACKAGE)) {
            List<ShapePart> inside = shape.parts().stream()
                    .filter(part -> part.cpus().intersects(place.cpuSet()))
                    .toList();
            if (inside.size() > 1) {
                assertThat(inside).allMatch(part -> place.cpuSet().containsAll(part.cpus()));
            }
        }
    }

    /** The sum of the heaps fits; each node's own part of it does by a flow that the parts' nodes allow. */
    private static void checkHeaps(Topology machine, HostShape shape) {
        for (ShapePart part : shape.parts()) {
            assertThat(part.heapBytes()).isBetween(0L, part.memoryBytes());
            assertThat(part.memoryBytes()).isLessThanOrEqualTo(memory(machine, part.memoryNodes()));
        }
        for (TopologyObject node : machine.objects(ObjectType.NUMA_NODE)) {
            NodeSet one = NodeSet.of(node.osIndex());
            long inIt = shape.parts().stream()
                    .filter(part -> one.containsAll(part.memoryNodes())
                            && !part.memoryNodes().isEmpty())
                    .mapToLong(ShapePart::heapBytes)
                    .sum();
            assertThat(inIt).isLessThanOrEqualTo(memory(machine, one));
        }
        assertThat(shape.parts().stream().mapToLong(ShapePart::heapBytes).sum())
                .isLessThanOrEqualTo(memory(machine, machine.allowedNodeSet()));
    }

    private static long memory(Topology machine, NodeSet nodes) {
        return machine.objects(ObjectType.NUMA_NODE).stream()
                .filter(node -> nodes.contains(node.osIndex()))
                .mapToLong(node -> ((ObjectAttributes.NumaNode) node.attributes()).localMemoryBytes())
                .sum();
    }

    private static void checkTotal(Topology machine, ShapeRequest request, HostShape shape, SplittableRandom random) {
        long all = shape.parts().stream().mapToLong(ShapePart::memoryBytes).sum();
        if (all < 2) {
            return;
        }
        long total = 1 + random.nextLong(all);
        HostShape withTotal = HostShape.of(machine, request.withHeapBytes(total));
        long given = withTotal.parts().stream().mapToLong(ShapePart::heapBytes).sum();
        assertThat(given).isLessThanOrEqualTo(total);
        checkHeaps(machine, withTotal);
        assertThatThrownBy(() -> HostShape.of(machine, request.withHeapBytes(all + 1)))
                .isInstanceOf(PlacementException.class)
                .hasMessageContaining("do not fit");
        HostShape limited = HostShape.of(machine, request.withMemoryLimitBytes(total));
        assertThat(limited.parts().stream().mapToLong(ShapePart::memoryBytes).sum())
                .isLessThanOrEqualTo(total);
    }

    @Test
    void heapsAreRoundNumbersThatAJvmReads() {
        Topology machine = machine("layered-1-2-2-4-1");
        ShapeRequest request = ShapeRequest.of(Division.parse("l3"));
        assertThat(HostShape.of(machine, request).parts())
                .extracting(ShapePart::heapWord)
                .containsOnly("16g");
        assertThat(HostShape.of(machine, request.withHeapBytes(30 * GIBIBYTE)).parts())
                .extracting(ShapePart::heapWord)
                .containsOnly("7680m");
        assertThat(HostShape.of(machine, request.withHeapBytes(7 << 20)).parts())
                .extracting(ShapePart::heapWord)
                .containsOnly("0m");
        assertThat(request.withMemoryLimitBytes(8 * GIBIBYTE).memoryLimitBytes())
                .isEqualTo(OptionalLong.of(8 * GIBIBYTE));
        assertThat(HostShape.of(machine, request.withMemoryLimitBytes(8 * GIBIBYTE))
                        .parts())
                .extracting(ShapePart::heapWord)
                .containsOnly("1g");
    }

    @Test
    void whatCannotBeDividedIsSaidInOneLine() {
        Topology machine = machine("8em64t-2s2ca2c");
        assertThatThrownBy(() -> HostShape.of(machine, ShapeRequest.of(Division.parse("l3"))))
                .isInstanceOf(PlacementException.class)
                .hasMessageContaining("names no L3 cache");
        assertThatThrownBy(() -> HostShape.of(machine, ShapeRequest.of(Division.parse("9"))))
                .isInstanceOf(PlacementException.class)
                .hasMessage("cannot make 9 parts of the 8 usable PUs 0-7: ask for 8 at most");
        for (String wrong : List.of("0", "l2", "-1", "", "numa ", "10000", "L3")) {
            assertThatThrownBy(() -> Division.parse(wrong))
                    .isInstanceOf(PlacementException.class)
                    .hasMessageContaining("choose l3, numa, package, or a number");
        }
    }
}

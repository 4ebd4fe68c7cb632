package org.berth.spark.executor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.berth.machines.Machines;
import org.berth.machines.RandomMachine;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.placement.internal.host.HostDivision;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** On a machine of two packages with a node each and 32 PUs, on all recorded machines and on many random ones. */
class HostDivisionTest {
    private static final long SEED = Long.getLong("berth.seed", System.nanoTime());
    private static final Topology TWO_NODES = TopologyXml.parse(Machines.xml("2x8x2"));

    private static HostDivision division(String level, int cpus, boolean alone) {
        return HostDivision.of(
                TWO_NODES,
                level.equals("auto") ? Optional.empty() : Optional.of(OrderedLevel.parse(level)),
                cpus,
                alone);
    }

    /** 0 CPUs: Spark has not told the size. */
    @ParameterizedTest
    @CsvSource({
        "auto, 16, false, NUMA, 2, 16", "auto,  4, false, NUMA, 2, 16", "auto, 10, false, NUMA, 1, 32",
        "auto, 17, false, NUMA, 1, 32", "auto,  0, false, NUMA, 1, 32", "auto,  4, true,  NUMA, 1, 32",
        "numa, 10, false, NUMA, 2, 16", "cpu,   8, false, PACKAGE,  2, 16", "core,  4, false, CORE, 8, 4",
        "core, 32, false, CORE, 1, 32", "pu,    1, false, PU,  32, 1", "pu,    2, false, PU,  16, 2",
        "none,  4, false, NONE, 1, 32", "pu,    4, true,  PU,   1, 32", "core, 99, false, CORE, 1, 32"
    })
    void hostWithTwoNodes(String level, int cpus, boolean alone, AffinityLevel chosen, int domains, int size) {
        HostDivision division = division(level, cpus, alone);
        assertThat(division.level().level()).isEqualTo(chosen);
        assertThat(division.domains().workers()).isEqualTo(domains);
        assertThat(IntStream.range(0, domains)
                        .map(domain -> division.domains().workerCpus(domain).size()))
                .containsOnly(size);
    }

    @Test
    void domainIsANodeOrWholeCores() {
        HostDivision nodes = division("auto", 8, false);
        for (int domain = 0; domain < 2; domain++) {
            assertThat(nodes.domains().workerCpus(domain))
                    .isEqualTo(
                            TWO_NODES.objects(ObjectType.NUMA_NODE).get(domain).cpuSet());
            assertThat(nodes.domains().workerNodes(domain).toArray()).containsExactly(domain);
        }
        HostDivision cores = division("core", 4, false);
        for (int domain = 0; domain < 8; domain++) {
            CpuSet cpus = cores.domains().workerCpus(domain);
            assertThat(TWO_NODES.objectsInside(cpus, ObjectType.CORE)).hasSize(2);
        }
    }

    @Test
    void reasonTellsWhatAndWhy() {
        assertThat(division("auto", 17, false).reason())
                .isEqualTo("it runs tasks on more CPUs than one memory node has; its tasks are spread over the 2 memory"
                        + " nodes");
        assertThat(division("auto", 10, false).reason())
                .isEqualTo("3 executors of 10 CPUs fit on this host but not into its memory nodes; its tasks are spread"
                        + " over the 2 memory nodes");
        Topology oneNode = TWO_NODES.withAllowed(
                TWO_NODES.objects(ObjectType.PACKAGE).get(1).cpuSet(), TWO_NODES.nodeSet());
        assertThat(HostDivision.of(oneNode, Optional.empty(), 2, false))
                .extracting(HostDivision::level, HostDivision::reason)
                .containsExactly(
                        OrderedLevel.of(AffinityLevel.NONE),
                        "auto binds nothing here, because CPUs " + oneNode.allowedCpuSet()
                                + " are one package with one memory node and no several L3 caches, where the kernel loses"
                                + " nothing by migrating threads; level core keeps each task on a core of its own");
    }

    /** Executors of so many CPUs on today's servers: how tasks are bound, how many domains there are, and their size. */
    @ParameterizedTest
    @CsvSource({
        // Two nodes of 8 caches of 16 CPUs: a cache, two of them, a node, all of the host.
        "epyc7003-nps1,  4, L3,   16,  16",
        "epyc7003-nps1, 16, L3,   16,  16",
        "epyc7003-nps1, 32, L3,    8,  32",
        "epyc7003-nps1, 64, L3,    4,  64",
        "epyc7003-nps1, 128, L3,   2, 128",
        "epyc7003-nps1, 200, L3,   1, 256",
        // 12 executors of 20 CPUs fit on the host and into its nodes, but 8 into pairs of caches; 25 of 10 into
        // neither.
        "epyc7003-nps1, 20, L3,    2, 128",
        "epyc7003-nps1, 10, L3,    1, 256",
        "epyc7003-nps4, 16, L3,   16,  16",
        "epyc7003-nps4, 32, L3,    8,  32",
        "epyc7003-nps4, 64, L3,    1, 256",
        // One node: 16 caches of 8 CPUs, 12 of 16.
        "epyc7002-nps1,  8, L3,   16,   8",
        "epyc7002-nps1, 16, L3,    8,  16",
        "epyc7002-nps1, 128, L3,   1, 128",
        "epyc9004-nps1, 16, L3,   12,  16",
        "epyc9004-nps1, 48, L3,    4,  48",
        "epyc9004-nps4, 48, L3,    4,  48",
        // A cache holds four nodes, or there is one for each node: nodes, as ever. One or no cache: nothing.
        "xeon-snc4,     28, NUMA,  8,  28",
        "grace,         72, NUMA,  2,  72",
        "graviton3,      8, NONE,  1,  64",
        "graviton-no-l3, 8, NONE,  1,  64",
        "x3d,           16, L3,    2,  16",
        "x3d,           32, L3,    1,  32",
        "20em64t-hybrid-1p6c2t+2ca4co1t, 4, NONE, 1, 20"
    })
    void autoKnowsCaches(String name, int cpus, AffinityLevel level, int domains, int size) {
        HostDivision division = HostDivision.of(TopologyXml.parse(Machines.xml(name)), Optional.empty(), cpus, false);
        assertThat(division.level().level()).as(division.reason()).isEqualTo(level);
        assertThat(division.domains().workers()).as(division.reason()).isEqualTo(domains);
        assertThat(IntStream.range(0, domains)
                        .map(domain -> division.domains().workerCpus(domain).size()))
                .containsOnly(size);
    }

    static List<String> machines() {
        return Stream.concat(Machines.names().stream(), Machines.servers().stream())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("machines")
    void domainsOfRecordedMachinesAreDisjointAndComplete(String name) {
        check(TopologyXml.parse(Machines.xml(name)), name, new Random(SEED));
    }

    @Test
    void domainsOfRandomMachinesAreDisjointAndComplete() {
        Random random = new Random(SEED);
        for (int i = 0; i < 40; i++) {
            long seed = random.nextLong();
            check(TopologyXml.parse(RandomMachine.xml(seed)), "random machine " + seed, random);
        }
    }

    private static void check(Topology whole, String name, Random random) {
        CpuSet some = CpuSet.of(whole.allowedCpuSet().intersection(whole.cpuSet()).stream()
                .filter(cpu -> random.nextInt(5) > 0)
                .toArray());
        Topology machine = some.isEmpty() ? whole : whole.withAllowed(some, whole.nodeSet());
        CpuSet allowed = machine.allowedCpuSet().intersection(machine.cpuSet());
        int cpus = 1 + random.nextInt(allowed.size());
        String what = name + " for " + cpus + " of CPUs " + allowed + ", seed " + SEED;
        for (OrderedLevel ordered : OrderedLevel.ALL) {
            AffinityLevel level = ordered.level();
            HostDivision division = HostDivision.of(machine, Optional.of(ordered), cpus, random.nextBoolean());
            CpuSet all = CpuSet.empty();
            for (int domain = 0; domain < division.domains().workers(); domain++) {
                CpuSet own = division.domains().workerCpus(domain);
                assertThat(all.intersects(own)).as(what).isFalse();
                all = all.union(own);
                if (level != AffinityLevel.NONE) {
                    assertThat(union(SlotTable.of(machine, ordered, own).cpus()))
                            .as(what)
                            .isEqualTo(own);
                }
            }
            assertThat(allowed.containsAll(all)).as(what).isTrue();
            if (level == AffinityLevel.CORE || level == AffinityLevel.PU) {
                assertThat(all).as(what).isEqualTo(allowed);
                assertThat(division.domains().workers()).as(what).isIn(1, allowed.size() / cpus);
            }
        }
    }

    private static CpuSet union(List<CpuSet> sets) {
        return sets.stream().reduce(CpuSet.empty(), CpuSet::union);
    }
}

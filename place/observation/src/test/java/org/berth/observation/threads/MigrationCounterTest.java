package org.berth.observation.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.observation.threads.SampleFixtures.at;
import static org.berth.observation.threads.SampleFixtures.counted;
import static org.berth.observation.threads.SampleFixtures.thread;

import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.berth.machines.Machines;
import org.berth.observation.ProcessSample;
import org.berth.observation.ThreadSnapshot;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MigrationCounterTest {
    @Test
    void everyLevelThatAMoveLeaves() {
        // 2 packages x 8 cores x 2 PUs: PU 16 is the second one of core 0, package 1 begins with PU 8.
        MigrationCounter counter = new MigrationCounter(machine("2x8x2"));
        counter.add(at(1, thread(7, 0, 1)));
        assertThat(counter.count()).isEqualTo(seen(0, 0, 0, 0, 0));
        counter.add(at(2, thread(7, 16, 2)));
        assertThat(counter.count()).isEqualTo(seen(1, 0, 0, 0, 0));
        counter.add(at(3, thread(7, 1, 3)));
        assertThat(counter.count()).isEqualTo(seen(2, 1, 0, 0, 0));
        counter.add(at(4, thread(7, 8, 4)));
        assertThat(counter.count()).isEqualTo(seen(3, 2, 1, 1, 1));
        counter.add(at(5, thread(7, 8, 5)));
        assertThat(counter.count()).isEqualTo(seen(3, 2, 1, 1, 1));
    }

    @Test
    void nodesInsideAPackage() {
        // 2 packages x 12 cores x 8 PUs with two nodes in each: 48 PUs a node, numbered core by core.
        MigrationCounter counter = new MigrationCounter(machine("2x12x8"));
        counter.add(at(1, thread(7, 47, 1)));
        counter.add(at(2, thread(7, 48, 2)));
        assertThat(counter.count()).isEqualTo(seen(1, 1, 1, 0, 1));
    }

    /** Each list of moves begins on the CPU before it; what shares a cache is as {@code hwloc-calc -I pu l3:0} says. */
    @ParameterizedTest
    @CsvSource({
        "48amd64-4d2n6c-sparse, 0 5, 1 1 0 0 0", // two L3 of six cores in a package
        "48amd64-4d2n6c-sparse, 0 6, 1 1 1 0 1",
        "8em64t-2s2ca2c, 0 4, 1 1 0 0 0", // no L3; L2 of two cores, with P#0 and P#4 in the first
        "8em64t-2s2ca2c, 0 2, 1 1 1 0 0",
        "8em64t-2s2ca2c, 0 1, 1 1 1 1 0",
        "20em64t-hybrid-1p6c2t+2ca4co1t, 0 19, 1 1 0 0 0", // one L3 over L2 of one core and of four
        "2arm-2c, 0 1, 1 1 0 0 0" // no cache is known
    })
    void theLastCacheIsTheOutermost(String machine, String path, String counts) {
        MigrationCounter counter = new MigrationCounter(machine(machine));
        int time = 0;
        for (String cpu : path.split(" ", -1)) {
            counter.add(at(++time, thread(7, Integer.parseInt(cpu), time)));
        }
        long[] moves =
                Stream.of(counts.split(" ", -1)).mapToLong(Long::parseLong).toArray();
        assertThat(counter.count()).isEqualTo(seen(moves[0], moves[1], moves[2], moves[3], moves[4]));
    }

    @Test
    void cpuThatTheTopologyDoesNotKnow() {
        MigrationCounter counter = new MigrationCounter(machine("2amd64-2n"));
        counter.add(at(1, thread(7, 0, 1)));
        counter.add(at(2, thread(7, 500, 2)));
        assertThat(counter.count()).isEqualTo(seen(1, 0, 0, 0, 0));
    }

    @Test
    void kernelCountsFromTheFirstSampleOrFromBirth() {
        MigrationCounter counter = new MigrationCounter(machine("2x8x2"));
        counter.add(at(1, counted(7, 0, 1, 100)));
        assertThat(counter.count().betweenCpus()).isZero();
        counter.add(at(2, counted(7, 0, 2, 104), counted(8, 0, 1, 3)));
        assertThat(counter.count().betweenCpus()).isEqualTo(4 + 3);
        assertThat(counter.count().source()).isEqualTo(MigrationCount.Source.KERNEL);
    }

    @Test
    void endedThreadsKeepTheirCount() {
        MigrationCounter counter = new MigrationCounter(machine("2x8x2"));
        counter.add(at(1, counted(7, 0, 1, 0), counted(8, 0, 1, 0)));
        counter.add(at(2, counted(7, 1, 2, 5), counted(8, 0, 2, 0)));
        counter.add(at(3, counted(8, 0, 3, 0)));
        assertThat(counter.count().betweenCpus()).isEqualTo(5);
        assertThat(counter.threads())
                .containsExactly(
                        new ThreadMigrations(7, "t7", false, new MigrationCount(1, 1, 0, 0, 0, OptionalLong.of(5))),
                        new ThreadMigrations(8, "t8", true, MigrationCount.ZERO));
    }

    @Test
    void newThreadWithTheNumberOfAnEndedOneIsNotAMove() {
        MigrationCounter counter = new MigrationCounter(machine("2x8x2"));
        counter.add(at(1, counted(7, 0, 1_000, 0)));
        counter.add(at(2, counted(7, 0, 2_000, 4)));
        counter.add(at(3, counted(7, 9, 50, 1)));
        assertThat(counter.count()).isEqualTo(new MigrationCount(0, 0, 0, 0, 0, OptionalLong.of(4 + 1)));
        assertThat(counter.threads()).hasSize(2);
    }

    @Test
    void oneThreadWithoutTheKernelsCountMakesTheSumSampled() {
        MigrationCounter counter = new MigrationCounter(machine("2x8x2"));
        counter.add(at(1, counted(7, 0, 1, 0), thread(8, 0, 1)));
        counter.add(at(2, counted(7, 0, 2, 9), thread(8, 1, 2)));
        assertThat(counter.count().source()).isEqualTo(MigrationCount.Source.SAMPLES);
        assertThat(counter.count().betweenCpus()).isEqualTo(1);
    }

    @Test
    void randomWalksCountedByArithmetic() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        MigrationCounter counter = new MigrationCounter(machine("2x12x8"));
        int[] cpus = IntStream.range(0, 20).map(i -> random.nextInt(192)).toArray();
        long[] moves = new long[5];
        counter.add(all(cpus, 0));
        for (int step = 1; step < 500; step++) {
            for (int i = 0; i < cpus.length; i++) {
                int to = random.nextBoolean() ? cpus[i] : random.nextInt(192);
                moves[0] += to != cpus[i] ? 1 : 0;
                moves[1] += to / 8 != cpus[i] / 8 ? 1 : 0;
                moves[2] += to / 8 != cpus[i] / 8 ? 1 : 0; // an L3 for each core
                moves[3] += to / 96 != cpus[i] / 96 ? 1 : 0;
                moves[4] += to / 48 != cpus[i] / 48 ? 1 : 0;
                cpus[i] = to;
            }
            counter.add(all(cpus, step));
        }
        assertThat(counter.count())
                .as("seed %d", seed)
                .isEqualTo(seen(moves[0], moves[1], moves[2], moves[3], moves[4]));
    }

    private static ProcessSample all(int[] cpus, int time) {
        return at(
                time,
                IntStream.range(0, cpus.length)
                        .mapToObj(i -> thread(i + 1, cpus[i], time))
                        .toArray(ThreadSnapshot[]::new));
    }

    private static MigrationCount seen(long cpus, long cores, long caches, long packages, long nodes) {
        return new MigrationCount(cpus, cores, caches, packages, nodes, OptionalLong.empty());
    }

    private static Topology machine(String name) {
        return TopologyXml.parse(Machines.xml(name));
    }
}

package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.berth.binding.discovery.DiscoveryFlag;
import org.berth.binding.discovery.DiscoveryOptions;
import org.berth.binding.errors.BindingException;
import org.berth.machines.ExpectedCounts;
import org.berth.machines.Machines;
import org.berth.oracle.Tool;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Live discovery on recorded /sys and /proc trees; hwloc takes the tree from the environment, so each has its JVM. */
@Tag("long")
@Tag("one-jdk")
class RecordedTreesTest {
    /** One of so many; each costs two starts of a program. */
    private static final int STEP = 6;

    static List<String> someMachines() {
        List<String> all = Machines.names();
        return IntStream.range(0, all.size())
                .filter(index -> index % STEP == 0)
                .mapToObj(all::get)
                .toList();
    }

    static List<String> otherMachines() {
        List<String> all = new ArrayList<>(Machines.names());
        all.removeAll(someMachines());
        return all;
    }

    @ParameterizedTest
    @MethodSource("someMachines")
    void liveDiscoveryCountsWhatLstopoCounts(String name) throws IOException, InterruptedException {
        assertCounts(name);
    }

    @ParameterizedTest
    @MethodSource("otherMachines")
    @Tag("release")
    void liveDiscoveryOfEachOtherTreeCountsWhatLstopoCounts(String name) throws IOException, InterruptedException {
        assertCounts(name);
    }

    private static void assertCounts(String name) throws IOException, InterruptedException {
        Map<String, String> environment =
                Map.of("HWLOC_FSROOT", Machines.tree(name).toString(), "HWLOC_COMPONENTS", "linux,stop", "LC_ALL", "C");
        JavaProcess java = JavaProcess.of(Describe.class).environment(environment);
        ExpectedCounts expected = Machines.expected(name);
        assertThat(java.run().split("\n"))
                .containsExactly(
                        describe(expected),
                        "cannot bind to the machine shown by hwloc: it is not the one that this process runs on;"
                                + " discover it without OBEY_ENVIRONMENT");
        Tool.require("lstopo-no-graphics");
        assertThat(Oracle.lstopoCount(environment, "pu")).isEqualTo(expected.pus());
        assertThat(Oracle.lstopoCount(environment, "core")).isEqualTo(expected.cores());
        assertThat(Oracle.lstopoCount(environment, "numanode")).isEqualTo(expected.numaNodes());
    }

    private static String describe(ExpectedCounts e) {
        return java.util.stream.Stream.of(e.packages(), e.dies(), e.numaNodes(), e.l3(), e.l2(), e.cores(), e.pus())
                        .map(String::valueOf)
                        .collect(Collectors.joining(" "))
                + " " + e.allowedCpus();
    }

    /** Prints the counts of the machine and why it cannot be bound to. */
    static final class Describe {
        private Describe() {}

        public static void main(String[] args) {
            LocalMachine machine =
                    LocalMachine.open(DiscoveryOptions.defaults().withFlags(DiscoveryFlag.OBEY_ENVIRONMENT));
            Topology t = machine.topology();
            System.out.println(t.count(ObjectType.PACKAGE) + " " + t.count(ObjectType.DIE) + " "
                    + t.count(ObjectType.NUMA_NODE) + " " + t.count(ObjectType.L3_CACHE) + " "
                    + t.count(ObjectType.L2_CACHE) + " " + t.count(ObjectType.CORE) + " " + t.count(ObjectType.PU) + " "
                    + t.allowedCpuSet());
            try {
                machine.binder();
            } catch (BindingException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}

package org.berth.binding.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import org.berth.binding.JavaProcess;
import org.berth.binding.LocalMachine;
import org.berth.binding.Oracle;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.machines.Machines;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.Cpuset;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;
import org.junit.jupiter.api.Test;
import org.lwjgl.system.Configuration;
import org.lwjgl.util.hwloc.HWLoc;

/** Each option changes what hwloc finds as it changes what lstopo finds. */
class DiscoveryOptionsTest {
    private static final DiscoveryOptions EVERYTHING = DiscoveryOptions.everything();

    @Test
    void typesAndFlagsAreThoseOfHwloc() {
        assertThat(Discovery.hwlocApiVersion()).isGreaterThanOrEqualTo(0x20800);
        Configuration.HWLOC_LIBRARY_NAME.set(NativeLibrary.hwloc());
        for (int i = HWLoc.HWLOC_OBJ_TYPE_MIN; i < HWLoc.HWLOC_OBJ_TYPE_MAX; i++) {
            ObjectType type = ObjectType.named(String.valueOf(HWLoc.hwloc_obj_type_string(i)))
                    .orElseThrow();
            for (int j = HWLoc.HWLOC_OBJ_TYPE_MIN; j < HWLoc.HWLOC_OBJ_TYPE_MAX; j++) {
                ObjectType other = ObjectType.named(String.valueOf(HWLoc.hwloc_obj_type_string(j)))
                        .orElseThrow();
                int theirs = HWLoc.hwloc_compare_types(i, j);
                if (theirs == HWLoc.HWLOC_TYPE_UNORDERED) {
                    assertThat(type.compareDepth(other)).isEmpty();
                } else {
                    assertThat(type.compareDepth(other)).as(type + " " + other).hasValue(Integer.signum(theirs));
                }
            }
        }
        assertThat(DiscoveryFlag.INCLUDE_DISALLOWED.bits()).isEqualTo(HWLoc.HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
        assertThat(DiscoveryFlag.RESTRICT_TO_CPU_BINDING.bits())
                .isEqualTo(HWLoc.HWLOC_TOPOLOGY_FLAG_RESTRICT_TO_CPUBINDING | HWLoc.HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM);
        assertThat(DiscoveryFlag.RESTRICT_TO_MEMORY_BINDING.bits())
                .isEqualTo(HWLoc.HWLOC_TOPOLOGY_FLAG_RESTRICT_TO_MEMBINDING | HWLoc.HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM);
        assertThat(DiscoveryFlag.NO_DISTANCES.bits()).isEqualTo(HWLoc.HWLOC_TOPOLOGY_FLAG_NO_DISTANCES);
        assertThat(DiscoveryFlag.NO_MEMORY_ATTRIBUTES.bits()).isEqualTo(HWLoc.HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS);
        assertThat(DiscoveryFlag.NO_CPU_KINDS.bits()).isEqualTo(HWLoc.HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS);
        assertThat(Discovery.number(TypeFilter.KEEP_ALL)).isEqualTo(HWLoc.HWLOC_TYPE_FILTER_KEEP_ALL);
        assertThat(Discovery.number(TypeFilter.KEEP_NONE)).isEqualTo(HWLoc.HWLOC_TYPE_FILTER_KEEP_NONE);
        assertThat(Discovery.number(TypeFilter.KEEP_STRUCTURE)).isEqualTo(HWLoc.HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
        assertThat(Discovery.number(TypeFilter.KEEP_IMPORTANT)).isEqualTo(HWLoc.HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
    }

    @Test
    void filteredTypesAreNotThere() throws Exception {
        Topology bare = Live.machine(EVERYTHING
                .filterCaches(TypeFilter.KEEP_NONE)
                .filterIo(TypeFilter.KEEP_NONE)
                .filter(ObjectType.CORE, TypeFilter.KEEP_NONE));
        Topology whole = Live.machine(EVERYTHING);
        for (ObjectType type : ObjectType.values()) {
            boolean filtered = type.isCache() || type.isIo() || type == ObjectType.CORE;
            if (filtered) {
                assertThat(bare.count(type)).as(type.toString()).isZero();
            } else if (type != ObjectType.GROUP) {
                assertThat(bare.count(type)).as(type.toString()).isEqualTo(whole.count(type));
            }
        }
        assertThat(Live.machine(EVERYTHING.filterInstructionCaches(TypeFilter.KEEP_NONE))
                        .count(ObjectType.L1I_CACHE))
                .isZero();
        assertThat(Live.machine(EVERYTHING.filterAll(TypeFilter.KEEP_NONE)).depth())
                .isEqualTo(2);
    }

    @Test
    void everythingIsWhatLstopoFindsWithoutItsFilters() throws Exception {
        Tool.require("lstopo-no-graphics");
        Topology whole = Live.machine(EVERYTHING);
        for (ObjectType type :
                new ObjectType[] {ObjectType.CORE, ObjectType.PU, ObjectType.BRIDGE, ObjectType.PCI_DEVICE}) {
            assertThat((long) whole.count(type))
                    .as(type.toString())
                    .isEqualTo(Oracle.lstopoCount(Map.of(), type.hwlocName(), "--filter", "all:all"));
        }
    }

    @Test
    void impossibleFiltersAreRefused() {
        assertThatThrownBy(() -> EVERYTHING.filter(ObjectType.PU, TypeFilter.KEEP_NONE))
                .hasMessageContaining("not for PU");
        assertThatThrownBy(() -> EVERYTHING.filter(ObjectType.BRIDGE, TypeFilter.KEEP_STRUCTURE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(EVERYTHING.filter(ObjectType.CORE, TypeFilter.KEEP_STRUCTURE).filter(ObjectType.CORE))
                .isEqualTo(TypeFilter.KEEP_STRUCTURE);
        assertThat(EVERYTHING.filter(ObjectType.CORE)).isEqualTo(TypeFilter.KEEP_ALL);
        assertThatThrownBy(() -> Live.machine(EVERYTHING.asSeenBy(1 << 22))).isInstanceOf(BindingException.class);
    }

    @Test
    void sectionsAreLeftOutOnDemand() throws IOException, InterruptedException {
        String lines = JavaProcess.of(CountSections.class)
                .environment("HWLOC_FSROOT", Machines.tree("fakeheteromemtiers").toString())
                .environment("HWLOC_COMPONENTS", "linux,stop")
                .run();
        assertThat(lines.lines()).containsExactly("true true", "false false");
    }

    /** Prints whether there are matrices and memory attributes, with and without the flags. */
    static final class CountSections {
        private CountSections() {}

        public static void main(String[] args) {
            Topology all = Live.machine(EVERYTHING.withFlags(DiscoveryFlag.OBEY_ENVIRONMENT));
            Topology few = Live.machine(EVERYTHING.withFlags(
                    DiscoveryFlag.NO_DISTANCES, DiscoveryFlag.NO_MEMORY_ATTRIBUTES, DiscoveryFlag.OBEY_ENVIRONMENT));
            for (Topology machine : new Topology[] {all, few}) {
                System.out.println(!machine.distances().isEmpty() + " "
                        + !machine.memoryAttributes().isEmpty());
            }
        }
    }

    @Test
    void theMaskRestrictsTheTreeOnDemand() throws Exception {
        int[] cpus = Machine.requireCpus(2);
        Tool.require("taskset");
        String lines = JavaProcess.of(PrintSets.class)
                .under("taskset", "-c", "" + cpus[1])
                .run();
        assertThat(lines.lines()).first().asString().isEqualTo("restricted " + cpus[1] + " of " + cpus[1]);
        assertThat(lines.lines().toList().get(1)).matches("default .*" + cpus[1] + ".* of " + cpus[1]);
    }

    @Test
    void theWholeMachineIsSeenFromInsideACpuset() throws Exception {
        int[] cpus = Machine.requireCpus(2);
        String whole = LocalMachine.open().topology().cpuSet().toString();
        try (Cpuset cpuset = Cpuset.of("" + cpus[1])) {
            String lines =
                    JavaProcess.of(PrintSets.class).under(cpuset.prefix()).run();
            assertThat(lines.lines())
                    .containsExactly(
                            "restricted " + cpus[1] + " of " + cpus[1],
                            "default " + cpus[1] + " of " + cpus[1],
                            "whole " + whole + " of " + cpus[1]);
        }
    }

    @Test
    void anotherProcessMayUseLess() throws Exception {
        int[] cpus = Machine.requireCpus(2);
        try (Cpuset cpuset = Cpuset.of("" + cpus[1])) {
            try (Child child = Child.start(cpuset.command("sleep", "600"))) {
                Await.until("the cpuset", () -> ProcStatus.of(child.pid()).cpus(), ("" + cpus[1])::equals);
                Topology seen = Live.machine(EVERYTHING.asSeenBy((int) child.pid()));
                assertThat(seen.allowedCpuSet()).hasToString("" + cpus[1]);
            }
        }
    }

    /** Prints which CPUs are in the tree and which of them are allowed. */
    static final class PrintSets {
        private PrintSets() {}

        public static void main(String[] args) {
            print("restricted", EVERYTHING.withFlags(DiscoveryFlag.RESTRICT_TO_CPU_BINDING));
            print("default", DiscoveryOptions.defaults());
            print("whole", EVERYTHING.withFlags(DiscoveryFlag.INCLUDE_DISALLOWED));
        }

        private static void print(String name, DiscoveryOptions options) {
            Topology machine = LocalMachine.open(options).topology();
            System.out.println(name + " " + machine.cpuSet() + " of " + machine.allowedCpuSet());
        }
    }
}

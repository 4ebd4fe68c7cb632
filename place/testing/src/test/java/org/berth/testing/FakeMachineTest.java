package org.berth.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.berth.binding.BoundPool;
import org.berth.binding.BoundScope;
import org.berth.binding.SlotBinder;
import org.berth.binding.discovery.Discovery;
import org.berth.binding.errors.BindingException;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.topology.CpuSet;
import org.berth.topology.FailureKind;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("one-jdk")
class FakeMachineTest {
    /** What hwloc makes of the same words is the oracle. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "pu:1",
                "core:4 pu:2",
                "pack:8 [numa] core:4 pu:2",
                "pack:2 numa:2 l3:2 core:4 pu:1",
                "pack:2 numa:1 core:2 pu:2",
                "[numa] pack:2 die:2 l2:2 core:2 pu:2",
                "numa:4(memory=2GB) core:2 pu:1",
                "pack:2 [numa(memory=512MiB)] l3:2 l2:2 l1d:1 l1i:1 core:1 pu:4"
            })
    void aDescriptionIsTheMachineThatHwlocMakesOfIt(String description) {
        Topology ours = FakeMachine.of(description).topology();
        Topology theirs = Discovery.synthetic(description);
        assertThat(ours).hasToString(theirs.toString());
        for (ObjectType type : ObjectType.values()) {
            assertThat(sets(ours, type)).as(type.toString()).isEqualTo(sets(theirs, type));
        }
        assertThat(ours.root().totalMemoryBytes()).isEqualTo(theirs.root().totalMemoryBytes());
        assertThat(ours.allowedCpuSet()).isEqualTo(theirs.allowedCpuSet());
        assertThat(ours.allowedNodeSet()).isEqualTo(theirs.allowedNodeSet());
    }

    private static List<String> sets(Topology machine, ObjectType type) {
        return machine.objects(type).stream()
                .map(object -> object.osIndex() + " " + object.cpuSet() + " " + object.nodeSet())
                .map(text -> type == ObjectType.PU || type == ObjectType.NUMA_NODE
                        ? text
                        : text.substring(text.indexOf(' ')))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "core:4",
                "4 2",
                "pack:2 castle:2 pu:1",
                "core:0 pu:1",
                "core:9999 pu:9",
                "[core] pu:2",
                "[numa] numa:2 pu:1",
                "core:2 pu:2(indexes=0,2,1,3)",
                "[numa(memory=-1)] pu:1",
                "[numa(memory=1xB)] pu:1",
                "[numa(size=1GB)] pu:1"
            })
    void whatIsNotUnderstoodIsOneLine(String description) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FakeMachine.of(description))
                .withMessageMatching("the machine \"[^\\n]*");
    }

    /** The first thread has the first core, in whatever order they come to run. */
    @RepeatedTest(20)
    void aPoolHasAThreadOnEachCore(@OnMachine("pack:8 [numa] core:4 pu:2") FakeMachine machine) throws Exception {
        try (BoundPool pool = BoundPool.onCores(machine, "worker")) {
            assertThat(pool.size()).isEqualTo(32);
            CyclicBarrier all = new CyclicBarrier(32);
            List<Future<?>> tasks = Stream.<Runnable>generate(() -> () -> await(all))
                    .limit(32)
                    .<Future<?>>map(pool::submit)
                    .toList();
            for (Future<?> task : tasks) {
                task.get();
            }
            assertThat(Stream.iterate(0, i -> i < 32, i -> i + 1).map(i -> machine.bound("worker-" + i)))
                    .containsExactlyElementsOf(machine.topology().allowedCores());
        }
        assertThat(machine.bound("worker-0")).isEqualTo(machine.topology().allowedCpuSet());
    }

    @Test
    void aProcessIsRecordedWithItsThreads(@OnMachine("pack:2 core:4 pu:1") FakeMachine machine) {
        String name = Thread.currentThread().getName();
        long own = ProcessHandle.current().pid();
        try (BoundScope outer = machine.binder().bindThread(CpuSet.of(7))) {
            assertThat(outer).isNotNull();
            try (BoundScope all = machine.binder().bindProcess(own, CpuSet.range(0, 3))) {
                assertThat(all).isNotNull();
                assertThat(machine.bound(name)).isEqualTo(CpuSet.range(0, 3));
                assertThat(machine.binder().threadCpus()).isEqualTo(CpuSet.range(0, 3));
            }
            assertThat(machine.bound(name)).isEqualTo(CpuSet.of(7));
        }
        assertThat(machine.history())
                .containsExactly(
                        Map.entry(name, CpuSet.of(7)),
                        Map.entry("process " + own, CpuSet.range(0, 3)),
                        Map.entry("process " + own, CpuSet.range(0, 7)),
                        Map.entry(name, CpuSet.range(0, 7)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> machine.bound("worker-O"))
                .withMessageContaining("threads with a try are [" + name + "]");
    }

    @Test
    void theAllowedCpusAreOfTheMachine() {
        FakeMachine machine = FakeMachine.of("core:2 pu:1");
        for (CpuSet none : List.of(CpuSet.empty(), CpuSet.of(99))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> machine.withAllowed(none))
                    .withMessageContaining("the machine has none of them, only 0-1");
        }
    }

    private static void await(CyclicBarrier all) {
        try {
            all.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aScopeIsRecordedAndUndone(@OnMachine(value = "core:4 pu:1", allowed = "1,3") FakeMachine machine) {
        String name = Thread.currentThread().getName();
        try (BoundScope bound = machine.binder().bindThread(CpuSet.of(3))) {
            assertThat(bound).isNotNull();
            assertThat(machine.bound(name)).isEqualTo(CpuSet.of(3));
            assertThat(machine.binder().threadCpus()).isEqualTo(CpuSet.of(3));
        }
        assertThat(machine.history()).containsExactly(Map.entry(name, CpuSet.of(3)), Map.entry(name, CpuSet.of(1, 3)));
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(() -> machine.binder().bindThread(CpuSet.of(0)))
                .withMessageContaining("CPUs 0 are not allowed here; this process may use CPUs 1,3")
                .satisfies(e -> assertThat(e.kind()).isEqualTo(FailureKind.NOT_ALLOWED));
    }

    @Test
    void aProgramSeesARefusalAndRunsOn(@OnMachine("core:2 pu:1") FakeMachine machine) throws Exception {
        machine.refuse(FailureKind.REFUSED_BY_KERNEL);
        try (BoundPool pool = BoundPool.of(SlotBinder.ofCores(machine), Thread::new)) {
            assertThat(pool.submit(() -> "ran").get()).isEqualTo("ran");
        }
        assertThat(machine.history()).isEmpty();
        machine.allow();
        machine.binder()
                .runBound(
                        CpuSet.of(1),
                        () -> assertThat(machine.binder().currentCpu()).isOne());
        assertThat(machine.history()).hasSize(2);
    }

    @Test
    void itWorksOnAnotherOperatingSystem() {
        Child.Result result = ChildJvm.of(Program.class)
                .with("-Dos.name=Mac OS X", "-Dos.arch=aarch64", "-Dorg.berth.native.path=/nonexistent")
                .run();
        assertThat(result.output().strip()).isEqualTo("0-1");
    }

    /** Prints where a task ran. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws Exception {
            FakeMachine machine = FakeMachine.of("pack:2 [numa] core:4 pu:2");
            try (BoundPool pool = BoundPool.onCores(machine, "worker")) {
                System.out.println(pool.submit(() -> machine.bound("worker-0")).get());
            }
        }
    }

    @Test
    void recordedMachinesAreThere(@OnMachine("256ppc-8n8s4t") FakeMachine machine) {
        assertThat(machine.topology().count(ObjectType.PU)).isEqualTo(256);
        assertThatIllegalArgumentException().isThrownBy(() -> FakeMachine.recorded("none"));
        assertThatIllegalArgumentException().isThrownBy(() -> FakeMachine.recorded("../x"));
    }
}

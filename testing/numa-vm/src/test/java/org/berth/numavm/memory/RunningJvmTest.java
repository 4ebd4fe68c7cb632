package org.berth.numavm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.berth.binding.LiveProcess;
import org.berth.binding.records.BindingRecords;
import org.berth.numavm.Guest;
import org.berth.numavm.GuestJava;
import org.berth.numavm.GuestJvm;
import org.berth.numavm.NumaMaps;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** JVMs that run already on node 0, bound to the last node from outside: masks and pages as the kernel shows them. */
@Tag(Guest.TAG)
@Tag("live")
@Timeout(400) // each command prints a line
class RunningJvmTest {
    /**
     * What may stay behind. The kernel passes over pages that somebody holds just then: 300 of 190,000 of a G1 JVM were
     * seen to stay, mostly it is none. One in a hundred is more than that, and far less than any part of the JVM that
     * would have been forgotten: its heap is over 60 %, its metaspace and code 10 %.
     */
    private static final double MOST_LEFT = 0.01;

    private static final Pattern FAR_PAGES =
            Pattern.compile("\"severity\" : \"warning\",\\s+\"check\" : \"page-locality\"");

    private final Topology machine = Guest.topology();
    private final int last = machine.nodeSet().last();
    private final CpuSet first = machine.numaNode(0).orElseThrow().cpuSet();
    private final CpuSet cpus = machine.numaNode(last).orElseThrow().cpuSet();

    static Stream<String> collectors() {
        boolean two = machineHasNodes(2);
        List<String> usual = Guest.isThorough() && two
                ? List.of("UseParallelGC", "UseG1GC", "UseZGC")
                : two ? List.of("UseZGC") : List.of();
        return Guest.collectors("live", usual).stream();
    }

    static boolean isThorough() {
        return Guest.isThorough() && hasSeveralNodes();
    }

    static boolean hasSeveralNodes() {
        return machineHasNodes(2) || machineHasNodes(4);
    }

    private static boolean machineHasNodes(int count) {
        return Guest.topology().nodeSet().size() == count;
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("collectors")
    void aRunningJvmBoundFromOutsideIsAllOnTheLastNodeAndIsGivenBack(String collector) throws Exception {
        Process process = start(first, collector);
        try (BufferedReader out = process.inputReader()) {
            LiveProcess live = widened(process, out);
            live.bind(cpus, Map.of());
            live.movePages(machine.nodeSet(), NodeSet.of(last));
            requireAllOn(process.pid(), cpus, last);
            requireGivenBack(live, process.pid());
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void berthBindMovesThePagesOfARunningJvmUnlessItIsToldNotTo() throws Exception {
        Process process = start(first, "UseSerialGC");
        try (BufferedReader out = process.inputReader()) {
            LiveProcess live = widened(process, out);
            String pid = "" + process.pid();
            if (last > 0) {
                String stay = GuestJava.berth(0, "bind", "--no-move", "--cpus", cpus.toString(), pid);
                assertThat(stay).contains("of its memory is on nodes 0");
                assertThat(ProcStatus.settledMasks(process.pid())).isEqualTo(Set.of(cpus.toString()));
                assertThat(mainNode(NumaMaps.anonymous(process.pid()))).isZero();
            }
            GuestJava.berth(0, "bind", "--cpus", cpus.toString(), pid);
            requireAllOn(process.pid(), cpus, last);
            requireGivenBack(live, process.pid());
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    @EnabledIf(value = "isThorough", disabledReason = "takes half a minute: before a release")
    void theDoctorReportsPagesThatAreFarFromTheCpus() throws Exception {
        Process process = start(first, "UseSerialGC");
        try (BufferedReader out = process.inputReader()) {
            widened(process, out).bind(cpus, Map.of());
            assertThat(GuestJava.berth(1, "doctor", "--json", "" + process.pid()))
                    .containsPattern(FAR_PAGES);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** On node 0, and then free to go everywhere. */
    private LiveProcess widened(Process process, BufferedReader out) throws Exception {
        assertThat(out.readLine()).isEqualTo("ready");
        assertThat(ProcStatus.settledMasks(process.pid())).as("masks before").isEqualTo(Set.of(first.toString()));
        assertThat(mainNode(NumaMaps.anonymous(process.pid())))
                .as("main node before")
                .isZero();
        LiveProcess live = LiveProcess.of(process.pid(), BindingRecords.ofUser());
        assertThat(live.widen()).as("all CPUs").isEqualTo(machine.cpuSet());
        return live;
    }

    private void requireGivenBack(LiveProcess live, long pid) {
        live.unbind();
        assertThat(ProcStatus.settledMasks(pid))
                .as("masks given back")
                .isEqualTo(Set.of(machine.cpuSet().toString()));
    }

    @Test
    @EnabledIf("hasSeveralNodes")
    void twoRunningJvmsAreDealtOutOverTwoNodes() throws Exception {
        Process one = start(machine.cpuSet(), "UseSerialGC");
        Process other = start(machine.cpuSet(), "UseSerialGC");
        try (BufferedReader out = one.inputReader();
                BufferedReader otherOut = other.inputReader()) {
            assertThat(List.of(out.readLine(), otherOut.readLine())).containsOnly("ready");
            GuestJava.berth(0, "bind", "--no-move", "--domain", "numa", "" + one.pid(), "" + other.pid());
            Set<String> oneMasks = ProcStatus.settledMasks(one.pid());
            Set<String> otherMasks = ProcStatus.settledMasks(other.pid());
            assertThat(oneMasks).isEqualTo(Set.of(first.toString()));
            assertThat(otherMasks).hasSize(1).isNotEqualTo(oneMasks);
        } finally {
            one.destroyForcibly().waitFor();
            other.destroyForcibly().waitFor();
        }
    }

    private static void requireAllOn(long pid, CpuSet cpus, int node) throws Exception {
        assertThat(ProcStatus.settledMasks(pid)).as("masks after").isEqualTo(Set.of(cpus.toString()));
        Map<Integer, Long> pages = NumaMaps.anonymous(pid);
        System.out.println("pages after the move: " + pages);
        long all = pages.values().stream().mapToLong(Long::longValue).sum();
        assertThat(all > NumaMaps.pagesOf(32 << 20))
                .as("only " + pages + " pages")
                .isTrue();
        assertThat(all - pages.getOrDefault(node, 0L) <= all * MOST_LEFT)
                .as("pages " + pages + " after the move")
                .isTrue();
    }

    private static Process start(CpuSet cpus, String collector) throws IOException {
        List<String> command = new ArrayList<>(List.of("taskset", "-c", cpus.toString()));
        command.addAll(GuestJava.command());
        command.addAll(
                List.of("-XX:+" + collector, "-Xms32m", "-Xmx32m", "-XX:+AlwaysPreTouch", "-XX:TieredStopAtLevel=1"));
        command.add(GuestJvm.Sleeping.class.getName());
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static int mainNode(Map<Integer, Long> pages) {
        return pages.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }
}

package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.CpuTicks;
import org.berth.oracle.KernelList;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.berth.placement.EdgeChange;
import org.berth.placement.EdgeRecording;
import org.berth.placement.EdgeSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A thread that a rule of the agent gives a slot with a soft edge, real load on its CPU, and masks from /proc. The agent
 * decides in C; {@link org.berth.placement.SoftEdges} must decide the same by the agent's samples.
 */
@Tag("one-jdk")
@Timeout(900)
class AgentEdgesTest {
    /** Ticks of the kernel, of 10 ms: 40 times what an edge takes to open. */
    private static final long ENOUGH_IDLE_TICKS = 400;

    private static final long ENOUGH_TICKS = 2000;
    private static final Pattern MESSAGE =
            Pattern.compile("berth: the edge of slot (\\d+) \\(CPUs \\S+\\) (closes|opens again): its threads (.*)");

    @TempDir
    Path work;

    private final List<Process> load = new ArrayList<>();
    private int own;
    private int other;

    @BeforeEach
    void needTwoCpus() {
        int[] cpus = Machine.requireCpus(2);
        own = cpus[0];
        other = cpus[1];
        Tool.require("taskset");
    }

    @AfterEach
    void end() {
        load.forEach(Process::destroyForcibly);
    }

    /** One line with the kernel's id of a thread that works until the input ends. */
    static final class Spins {
        private Spins() {}

        public static void main(String[] args) throws IOException {
            Thread spinning = new Thread(
                    () -> {
                        System.out.println(ProcStatus.callingThread().tid());
                        while (true) {
                            Thread.onSpinWait();
                        }
                    },
                    "spin-1");
            spinning.setDaemon(true);
            spinning.start();
            System.in.read();
            System.out.println("ended");
        }
    }

    private JavaProcess agent(String options) {
        return JavaProcess.of(Spins.class)
                .option("-agentpath:" + NativeLibrary.file() + "=cpus=" + own + "," + other + "," + options);
    }

    @Test
    void aThreadLeavesACpuWithOtherLoadAndReturnsAfterIt() throws Exception {
        Path recording = work.resolve("edges");
        String both = KernelList.of(own, other);
        String options = "rule=spin-*,edge=soft,edge-record=" + recording + ",verbose,strict";
        try (Child jvm = agent(options).start()) {
            int tid = Integer.parseInt(jvm.readLine());
            awaitMask(jvm, tid, "" + own);

            for (int i = 0; i < 2; i++) {
                load.add(new ProcessBuilder("taskset", "-c", "" + own, "sh", "-c", "while :; do :; done").start());
            }
            awaitOpenOrBusyElsewhere(jvm, tid);
            awaitMask(jvm, tid, both);
            Await.until("the thread on the other CPU", () -> lastCpu(jvm, tid) == other);

            load.forEach(Process::destroyForcibly);
            awaitMask(jvm, tid, "" + own);
            assertThat(jvm.ask("end")).isEqualTo("ended");
            assertThat(jvm.exitCode()).isZero();

            List<EdgeChange> changes = changes(jvm);
            assertThat(changes).extracting(EdgeChange::open).contains(true, false);
            // The process may end between a sample and the message of what it leads to.
            assertThat(replay(Path.of(recording + "." + jvm.pid())))
                    .as("the decisions of SoftEdges by the samples of the agent")
                    .hasSizeBetween(changes.size(), changes.size() + 2)
                    .startsWith(changes.toArray(new EdgeChange[0]));
        }
    }

    private static List<EdgeChange> replay(Path file) throws IOException {
        return EdgeRecording.parse(Files.readString(file)).replay(EdgeSettings.defaults()).stream()
                .map(EdgeRecording.Event::change)
                .toList();
    }

    @Test
    void anEdgeOfARuleAloneAndOneOfAllOthers() throws Exception {
        try (Child jvm = agent("rule=spin-*->slot hard,edge=soft,strict").start()) {
            int tid = Integer.parseInt(jvm.readLine());
            assertThat(mask(jvm, tid)).isEqualTo("" + own);
            assertThat(ProcStatus.threads(jvm.pid()))
                    .extracting(ProcStatus::name)
                    .doesNotContain("berth-edges");
        }
        try (Child jvm = agent("rule=spin-*->slot soft,strict").start()) {
            int tid = Integer.parseInt(jvm.readLine());
            awaitMask(jvm, tid, "" + own);
            assertThat(ProcStatus.threads(jvm.pid()))
                    .extracting(ProcStatus::name)
                    .contains("berth-edges");
        }
    }

    @Test
    void anEdgeWithNothingAroundItIsTold() throws Exception {
        other = own;
        try (Child jvm = agent("rule=spin-*,edge=soft").start()) {
            int tid = Integer.parseInt(jvm.readLine());
            assertThat(mask(jvm, tid)).isEqualTo("" + own);
            assertThat(jvm.errors())
                    .contains(
                            "berth: edge=soft has no effect: each slot has all CPUs that share its last-level cache, its"
                                    + " node or this process");
        }
    }

    private static List<EdgeChange> changes(Child jvm) {
        List<EdgeChange> changes = new ArrayList<>();
        for (String line : jvm.errors().lines().toList()) {
            Matcher matcher = MESSAGE.matcher(line);
            if (matcher.matches()) {
                changes.add(new EdgeChange(
                        Integer.parseInt(matcher.group(1)), matcher.group(2).equals("opens again"), matcher.group(3)));
            }
        }
        return changes;
    }

    /** Where this machine has other work on the second CPU all the time, the edge rightly stays closed. */
    private void awaitOpenOrBusyElsewhere(Child jvm, int tid) {
        Map<Integer, CpuTicks> before = CpuTicks.now();
        Await.until(
                "an edge that opens",
                () -> isOpen(jvm, tid)
                        || CpuTicks.since(before, other).idle() > ENOUGH_IDLE_TICKS
                        || CpuTicks.since(before, own).all() > ENOUGH_TICKS);
        assumeFalse(
                !isOpen(jvm, tid) && CpuTicks.since(before, other).idle() <= ENOUGH_IDLE_TICKS,
                "CPU " + other + " is hardly ever idle, because of other processes");
    }

    private boolean isOpen(Child jvm, int tid) {
        return mask(jvm, tid).equals(KernelList.of(own, other));
    }

    private static String mask(Child jvm, int tid) {
        return ProcStatus.of(jvm.pid(), tid).cpus();
    }

    private static void awaitMask(Child jvm, int tid, String cpus) {
        Await.until("mask " + cpus, () -> mask(jvm, tid), cpus::equals);
    }

    private static int lastCpu(Child jvm, int tid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + jvm.pid() + "/task/" + tid + "/stat"));
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[36]);
    }
}

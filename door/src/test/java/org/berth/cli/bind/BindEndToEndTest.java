package org.berth.cli.bind;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.berth.binding.LocalMachine;
import org.berth.cli.CommandLines;
import org.berth.cli.LiveSubject;
import org.berth.machines.JsonValues;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.Child.Result;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real processes bound and unbound by the command; what came of it is read from /proc. */
@Timeout(240)
class BindEndToEndTest {
    private static final int FROM = LiveSubject.LONG_NAME.length();

    private final int[] cpus;
    private final CpuSet both;

    BindEndToEndTest() {
        cpus = Machine.requireCpus(2);
        both = CpuSet.of(cpus[0], cpus[1]);
    }

    @Test
    void bindsARunningJvmAndGivesBackWhatWasThere() throws Exception {
        try (LiveSubject jvm = LiveSubject.jvm(List.of("taskset", "-c", both.toString()))) {
            Map<Integer, CpuSet> before = jvm.masks();
            Result bound = CommandLines.run("bind", "--cpus", "" + cpus[1], jvm.pidWord());
            // A user without a home is told where the masks are.
            assertThat(bound.err().lines()).allMatch(line -> line.startsWith("berth: note: the previous masks"));
            assertThat(bound.exitCode()).isZero();
            assertThat(jvm.masks().values()).hasSameSizeAs(before.keySet()).containsOnly(CpuSet.of(cpus[1]));
            assertThat(bound.out())
                    .contains("(process " + jvm.pid() + "), may use CPUs " + both)
                    .contains("threads before: " + before.size() + " on CPUs " + both)
                    .contains("threads after:  " + before.size() + " on CPUs " + cpus[1])
                    .contains("memory after:   node ");

            Result unbound = CommandLines.run("unbind", jvm.pidWord());
            assertThat(unbound.exitCode()).as(unbound.err()).isZero();
            assertThat(jvm.masks()).containsAllEntriesOf(before);
            assertThat(unbound.out()).contains("threads after:  " + before.size() + " on CPUs " + both);

            Result again = CommandLines.run("unbind", jvm.pidWord());
            assertThat(again.exitCode()).isEqualTo(1);
            assertThat(again.err())
                    .isEqualTo("berth: no masks are recorded for process " + jvm.pid() + ": only a 'berth bind'"
                            + " of the same user can be undone; --to-cpuset allows all CPUs of its cpuset\n");
        }
    }

    /** Its folder in /proc has no memory any more, and those of its threads have. */
    @Test
    void aProcessWhoseFirstThreadHasEndedHasMemory() throws Exception {
        Machine.requireNuma();
        Tool.require("python3");
        String program = "import ctypes, threading, time; threading.Thread(target=time.sleep, args=(600,)).start();"
                + " print('ready', flush=True); ctypes.CDLL(None).pthread_exit(None)";
        try (Child headless = Child.start("python3", "-c", program)) {
            headless.readLine();
            String pid = Long.toString(headless.pid());
            Await.untilAsserted(
                    "its end",
                    () -> assertThat(ProcStatus.of(headless.pid()).field("State"))
                            .startsWith("Z"));
            Result bound = CommandLines.run("bind", "--cpus", "" + cpus[1], pid);
            assertThat(bound.exitCode()).as(bound.err()).isZero();
            assertThat(bound.out()).contains("memory after:   node ");
        }
    }

    @Test
    void aZombieCannotBeBound() {
        try (Child parent = Child.start("sh", "-c", "sleep 0.5 & echo $!; exec sleep 600")) {
            String pid = parent.readLine();
            Await.untilAsserted(
                    "its end",
                    () -> assertThat(ProcStatus.of(Long.parseLong(pid)).field("State"))
                            .startsWith("Z"));
            for (String command : List.of("bind --cpus " + cpus[1], "unbind --to-cpuset", "doctor")) {
                List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
                words.add(pid);
                Result result = CommandLines.run(words.toArray(String[]::new));
                assertThat(result.exitCode()).as(command).isEqualTo(1);
                assertThat(result.err()).as(command).contains("no process " + pid + ": it has ended, and its parent");
            }
        }
    }

    /** The JSON names the nodes to which pages go. */
    @Test
    void memoryNamesItsNodes() throws Exception {
        String node =
                Integer.toString(LocalMachine.open().topology().allowedNodeSet().last());
        try (LiveSubject jvm = LiveSubject.jvm(List.of("taskset", "-c", both.toString()))) {
            Result bound = CommandLines.run(
                    "bind", "--cpus", "" + cpus[1], "--memory", "bind:" + node, "--json", jvm.pidWord());
            assertThat(bound.exitCode()).as(bound.err()).isZero();
            assertThat(jvm.masks().values()).containsOnly(CpuSet.of(cpus[1]));
            assertThat(bound.out())
                    .contains("\"nodes\" : \"" + node + "\"")
                    .as("without rules")
                    .doesNotContain("availableProcessors");
        }
    }

    /** All other threads keep the CPUs that they have. */
    @ParameterizedTest
    @ValueSource(strings = {"--cpus CPUS", "--level pu", ""})
    void threadsGetSlotsByTheirCompleteNames(String where) throws Exception {
        try (LiveSubject jvm = LiveSubject.jvm(List.of("taskset", "-c", both.toString()))) {
            List<String> words = new ArrayList<>(List.of("bind"));
            words.addAll(List.of(where.replace("CPUS", both.toString()).split(" ", 0)));
            words.remove("");
            words.addAll(List.of("--rule", LiveSubject.LONG_NAME + "?", "--json", jvm.pidWord()));
            Result bound = CommandLines.run(words.toArray(String[]::new));
            assertThat(bound.exitCode()).as(bound.err()).isZero();
            assertThat(bound.out())
                    .contains(
                            "in a bound thread availableProcessors() is 1, also for the pools that it makes; ",
                            "'berth run --rules'");
            List<Map<?, ?>> slots = slots(bound);
            Map<String, Integer> byName = new TreeMap<>();
            Map<CpuSet, Integer> counts = new TreeMap<>((one, other) -> one.compareFirst(other));
            for (Map<?, ?> slot : slots) {
                int tid = ((Number) JsonValues.field(slot, "tid")).intValue();
                byName.put((String) JsonValues.field(slot, "name"), tid);
                assertThat(jvm.names().get(tid))
                        .isEqualTo(LiveSubject.LONG_NAME.substring(0, 15).strip());
                counts.merge(jvm.masks().get(tid), 1, Integer::sum);
            }
            assertThat(byName)
                    .hasSize(LiveSubject.WORKERS)
                    .allSatisfy((name, tid) -> assertThat(name.substring(FROM)).matches("[0-3]"));
            assertThat(counts)
                    .containsExactly(
                            Map.entry(CpuSet.of(cpus[0]), LiveSubject.WORKERS / 2),
                            Map.entry(CpuSet.of(cpus[1]), LiveSubject.WORKERS / 2));
            Map<Integer, CpuSet> others = jvm.masks();
            others.keySet().removeAll(byName.values());
            assertThat(others.values()).hasSizeGreaterThan(5).containsOnly(both);
        }
    }

    @Test
    void aRuleThatMatchesNoThreadIsRefused() throws Exception {
        try (LiveSubject jvm = LiveSubject.jvm(List.of("taskset", "-c", both.toString()))) {
            for (String[] more : new String[][] {{"--level", "core"}, {"--level", "core", "--threads", "2"}}) {
                List<String> words = new ArrayList<>(List.of("bind"));
                words.addAll(List.of(more));
                words.addAll(List.of("--rule", LiveSubject.LONG_NAME + "?", "--rule", "a nmae of*", jvm.pidWord()));
                Result refused = CommandLines.run(words.toArray(String[]::new));
                assertThat(refused.exitCode()).isEqualTo(1);
                assertThat(refused.out()).isEmpty();
                assertThat(refused.err())
                        .isEqualTo("berth: cannot bind process " + jvm.pid() + ": no thread matches rule 'a nmae of*';"
                                + " nothing was changed ('jcmd " + jvm.pid() + " Thread.print' lists the names)\n");
                assertThat(jvm.masks().values()).containsOnly(both);
            }
            assertThat(CommandLines.run("unbind", jvm.pidWord()).exitCode()).isEqualTo(1);
        }
    }

    @Test
    void aJvmInAPidNamespaceOfItsOwnIsUnderstood() throws Exception {
        Machine.requireRoot();
        Tool.require("unshare");
        try (LiveSubject unshare =
                LiveSubject.jvm(List.of("unshare", "--pid", "--fork", "--kill-child"), "-XX:-UsePerfData")) {
            int pid = unshare.javaPid();
            assertThat(pid).isNotEqualTo(unshare.pid());
            Result bound = CommandLines.run(
                    "bind", "--cpus", "" + cpus[0], "--rule", LiveSubject.LONG_NAME + "?", "--json", "" + pid);
            assertThat(bound.exitCode()).as(bound.err()).isZero();
            assertThat(slots(bound)).hasSize(LiveSubject.WORKERS);
            assertThat(LiveSubject.masks(pid).values()).containsOnly(CpuSet.of(cpus[0]));
        }
    }

    @Test
    void whoCannotBeAskedIsMatchedByTheKernelsNames() throws Exception {
        // Without a handler of SIGQUIT an attach would end the JVM.
        try (LiveSubject jvm = LiveSubject.jvm(List.of(), "-Xrs")) {
            Result unclear = CommandLines.run(
                    "bind", "--cpus", both.toString(), "--rule", LiveSubject.LONG_NAME + "*", jvm.pidWord());
            assertThat(unclear.exitCode()).as(unclear.err()).isEqualTo(1);
            assertThat(unclear.err())
                    .startsWith("berth: cannot bind process " + jvm.pid() + ": no thread surely matches rule '"
                            + LiveSubject.LONG_NAME + "*': complete thread names are unknown (the JVM does not handle"
                            + " SIGQUIT (-Xrs, or it is still starting), so it cannot be asked), so the rules were"
                            + " compared with the 15 bytes that the kernel keeps; 4 threads might match");
            assertThat(jvm.masks().values()).containsOnly(both);
            Result clear = CommandLines.run("bind", "--cpus", both.toString(), "--rule", "a name of*", jvm.pidWord());
            assertThat(clear.exitCode()).as(clear.err()).isZero();
            List<CpuSet> single = new ArrayList<>(jvm.masks().values());
            single.removeIf(both::equals);
            assertThat(single).hasSize(LiveSubject.WORKERS);
        }
    }

    /** A pending SIGQUIT would print all threads when the JVM goes on. */
    @Test
    void aStoppedJvmIsNotAsked() throws Exception {
        try (LiveSubject jvm = LiveSubject.jvm(List.of())) {
            new ProcessBuilder("kill", "-STOP", jvm.pidWord()).start().waitFor();
            // Each thread stops when it next runs in the kernel, which is later on a busy machine.
            Await.until(
                    "each thread is stopped",
                    () -> ProcStatus.threads(jvm.pid()).stream()
                            .allMatch(thread -> thread.field("State").startsWith("T")));
            Result clear = CommandLines.run("bind", "--cpus", both.toString(), "--rule", "a name of*", jvm.pidWord());
            assertThat(clear.exitCode()).as(clear.err()).isZero();
            assertThat(clear.err()).contains("the process is stopped (SIGSTOP), so the JVM cannot answer");
            assertThat(ProcStatus.of(jvm.pid()).field("ShdPnd")).isEqualTo("0000000000000000");
            new ProcessBuilder("kill", "-CONT", jvm.pidWord()).start().waitFor();
        }
    }

    @Test
    void severalProcessesAreDealtOut() throws Exception {
        try (LiveSubject one = LiveSubject.sleep(List.of("taskset", "-c", both.toString()));
                LiveSubject other = LiveSubject.sleep(List.of("taskset", "-c", both.toString()))) {
            Result bound = CommandLines.run("bind", "--domain", "core:1", "--quiet", one.pidWord(), other.pidWord());
            assertThat(bound.exitCode()).as(bound.err()).isZero();
            assertThat(bound.out()).isEmpty();
            assertThat(one.masks().values())
                    .hasSize(1)
                    .first()
                    .isNotEqualTo(other.masks().values().iterator().next());
        }
    }

    /** A host without a folder for leases has parts all the same. */
    @Test
    void withoutLeasesNoPartIsAvoided() throws Exception {
        try (LiveSubject sleep = LiveSubject.sleep(List.of("taskset", "-c", both.toString()))) {
            Result bound = CommandLines.fork(
                    List.of(),
                    Map.of("BERTH_LEASES", "/proc/no-folder"),
                    "bind",
                    "--domain",
                    "core:1",
                    "--quiet",
                    sleep.pidWord());
            assertThat(bound.exitCode()).as(bound.err()).isZero();
            assertThat(bound.err()).startsWith("berth: note: parts that others hold by a lease are not avoided: ");
            assertThat(sleep.masks().values())
                    .allSatisfy(mask -> assertThat(both.containsAll(mask)).isTrue());
        }
    }

    @Test
    void namesOfAProgramThatIsNoJvmAreNotForJcmd() throws Exception {
        try (LiveSubject sleep = LiveSubject.sleep(List.of())) {
            Result refused = CommandLines.run("bind", "--rule", "nothing-*", "--cpus", "" + cpus[0], sleep.pidWord());
            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.err())
                    .contains("'ps -T -p " + sleep.pid() + "' lists the names")
                    .doesNotContain("Thread.print");
        }
    }

    @Test
    void aDryRunChangesNothing() throws Exception {
        try (LiveSubject sleep = LiveSubject.sleep(List.of("taskset", "-c", both.toString()))) {
            Result shown = CommandLines.run("bind", "--domain", "core:1", "--dry-run", sleep.pidWord());
            assertThat(shown.exitCode()).as(shown.err()).isZero();
            assertThat(shown.out())
                    .contains("threads now:    1 on CPUs " + both)
                    .contains("would go to:    CPUs ");
            assertThat(sleep.masks().values()).containsExactly(both);
            assertThat(CommandLines.run("unbind", sleep.pidWord()).exitCode()).isEqualTo(1);
        }
    }

    @Test
    void whatTheProcessInheritedIsNotLeft() throws Exception {
        try (LiveSubject sleep = LiveSubject.sleep(List.of("taskset", "-c", "" + cpus[0]))) {
            Result refused = CommandLines.run("bind", "--cpus", both.toString(), sleep.pidWord());
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.err())
                    .isEqualTo("berth: --cpus " + both + ": process " + sleep.pid() + " may not use CPU " + cpus[1]
                            + "; choose from " + cpus[0]
                            + ", or give it all CPUs of its cpuset first: berth unbind --to-cpuset "
                            + sleep.pid() + "\n");
            Result widened = CommandLines.run("unbind", "--to-cpuset", sleep.pidWord());
            assertThat(widened.exitCode()).as(widened.err()).isZero();
            assertThat(sleep.masks().values())
                    .allSatisfy(mask -> assertThat(mask.containsAll(both)).isTrue());
        }
    }

    @Test
    void aPolicyForNewPagesIsSaidToBeOutOfReach() throws Exception {
        try (LiveSubject sleep = LiveSubject.sleep(List.of())) {
            Result bound = CommandLines.run("bind", "--domain", "core:1", "--memory", "bind", sleep.pidWord());
            assertThat(bound.exitCode()).as(bound.err()).isZero();
            assertThat(bound.err())
                    .startsWith("berth: note: memory bind: in a running process only present pages can be migrated")
                    .contains("set_mempolicy");
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Map<?, ?>> slots(Result result) {
        Map<String, Object> json = JsonValues.object(result.out());
        assertThat(json).containsEntry("format", "berth-bind");
        List<Map<?, ?>> processes = (List<Map<?, ?>>) JsonValues.field(json, "processes");
        return (List<Map<?, ?>>) JsonValues.field(processes.get(0), "slots");
    }

    /** With hidepid=1 a process of another user is there, and its files are closed: it must not be told as one that has ended. */
    @Test
    void aProcessThatProcHidesHasNotEnded() throws Exception {
        Machine.requireRoot();
        Tool.require("setpriv", "unshare");
        try (LiveSubject sleep = LiveSubject.sleep(List.of())) {
            List<String> hidden = List.of(
                    "unshare",
                    "-m",
                    "sh",
                    "-c",
                    "mount -t proc -o hidepid=1 proc /proc && exec \"$@\"",
                    "sh",
                    "setpriv",
                    "--regid=65534",
                    "--clear-groups",
                    "--bounding-set=-all",
                    "--inh-caps=-all");
            Result result = CommandLines.fork(
                    hidden, Map.of(), "bind", "--cpus", Integer.toString(cpus[0]), Long.toString(sleep.pid()));
            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.err()).hasLineCount(1).contains("hidepid").doesNotContain("ESRCH");
        }
    }
}

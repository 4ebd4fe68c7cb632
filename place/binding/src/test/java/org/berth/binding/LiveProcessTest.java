package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.ids.ProcessIdentity;
import org.berth.binding.records.BindingRecords;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.Cpuset;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LiveProcessTest {
    private final int[] cpus = Machine.requireCpus(2);
    private final String both = CpuSet.of(cpus[0], cpus[1]).toString();

    @TempDir
    private Path folder;

    private BindingRecords records() {
        return BindingRecords.below(folder);
    }

    @Test
    void refusesAThreadOfTheKernel() throws Exception {
        // kthreadd, which a container does not see.
        Path comm = Path.of("/proc/2/comm");
        assumeTrue(Files.exists(comm) && Files.readString(comm).equals("kthreadd\n"), "no kernel thread is seen here");
        String before = ProcStatus.of(2).cpus();
        assertThatThrownBy(() -> LiveProcess.of(2, records()))
                .isInstanceOf(BindingException.class)
                .hasMessageContaining("it is a thread of the kernel");
        assertThat(ProcStatus.of(2).cpus()).isEqualTo(before);
    }

    @Test
    void tellsThatTheProcessHasEndedMeanwhile() throws Exception {
        Child child = Child.start("sleep", "600");
        LiveProcess live = LiveProcess.of(child.pid(), records());
        child.close();
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(live::topology)
                .withMessage("cannot find process " + child.pid()
                        + ": ESRCH (no such process or thread); ps -e lists the processes that live");
    }

    @Test
    void bindsAJvmFromOutsideAndGivesBackWhatEachThreadHad() throws Exception {
        try (Child jvm =
                JavaProcess.of(Workers.class).under("taskset", "-c", both).start()) {
            assertThat(jvm.readLine()).isEqualTo("ready");
            int odd = thread(jvm.pid(), "worker-1");
            taskset(cpus[1], odd);
            Map<Integer, String> before = ProcStatus.masks(jvm.pid());
            assertThat(before.get(odd)).isEqualTo("" + cpus[1]);

            LiveProcess live = LiveProcess.of(jvm.pid(), records());
            live.bind(CpuSet.of(cpus[0]), Map.of(thread(jvm.pid(), "worker-2"), CpuSet.of(cpus[1])));
            Map<Integer, String> bound = ProcStatus.masks(jvm.pid());
            assertThat(bound.remove(thread(jvm.pid(), "worker-2"))).isEqualTo("" + cpus[1]);
            assertThat(bound.values()).hasSizeGreaterThan(8).containsOnly("" + cpus[0]);

            // Another process of ours, later: what was before is in the record alone.
            LiveProcess later = LiveProcess.of(jvm.pid(), records());
            later.bind(CpuSet.of(cpus[1]), Map.of());
            assertThat(ProcStatus.masks(jvm.pid()).values()).containsOnly("" + cpus[1]);
            assertThat(jvm.ask("start")).isEqualTo("started");
            assertThat(later.unbind()).hasToString(both);

            Map<Integer, String> after = ProcStatus.masks(jvm.pid());
            assertThat(after.remove(thread(jvm.pid(), "late")))
                    .as("the leader's")
                    .isEqualTo(both);
            before.keySet().retainAll(after.keySet());
            assertThat(after).containsAllEntriesOf(before);
            assertThat(later.record()).isEmpty();
        }
    }

    @Test
    void neverGivesMoreThanTheProcessInherited() throws Exception {
        try (Child sleep = Child.start("taskset", "-c", "" + cpus[0], "sleep", "600")) {
            Await.until("sleep", () -> ProcStatus.of(sleep.pid()).name(), "sleep"::equals);
            LiveProcess live = LiveProcess.of(sleep.pid(), records());
            assertThat(live.topology().allowedCpuSet()).isEqualTo(CpuSet.of(cpus[0]));
            assertThatExceptionOfType(BindingException.class)
                    .isThrownBy(() -> live.bind(CpuSet.of(cpus[1]), Map.of()))
                    .withMessage("cannot bind process " + sleep.pid() + " to CPUs " + cpus[1] + ": CPUs " + cpus[1]
                            + " are not among those that it inherited; it may use CPUs " + cpus[0]);
            assertThat(ProcStatus.masks(sleep.pid()).values()).containsExactly("" + cpus[0]);
            assertThat(live.record()).isEmpty();
            assertThatExceptionOfType(BindingException.class)
                    .isThrownBy(live::unbind)
                    .withMessageContaining("its previous masks are unknown");
        }
    }

    /** The kernel keeps 15 bytes of a name, so that of a character of two bytes the first one may be the last. */
    @Test
    void aNameThatEndsInTheMiddleOfACharacterIsNoObstacle() throws Exception {
        String script = "printf 'fourteen bytes\\303\\251' >/proc/$$/comm && echo ready && read end";
        try (Child shell = Child.start("taskset", "-c", both, "sh", "-c", script)) {
            assertThat(shell.readLine()).isEqualTo("ready");
            byte[] name = Files.readAllBytes(Path.of("/proc/" + shell.pid() + "/comm"));
            assertThat(name).hasSize(16).endsWith(0xC3, '\n');
            LiveProcess live = LiveProcess.of(shell.pid(), records());
            live.bind(CpuSet.of(cpus[0]), Map.of());
            assertThat(ProcStatus.of(shell.pid()).cpus()).isEqualTo("" + cpus[0]);
            assertThat(live.unbind()).hasToString(both);
            assertThat(ProcStatus.of(shell.pid()).cpus()).isEqualTo(both);
        }
    }

    @Test
    void aCpusetIsTheWidestThatAProcessGets() throws Exception {
        try (Cpuset cpuset = Cpuset.of(both)) {
            try (Child sleep = Child.start(cpuset.command("taskset", "-c", "" + cpus[0], "sleep", "600"))) {
                Await.until("sleep", () -> ProcStatus.of(sleep.pid()).name(), "sleep"::equals);
                cpuset.set("" + cpus[0]);
                LiveProcess live = LiveProcess.of(sleep.pid(), records());
                assertThat(live.topology().cpuSet()).isEqualTo(CpuSet.of(cpus[0]));
                assertThat(live.widen()).isEqualTo(CpuSet.of(cpus[0]));
                cpuset.set(both);
                assertThat(live.widen()).hasToString(both);
                assertThat(ProcStatus.masks(sleep.pid()).values()).containsExactly(both);
            }
        }
    }

    @Test
    void aRecordIsPrivateAndOfOneProcessOnly() throws Exception {
        try (Child sleep = Child.start("sleep", "600");
                Child other = Child.start("sleep", "600")) {
            LiveProcess.of(sleep.pid(), records()).bind(CpuSet.of(cpus[0]), Map.of());
            Path record = only(folder.resolve("berth-bound-" + Files.getAttribute(folder, "unix:uid")));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(record)))
                    .isEqualTo("rw-------");
            // As if the pid had come back: the same number, another start.
            String name = record.getFileName().toString();
            Path stale = record.resolveSibling(name.replaceFirst("-\\d+$", "-1"));
            Files.copy(record, stale);
            // Of a host that shares this home.
            Path ofAnotherHost = record.resolveSibling("bound-1-1");
            Files.writeString(ofAnotherHost, Files.readString(record).replaceAll("[0-9a-f]{8}-", "00000000-"));
            Path cut = record.resolveSibling(
                    "bound-" + other.pid() + "-" + ProcessIdentity.startTimeOrEmpty(Path.of("/proc/" + other.pid())));
            Files.writeString(cut, Files.readString(record).replace("end\n", ""));
            assertThatExceptionOfType(BindingException.class)
                    .isThrownBy(() -> LiveProcess.of(other.pid(), records()).record())
                    .withMessageContaining("it is not the record of this process");
            Files.delete(cut);
            LiveProcess.of(other.pid(), records()).bind(CpuSet.of(cpus[0]), Map.of());
            assertThat(stale).doesNotExist();
            assertThat(List.of(record, ofAnotherHost)).allMatch(Files::exists);
        }
    }

    /** Folders of temporary files are cleaned while the process runs on. */
    @Test
    void recordsOfAUserAreNotTemporaryFiles() throws Exception {
        String temporary = System.getProperty("java.io.tmpdir");
        assertThat(JavaProcess.of(Root.class)
                        .environment("XDG_DATA_HOME", folder.toString())
                        .run())
                .isEqualTo(folder.toString());
        assertThat(JavaProcess.of(Root.class)
                        .option("-Djava.io.tmpdir=" + temporary)
                        .environment("XDG_DATA_HOME", "/proc/no-such-home")
                        .run())
                .isEqualTo(temporary);
    }

    @Test
    void pagesOnTheNodesThatAreWantedStay() throws Exception {
        try (Child sleep = Child.start("sleep", "600")) {
            LiveProcess live = LiveProcess.of(sleep.pid(), records());
            NodeSet nodes = live.topology().allowedNodeSet();
            assertThat(live.movePages(nodes, nodes)).isZero();
            if (!nodes.contains(9)) {
                // The kernel asks first for the right to move pages out of the cpuset's nodes.
                String refusal = Machine.uid() == 0 ? "EINVAL" : "EPERM";
                assertThatExceptionOfType(BindingException.class)
                        .isThrownBy(() -> live.movePages(nodes, NodeSet.of(9)))
                        .withMessageStartingWith(
                                "cannot move the pages of process " + sleep.pid() + " to nodes 9: " + refusal);
            }
        }
    }

    @Test
    void saysWhoMayBindTheProcessOfAnotherUser() throws Exception {
        Machine.requireRoot();
        Tool.require("setpriv");
        try (Child other = Child.start("setpriv", "--reuid", "65534", "--clear-groups", "sleep", "600")) {
            Await.until("sleep", () -> ProcStatus.of(other.pid()).name(), "sleep"::equals);
            JavaProcess java = JavaProcess.of(BindFromOutside.class, "" + other.pid(), "" + cpus[1], folder.toString())
                    .under("setpriv", "--bounding-set", "-sys_nice", "--inh-caps", "-sys_nice");
            assertThat(java.run())
                    .isEqualTo("cannot bind thread " + other.pid() + " to CPUs " + cpus[1]
                            + ": EPERM (operation not permitted);"
                            + " only root (CAP_SYS_NICE) may bind what belongs to another user");
            assertThat(LiveProcess.of(other.pid(), records()).record()).isEmpty();
        }
    }

    private static Path only(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> found = files.toList();
            assertThat(found).hasSize(1);
            return found.get(0);
        }
    }

    private static void taskset(int cpu, int tid) {
        Tool.output("taskset", "-p", "-c", "" + cpu, "" + tid);
    }

    private static int thread(long pid, String name) {
        return ProcStatus.masks(pid, name::equals).keySet().iterator().next();
    }

    /** Two threads that wait, and one more when a line comes in. */
    static final class Workers {
        private Workers() {}

        public static void main(String[] args) throws Exception {
            start("worker-1");
            start("worker-2");
            Thread.sleep(200); // so that the JVM's own threads are there
            System.out.println("ready");
            while (System.in.read() != '\n') {}
            start("late");
            System.out.println("started");
            Thread.sleep(600_000);
        }

        private static void start(String name) throws InterruptedException {
            Thread thread = new Thread(
                    () -> {
                        try {
                            Thread.sleep(600_000);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    },
                    name);
            thread.setDaemon(true);
            thread.start();
            while (thread.getState() != Thread.State.TIMED_WAITING) {
                Thread.sleep(1);
            }
        }
    }

    /** Prints where the records of this user are. */
    static final class Root {
        private Root() {}

        public static void main(String[] args) {
            System.out.println(BindingRecords.ofUser().root());
        }
    }

    /** Binds a process and prints what came of it. */
    static final class BindFromOutside {
        private BindFromOutside() {}

        public static void main(String[] args) {
            try {
                LiveProcess.of(Long.parseLong(args[0]), BindingRecords.below(Path.of(args[2])))
                        .bind(CpuSet.parseList(args[1]), Map.of());
                System.out.println("bound");
            } catch (BindingException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}

package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.KernelList;
import org.berth.oracle.Machine;
import org.berth.oracle.PlantedStat;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that do not see each other's leases, each in a mount namespace with a /dev/shm and a /run of its own, as in containers. What
 * they have is the kernel's word.
 */
@Timeout(240)
class PrivateLeasesTest {
    private static final String UNSEEN = "do not see the leases in /dev/shm/berth-leases";
    private static final String REMEDY = "BERTH_LEASES";
    private static final String MOUNTS = "mount -t tmpfs none /dev/shm && mount -t tmpfs none /run";
    private static final String MOVED = "processes that do not see this lease use the CPUs";
    private static final String NAMED = "this process stays there, because select=0 names them";
    private static final int AGAIN_MILLIS = 4000;
    private static final int LOOKS = 600;
    private static final int IDLE_MILLIS = 10_000;
    private static final int IDLE_TICKS = 900;

    @TempDir
    private Path folder;

    private List<Set<Integer>> cores;

    @BeforeEach
    void requireMounts() throws Exception {
        Machine.requireRoot();
        Tool.requireSuccess("unshare", "-m", "true");
        cores = new ArrayList<>();
        for (int cpu : Machine.cpus()) {
            String siblings =
                    Files.readString(Path.of("/sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list"));
            Set<Integer> core = new HashSet<>(KernelList.numbers(siblings.strip()));
            core.retainAll(Machine.cpus());
            if (!cores.contains(core) && cores.size() < 2) {
                cores.add(core);
            }
        }
        Assumptions.assumeTrue(cores.size() == 2, "two cores are needed");
    }

    /** On the two cores only. */
    private List<String> apart(String mounts, List<String> command) {
        Set<Integer> both = new HashSet<>(cores.get(0));
        both.addAll(cores.get(1));
        List<String> words = new ArrayList<>(List.of(
                "env",
                "-u",
                REMEDY,
                "taskset",
                "-c",
                KernelList.of(both),
                "unshare",
                "-m",
                "sh",
                "-c",
                mounts + " && exec \"$@\"",
                "sh"));
        words.addAll(command);
        return words;
    }

    private static List<String> exec(String... words) {
        List<String> all = new ArrayList<>(List.of(Built.exec(), "--domain", "core:1"));
        all.addAll(List.of(words));
        return all;
    }

    private static Child.Result run(List<String> command) {
        return Child.run(new ProcessBuilder(command));
    }

    @Test
    void whatOthersDoNotSeeIsTold() {
        Child.Result shared = run(apart(MOUNTS, exec("--", "nproc")));
        assertThat(shared.exitCode()).isZero();
        assertThat(shared.err().lines().toList()).hasSize(2);
        assertThat(shared.err()).contains(UNSEEN).contains(REMEDY);
        Child.Result exclusive = run(apart(MOUNTS, exec("--select", "exclusive", "--", "nproc")));
        assertThat(exclusive.exitCode()).isEqualTo(1);
        assertThat(exclusive.err())
                .hasLineCount(1)
                .contains("no domain can be exclusive")
                .contains(UNSEEN)
                .contains(REMEDY);
        Child.Result named = run(apart(
                MOUNTS + " && export BERTH_LEASES=/dev/shm/berth-leases",
                exec("--select", "exclusive", "--", "nproc")));
        assertThat(named.exitCode()).as(named.err()).isZero();
        assertThat(named.err()).hasLineCount(1).doesNotContain(UNSEEN);
    }

    @Test
    void aCommandMovesWithItsChildrenWhenOthersUseItsCpus() throws Exception {
        Path stat = folder.resolve("stat");
        try (PlantedStat planted = PlantedStat.start(stat, Machine.cpus())) {
            planted.use(cores.get(1));
            List<String> command = apart(
                    MOUNTS + " && mount --bind '" + stat + "' /proc/stat",
                    exec("--", "sh", "-c", "sleep 900 & echo $!; wait"));
            try (Child child = Child.start(new ProcessBuilder(command))) {
                long grandchild = Long.parseLong(child.readLine());
                assertThat(ProcStatus.masks(child.pid()).values()).containsOnly(KernelList.of(cores.get(0)));
                planted.use(cores.get(0));
                String there = KernelList.of(cores.get(1));
                await(child.pid(), there);
                await(grandchild, there);
                Await.until("a line of the move", () -> child.errors().contains(MOVED));
                assertThat(Files.readString(lease(child.pid()))).contains("\ncpus " + there + "\n");
            }
        }
    }

    @Test
    void aJvmMovesWhenOthersUseItsCpus() throws Exception {
        Path stat = folder.resolve("stat");
        try (PlantedStat planted = PlantedStat.start(stat, Machine.cpus())) {
            planted.use(cores.get(1));
            String mounts = MOUNTS + " && mount --bind '" + stat + "' /proc/stat";
            JvmCommand command = JvmCommand.of(Jdk.all().get(0))
                    .under(apart(mounts, List.of()).toArray(new String[0]))
                    .withAgent("domain=core:1,strict");
            try (Jvm jvm = command.start()) {
                jvm.ready();
                assertThat(jvm.messages()).anyMatch(line -> line.contains(UNSEEN) && line.contains(REMEDY));
                assertThat(ProcStatus.settledMasks(jvm.pid())).containsOnly(KernelList.of(cores.get(0)));
                planted.use(cores.get(0));
                Await.until("a line of the move", () -> jvm.child().errors().contains(MOVED));
                assertThat(ProcStatus.settledMasks(jvm.pid())).containsOnly(KernelList.of(cores.get(1)));
            }
        }
    }

    /** The first core is number 0. What the user has named is told once, and stays. */
    @Test
    void aDomainByNumberStaysWithALine() throws Exception {
        Path stat = folder.resolve("stat");
        String mounts = MOUNTS + " && mount --bind '" + stat + "' /proc/stat";
        try (PlantedStat planted = PlantedStat.start(stat, Machine.cpus())) {
            planted.use(cores.get(0));
            List<String> command = apart(mounts, exec("--select", "0", "--", "sleep", "900"));
            JvmCommand jvmCommand = JvmCommand.of(Jdk.all().get(0))
                    .under(apart(mounts, List.of()).toArray(new String[0]))
                    .withAgent("domain=core:1,select=0,strict");
            try (Child child = Child.start(new ProcessBuilder(command));
                    Jvm jvm = jvmCommand.start()) {
                jvm.ready();
                Await.until("a line of the command", () -> child.errors().contains(NAMED));
                Await.until("a line of the agent", () -> jvm.child().errors().contains(NAMED));
                assertThat(child.errors()).doesNotContain(MOVED + " " + KernelList.of(cores.get(0)) + ":");
                assertThat(mask(child.pid())).isEqualTo(KernelList.of(cores.get(0)));
                assertThat(ProcStatus.settledMasks(jvm.pid())).containsOnly(KernelList.of(cores.get(0)));
                Thread.sleep(AGAIN_MILLIS);
                assertThat(jvm.child().errors().lines().filter(line -> line.contains(NAMED)))
                        .hasSize(1);
            }
        }
    }

    /** On a machine whose cores other work uses, there may be nowhere to go; the loops themselves disturb other tests. */
    @Test
    @Tag("long")
    @Tag("release")
    void busyCommandsEndOnCoresOfTheirOwn() throws Exception {
        List<String> command = apart(MOUNTS, exec("--", "sh", "-c", "echo ready; while :; do :; done"));
        try (Child one = Child.start(new ProcessBuilder(command));
                Child other = Child.start(new ProcessBuilder(command))) {
            one.readLine();
            other.readLine();
            for (int look = 0; look < LOOKS && mask(one.pid()).equals(mask(other.pid())); look++) {
                Thread.sleep(50);
            }
            boolean room = isIdle();
            boolean alone = !mask(one.pid()).equals(mask(other.pid()));
            Assumptions.assumeTrue(alone || room, "no core is idle");
            assertThat(mask(one.pid())).isNotEqualTo(mask(other.pid()));
        }
    }

    private static String mask(long pid) {
        return ProcStatus.of(pid).cpus();
    }

    private static void await(long pid, String cpus) {
        Await.until("CPUs " + cpus + " of process " + pid, () -> mask(pid).equals(cpus));
    }

    private static Path lease(long pid) throws Exception {
        Path leases = Path.of("/proc/" + pid + "/root/dev/shm/berth-leases");
        try (var files = Files.list(leases)) {
            return files.findFirst().orElseThrow();
        }
    }

    /** Whether one of the two cores was hardly used, in ten seconds. */
    private boolean isIdle() throws Exception {
        long[] before = {idleTicks(cores.get(0)), idleTicks(cores.get(1))};
        Thread.sleep(IDLE_MILLIS);
        return idleTicks(cores.get(0)) - before[0] > IDLE_TICKS || idleTicks(cores.get(1)) - before[1] > IDLE_TICKS;
    }

    /** Of its first CPU. */
    private static long idleTicks(Set<Integer> core) throws Exception {
        String cpu = "cpu" + core.iterator().next() + " ";
        String line = Files.readAllLines(Path.of("/proc/stat")).stream()
                .filter(text -> text.startsWith(cpu))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(line.split(" ", -1)[4]);
    }
}

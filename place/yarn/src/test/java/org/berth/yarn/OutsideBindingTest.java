package org.berth.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.binding.leases.LeaseRecord;
import org.berth.binding.leases.Leases;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.KernelList;
import org.berth.oracle.Machine;
import org.berth.oracle.PlantedStat;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.berth.placement.MemoryMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ledger is a folder that every user may write to: what it says about a process is not believed. */
class OutsideBindingTest {
    private static final String NAME = "container_1_0001_01_000002";

    /** On a file system that lists by hash, one of them comes before the real lease. */
    private static final int FORGERIES = 20;

    private static final String MOVED = "Berth: " + NAME + ": processes that do not see this lease use the CPUs";
    private static final String FORGING = "forging";

    @TempDir
    private Path folder;

    private final List<Child> started = new ArrayList<>();
    private final List<Child> forgers = new ArrayList<>();

    /** The forger ends by itself: a mv of one that is killed would go on in the folder while that is removed. */
    @AfterEach
    void end() throws IOException {
        Files.deleteIfExists(folder.resolve(FORGING));
        forgers.forEach(forger -> Await.until("the end of the forger", () -> !forger.isAlive()));
        started.forEach(Child::close);
    }

    private Child start(String... command) {
        Child child = Child.start(command);
        started.add(child);
        return child;
    }

    private OutsideBinding outside() {
        LaunchCommand command = new LaunchCommand(
                NativeLibrary.launcher().toString(),
                folder.toString(),
                MemoryMode.PREFER,
                Optional.empty(),
                Optional.empty(),
                false,
                false);
        return new OutsideBinding(command, Leases.at(folder));
    }

    /** Leases of that name which say that the victim holds CPUs that this machine lacks, locked by one process. */
    private void forge(long victim) throws IOException {
        assertThat(Leases.at(folder).list()).isEmpty();
        String text =
                "berth-lease 1\npid " + victim + "\nstart 1\npid-namespace 4026531836\nuser 0\ncpus 1000\nnodes \n"
                        + "exclusive no\nsince 1767225600\ndomain core of CPUs 1000\nname " + NAME + "\n";
        StringBuilder locks = new StringBuilder();
        for (int i = 0; i < FORGERIES; i++) {
            Path file = Files.writeString(folder.resolve("lease-forged-" + i), text);
            locks.append("exec ")
                    .append(20 + i)
                    .append("<'")
                    .append(file)
                    .append("'; flock -n ")
                    .append(20 + i);
            locks.append("; ");
        }
        // The newest file comes first on a tmpfs: the forger renames one again and again.
        locks.append("cd '" + folder + "'; echo ready; while [ -e " + FORGING + " ]; do for i in 1 2 3 4 5 6 7 8 9; do"
                + " mv lease-forged-0 lease-forged-a$i; mv lease-forged-a$i lease-forged-0; done; done");
        Files.createFile(folder.resolve(FORGING));
        Child forger = start("bash", "-c", locks.toString());
        forgers.add(forger);
        assertThat(forger.readLine()).isEqualTo("ready");
    }

    @Test
    void aForgedLeaseOfTheContainersNameEndsNobodysProcess() throws IOException {
        Child victim = start("sleep", "900");
        Child container = start("sleep", "901");
        forge(victim.pid());
        for (int i = 0; i < 5; i++) {
            LeaseRecord lease = outside().bind(new ContainerProcess(container.pid()), "core:1", NAME);
            assertThat(lease.pid()).isNotEqualTo(victim.pid());
            assertThat(ProcStatus.settledMasks(container.pid()))
                    .containsExactly(lease.cpus().toString());
            assertThat(OutsideBinding.find(Leases.at(folder), victim.pid())).isEmpty();
        }
        assertThat(victim.isAlive()).isTrue();
    }

    /** The NodeManager is in a mount namespace with a /dev/shm and a /run of its own, and the container next to it. */
    @Test
    void aContainerMovesWithItsChildrenWhenOthersUseItsCpus() throws Exception {
        Machine.requireRoot();
        Tool.requireSuccess("unshare", "-m", "true");
        int[] cpus = Machine.requireCpus(2);
        Path stat = folder.resolve("stat");
        try (PlantedStat planted = PlantedStat.start(stat, Machine.cpus())) {
            planted.use(Set.of(cpus[1]));
            ChildJvm manager =
                    ChildJvm.of(Manager.class).under(PlantedStat.withoutOthersLeases(stat, cpus[0], cpus[1]));
            Child child = Child.start(manager.builder());
            started.add(child);
            long container = Long.parseLong(child.readUntil("container ").replaceAll("\\D+", ""));
            long inside = ProcessHandle.of(container)
                    .orElseThrow()
                    .children()
                    .findFirst()
                    .orElseThrow()
                    .pid();
            String first = ProcStatus.of(container).cpus();
            List<Integer> there = KernelList.numbers(first);
            assumeThat(there).as("a core apart from the other one").doesNotContain(cpus[1]);
            planted.use(Set.copyOf(there));
            Await.until(
                    "other CPUs of the container",
                    () -> !ProcStatus.of(container).cpus().equals(first));
            assertThat(KernelList.numbers(ProcStatus.of(container).cpus())).doesNotContainAnyElementsOf(there);
            Await.until(
                    "the same for its child",
                    () -> ProcStatus.of(inside)
                            .cpus()
                            .equals(ProcStatus.of(container).cpus()));
            Await.until("a line of the log", () -> child.errors().contains(MOVED));
        }
    }

    /** Binds a container from outside, and prints the first line of the log that tells of a move. */
    static final class Manager {
        private Manager() {}

        public static void main(String[] arguments) throws Exception {
            Process container = new ProcessBuilder("sh", "-c", "sleep 903 & wait").start();
            Await.until("a child", () -> container.children().findAny().isPresent());
            Leases ledger = Leases.ofHost();
            LaunchCommand command = new LaunchCommand(
                    NativeLibrary.launcher().toString(),
                    ledger.directory().toString(),
                    MemoryMode.LOCAL,
                    Optional.empty(),
                    Optional.empty(),
                    false,
                    false);
            new OutsideBinding(command, ledger).bind(new ContainerProcess(container.pid()), "core:1", NAME);
            System.out.println("container " + container.pid());
            System.in.read();
            container.destroyForcibly();
        }
    }

    /** When the container cannot be bound, the process that this binding has started ends, and no other. */
    @Test
    void aContainerThatHasEndedLeavesNoHolder() {
        Child container = start("sleep", "902");
        OutsideBinding outside = outside();
        container.close();
        assertThatThrownBy(() -> outside.bind(new ContainerProcess(container.pid()), "core:1", NAME))
                .isInstanceOf(IllegalStateException.class);
        Await.until("the end of the lease", () -> new Ledger(folder).held().equals(Map.of()));
    }
}

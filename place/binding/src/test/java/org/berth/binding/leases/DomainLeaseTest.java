package org.berth.binding.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.berth.binding.BoundScope;
import org.berth.binding.LocalMachine;
import org.berth.binding.SlotBinder;
import org.berth.binding.errors.BindingException;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.berth.topology.FailureKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts of the host that are claimed without a plan; their files are read by the test. */
class DomainLeaseTest {
    private static final LocalMachine MACHINE = LocalMachine.open();

    @TempDir
    private Path directory;

    private String onlyFile() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return Files.readString(
                    files.filter(Files::isRegularFile).findFirst().orElseThrow());
        }
    }

    @Test
    void aCoreIsClaimedAndWrittenDown() throws IOException {
        List<CpuSet> cores = MACHINE.topology().allowedCores();
        try (Lease lease =
                Leases.at(directory).claim(Domain.cores(1).exclusive().named("executor 3"))) {
            assertThat(cores).contains(lease.cpus());
            assertThat(onlyFile())
                    .contains("\ncpus " + lease.cpus() + "\n", "\nexclusive yes\n", "\nname executor 3\n");
            assertThatIllegalStateException().isThrownBy(lease::worker);
        }
        assertThat(Leases.at(directory).list()).isEmpty();
    }

    @Test
    void aClosedLeaseBindsNothing() {
        Lease lease = Leases.at(directory).claim(Domain.cores(1));
        lease.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> lease.bindProcess(MACHINE))
                .withMessageContaining("is closed");
        assertThatIllegalStateException().isThrownBy(() -> lease.slots(MACHINE));
    }

    /** The native library keeps so many bytes. */
    @Test
    void aNameIsKeptWholeOrRefused() {
        String longest = "ä".repeat(31) + "x";
        try (Lease lease = Leases.at(directory).claim(Domain.cores(1).named(longest))) {
            assertThat(lease.record().name()).isEqualTo(longest);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Domain.cores(1).named(longest + "y"))
                .withMessageContaining("give at most 63 bytes");
        assertThatIllegalArgumentException().isThrownBy(() -> Domain.cores(1).named("a\nb"));
    }

    @Test
    void coresAreGivenOnceEachWhileOneIsFree() {
        Leases leases = Leases.at(directory);
        List<CpuSet> cores = MACHINE.topology().allowedCores();
        List<Lease> held = cores.stream()
                .map(core -> leases.claim(Domain.cores(1).exclusive()))
                .toList();
        try {
            assertThat(held.stream().map(Lease::cpus)).containsExactlyInAnyOrderElementsOf(cores);
            assertThatExceptionOfType(BindingException.class)
                    .isThrownBy(() -> leases.claim(Domain.cores(1).exclusive()))
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(FailureKind.BUSY));
        } finally {
            held.forEach(Lease::close);
        }
    }

    @Test
    void aProcessIsToldThatItHoldsTheCpusItself() {
        Leases leases = Leases.at(directory);
        Domain one = Domain.cpus(CpuSet.of(Machine.cpus().get(0))).exclusive();
        try (Lease held = leases.claim(one)) {
            assertThatExceptionOfType(BindingException.class)
                    .isThrownBy(() -> leases.claim(one))
                    .withMessageContaining(
                            "CPUs " + held.cpus() + ": this process holds it itself; it must close that lease first")
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(FailureKind.BUSY));
        }
        leases.claim(one).close();
    }

    @Test
    void aNumberAndCpusAreThoseThatAreAskedFor() {
        Leases leases = Leases.at(directory);
        int last = MACHINE.topology().allowedCores().size() - 1;
        CpuSet one = CpuSet.of(Machine.cpus().get(0));
        try (Lease numbered = leases.claim(Domain.cores(1).number(last));
                Lease named = leases.claim(Domain.cpus(one));
                Lease node = leases.claim(Domain.numaNode())) {
            List<CpuSet> byLowestCpu = MACHINE.topology().allowedCores().stream()
                    .sorted(Comparator.comparingInt(CpuSet::first))
                    .toList();
            assertThat(numbered.cpus()).isEqualTo(byLowestCpu.get(last));
            assertThat(named.cpus()).isEqualTo(one);
            assertThat(MACHINE.topology().allowedCpuSet().containsAll(node.cpus()))
                    .isTrue();
        }
    }

    @Test
    void theProcessIsBoundToItsDomainUntilTheScopeIsClosed() {
        try (Lease lease = Leases.at(directory).claim(Domain.cores(1))) {
            try (BoundScope bound = lease.bindProcess(MACHINE)) {
                assertThat(bound).isNotNull();
                assertThat(ProcStatus.settledMasks(ProcessHandle.current().pid()))
                        .containsExactly(lease.cpus().toString());
            }
            assertThat(ProcStatus.self().cpus()).isEqualTo(Machine.cpuList());
            try (SlotBinder slots = lease.slots(MACHINE)) {
                assertThat(slots.size()).isOne();
                slots.bind();
                assertThat(ProcStatus.callingThread().cpus())
                        .isEqualTo(lease.cpus().toString());
                slots.release();
            }
        }
    }

    @Test
    void whatThisMachineDoesNotHaveIsOneLine() {
        Leases leases = Leases.at(directory);
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(() -> leases.claim(Domain.cores(9_999)))
                .withMessageMatching("cannot claim core:9999 in \\S+: [^\\n]+")
                .satisfies(e -> assertThat(e.kind()).isEqualTo(FailureKind.UNAVAILABLE));
        assertThatIllegalArgumentException().isThrownBy(() -> Domain.cores(0));
        assertThatIllegalArgumentException().isThrownBy(() -> Domain.cpus(CpuSet.empty()));
        assertThatIllegalArgumentException().isThrownBy(() -> Domain.numaNode().number(-1));
    }
}

package org.berth.binding.internal.interrupts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.observation.internal.devices.DeviceInterrupts;
import org.berth.observation.internal.devices.Interrupt;
import org.berth.observation.internal.devices.InterruptMap;
import org.berth.oracle.Machine;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterruptBindingTest {
    @TempDir
    private Path folder;

    /**
     * One that the kernel lets root move, of those that come a few times a day: moved and read back from /proc by us.
     */
    @Test
    void movesAnInterruptOfThisMachineAndGivesItBack() throws IOException {
        Optional<Interrupt> quiet = InterruptMap.read(Path.of("/")).devices().stream()
                .map(DeviceInterrupts::interrupts)
                .flatMap(List::stream)
                .filter(Interrupt::control)
                .filter(interrupt -> interrupt.allowed().size() > 1)
                .findFirst();
        assumeThat(quiet).as("an interrupt that may go to several CPUs").isPresent();
        Interrupt interrupt = quiet.orElseThrow();
        Path file = Path.of("/proc/irq/" + interrupt.number() + "/smp_affinity_list");
        Machine.requireRoot();
        String before = Files.readString(file).strip();
        CpuSet one = CpuSet.of(interrupt.allowed().last());
        InterruptBinding binding = InterruptBinding.of(folder.resolve("record"));
        try {
            binding.move(interrupt.number(), interrupt.action(), one);
        } catch (BindingException managed) {
            assumeThat(managed.errno()).as(managed.getMessage()).isNotEqualTo(Errno.EIO);
            throw managed;
        }
        try {
            assertThat(file).content().isEqualTo(one + "\n");
            InterruptBinding again = InterruptBinding.of(folder.resolve("record"));
            again.move(
                    interrupt.number(),
                    interrupt.action(),
                    CpuSet.of(interrupt.allowed().first()));
            assertThat(again.moved())
                    .containsExactly(new InterruptBinding.Moved(
                            interrupt.number(),
                            interrupt.action(),
                            CpuSet.parseList(before),
                            CpuSet.of(interrupt.allowed().first())));
        } finally {
            assertThat(InterruptBinding.of(folder.resolve("record")).restore())
                    .containsExactly(
                            "IRQ " + interrupt.number() + " " + interrupt.action() + ": CPUs " + before + " again");
        }
        assertThat(file).content().isEqualTo(before + "\n");
        assertThat(folder.resolve("record")).doesNotExist();
    }

    /** Any user may put a link where the record's draft once was, when the record is in a directory of everybody's. */
    @Test
    void theRecordIsNotWrittenThroughALink() throws IOException {
        boot("first");
        irq(7, "0-3");
        Path secret = Files.writeString(folder.resolve("secret"), "secret");
        Files.createSymbolicLink(folder.resolve("record.new"), secret);
        InterruptBinding binding = InterruptBinding.of(folder.resolve("record"), folder);
        binding.move(7, "disk one", CpuSet.of(1));
        assertThat(secret).hasContent("secret");
        assertThat(folder.resolve("record")).content().contains("disk one");
        Files.move(folder.resolve("record"), folder.resolve("another"));
        Files.createSymbolicLink(folder.resolve("record"), folder.resolve("another"));
        assertThatThrownBy(binding::restore).hasMessageContaining("it is a link or no regular file");
        assertThat(folder.resolve("proc/irq/7/smp_affinity_list")).hasContent("1");
    }

    /** What the real kernel refuses is a test of the guest; the rest is the same with files. */
    @Test
    void whatSomebodyElseHasMovedIsLeftAlone() throws IOException {
        boot("first");
        irq(7, "0-3");
        irq(8, "0-3");
        irq(9, "0-3");
        InterruptBinding binding = InterruptBinding.of(folder.resolve("record"), folder);
        binding.move(7, "disk one", CpuSet.of(1));
        binding.move(8, "eth0-TxRx-0", CpuSet.of(2, 3));
        binding.move(9, "gone", CpuSet.of(2));
        irq(8, "0");
        Files.delete(folder.resolve("proc/irq/9/smp_affinity_list"));
        assertThat(binding.restore())
                .containsExactly(
                        "IRQ 7 disk one: CPUs 0-3 again",
                        "IRQ 8 eth0-TxRx-0: left on CPUs 0, where another program has put it",
                        "IRQ 9 gone: is no more");
        assertThat(folder.resolve("proc/irq/7/smp_affinity_list")).content().isEqualTo("0-3");
        assertThat(folder.resolve("proc/irq/8/smp_affinity_list")).content().isEqualTo("0");
        assertThat(binding.moved()).isEmpty();
    }

    @Test
    void theRecordOfAnEarlierStartIsForgotten() throws IOException {
        boot("first");
        irq(7, "0-3");
        InterruptBinding.of(folder.resolve("record"), folder).move(7, "x", CpuSet.of(1));
        boot("second");
        InterruptBinding later = InterruptBinding.of(folder.resolve("record"), folder);
        assertThat(later.restore()).isEmpty();
        assertThat(folder.resolve("proc/irq/7/smp_affinity_list")).content().isEqualTo("1");
        assertThat(folder.resolve("record")).doesNotExist();
    }

    @Test
    void mistakesAreOneLineAndChangeNothing() throws IOException {
        boot("first");
        irq(7, "0-3");
        InterruptBinding binding = InterruptBinding.of(folder.resolve("record"), folder);
        assertThatThrownBy(() -> binding.move(12, "x", CpuSet.of(1)))
                .isInstanceOf(BindingException.class)
                .hasMessage(
                        "cannot read interrupt 12: ENOENT (no such file); see /proc/interrupts for those that exist");
        assertThatThrownBy(() ->
                        InterruptBinding.of(folder.resolve("no/record"), folder).move(7, "x", CpuSet.of(1)))
                .isInstanceOf(BindingException.class)
                .hasMessageStartingWith("cannot write the record of moved interrupts ")
                .hasMessageEndingWith("give another file, in a directory that you may write to");
        assertThat(folder.resolve("proc/irq/7/smp_affinity_list")).content().isEqualTo("0-3");
        Files.writeString(folder.resolve("record"), "to be, or not to be\n");
        assertThatThrownBy(binding::restore)
                .isInstanceOf(BindingException.class)
                .hasMessageContaining("this is not a record of moved interrupts");
    }

    private void boot(String id) throws IOException {
        write("proc/sys/kernel/random/boot_id", id);
    }

    private void irq(int number, String cpus) throws IOException {
        write("proc/irq/" + number + "/smp_affinity_list", cpus);
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
    }
}

package org.berth.placement.internal.dynamic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.berth.machines.Machines;
import org.berth.observation.internal.devices.DeviceInterrupts;
import org.berth.observation.internal.devices.DeviceInterrupts.Kind;
import org.berth.observation.internal.devices.Interrupt;
import org.berth.observation.internal.devices.InterruptMap;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;

/** On two packages of 8 cores with two hardware threads: 0-7,16-23 and 8-15,24-31. */
class InterruptSpreadTest {
    private static final Topology TWO = TopologyXml.parse(Machines.xml("2x8x2"));
    private static final String FIRST = "0-7,16-23";
    private static final String SECOND = "8-15,24-31";

    @Test
    void theAdapterGoesToTheOtherPackageWhenBothAreNearOne() {
        InterruptSpread spread = InterruptSpread.of(
                TWO,
                map(device(Kind.DISK, "sda", FIRST, 30, "0"), device(Kind.NETWORK, "eth0", FIRST, 40, "0", "1", "9")));
        assertThat(words(spread)).containsExactly("eth0 40 -> 8", "eth0 41 -> 9");
        assertThat(spread.moves().get(0).reason()).isEqualTo("a network adapter's, to package L#1");
        assertThat(spread.notes())
                .containsExactly("network interrupts go to package L#1, those of disks to package L#0");
    }

    @Test
    void whatIsApartAlreadyStays() {
        InterruptSpread spread = InterruptSpread.of(
                TWO, map(device(Kind.DISK, "sda", SECOND, 30, "12"), device(Kind.NETWORK, "eth0", FIRST, 40, "3")));
        assertThat(spread.moves()).isEmpty();
        assertThat(spread.notes()).contains("all interrupts are where they should be");
    }

    @Test
    void disksThatAreNearTheNetworksPackageLeaveIt() {
        InterruptSpread spread = InterruptSpread.of(
                TWO,
                map(
                        device(Kind.DISK, "sda", FIRST, 30, "0"),
                        device(Kind.DISK, "sdb", FIRST, 31, "1"),
                        device(Kind.DISK, "sdc", SECOND, 32, "8"),
                        device(Kind.NETWORK, "eth0", SECOND, 40, "8")));
        assertThat(words(spread)).containsExactly("sdc 32 -> 0");
    }

    @Test
    void oneInterruptOfTwoDisksMovesOnceAndControlInterruptsNever() {
        InterruptSpread spread = InterruptSpread.of(
                TWO,
                map(
                        device(Kind.DISK, "sda", "", 30, "8"),
                        device(Kind.DISK, "sdb", "", 30, "8"),
                        new DeviceInterrupts(
                                "nvme0n1",
                                Kind.DISK,
                                "0000:01:00.0",
                                OptionalInt.empty(),
                                CpuSet.empty(),
                                List.of(interrupt(50, "nvme0q0", "8"), interrupt(51, "nvme0q1", "9")),
                                List.of(),
                                ""),
                        device(Kind.NETWORK, "eth0", SECOND, 40, "9")));
        assertThat(words(spread)).containsExactly("sda 30 -> 0", "nvme0n1 51 -> 1");
    }

    @Test
    void onePackageIsPartedByCores() {
        Topology one = TopologyXml.parse(Machines.xml("2arm-2c"));
        InterruptSpread spread = InterruptSpread.of(
                one, map(device(Kind.DISK, "sda", "", 30, "1"), device(Kind.NETWORK, "eth0", "", 40, "1")));
        assertThat(words(spread)).containsExactly("sda 30 -> 0");
        assertThat(spread.notes())
                .containsExactly("one package only: disks and network adapters get different cores of it");
    }

    @Test
    void withoutOneOfTheKindsThereIsNothingToDo() {
        InterruptSpread spread = InterruptSpread.of(TWO, map(device(Kind.DISK, "sda", FIRST, 30, "0")));
        assertThat(spread.moves()).isEmpty();
        assertThat(spread.notes())
                .containsExactly("no network adapter has interrupts of its own: there is nothing to keep apart");
    }

    private static InterruptMap map(DeviceInterrupts... devices) {
        return new InterruptMap(List.of(devices));
    }

    private static DeviceInterrupts device(Kind kind, String name, String local, int first, String... effective) {
        List<Interrupt> interrupts = new ArrayList<>();
        for (int i = 0; i < effective.length; i++) {
            interrupts.add(interrupt(first + i, name + "-TxRx-" + i, effective[i]));
        }
        return new DeviceInterrupts(
                name, kind, "0000:00:00.0", OptionalInt.empty(), CpuSet.parseList(local), interrupts, List.of(), "");
    }

    private static Interrupt interrupt(int number, String action, String effective) {
        return new Interrupt(number, action, CpuSet.parseList(effective), CpuSet.range(0, 31), new TreeMap<>());
    }

    private static List<String> words(InterruptSpread spread) {
        return spread.moves().stream()
                .map(move -> move.device() + " " + move.interrupt().number() + " -> " + move.to())
                .collect(Collectors.toList());
    }
}

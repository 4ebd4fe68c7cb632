package org.berth.numavm.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.berth.binding.Binder;
import org.berth.binding.BoundScope;
import org.berth.numavm.BusyCores;
import org.berth.numavm.Guest;
import org.berth.numavm.Nodes;
import org.berth.observation.internal.devices.InterruptMap;
import org.berth.observation.internal.load.LoadMonitor;
import org.berth.observation.internal.load.LoadSettings;
import org.berth.observation.internal.load.LoadSnapshot;
import org.berth.oracle.Await;
import org.berth.placement.internal.dynamic.AffinityClass;
import org.berth.placement.internal.dynamic.Decision;
import org.berth.placement.internal.dynamic.DynamicPlacement;
import org.berth.placement.internal.dynamic.DynamicPolicy;
import org.berth.placement.internal.dynamic.DynamicState;
import org.berth.placement.internal.dynamic.InterruptReference;
import org.berth.placement.internal.dynamic.ServiceCore;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every step of the paper's policy that this machine has a core for, forced by real load: interrupts of a real NIC and a real
 * disk near different nodes, decisions by the load that the kernel counts, masks and relations read from the kernel's files.
 */
@SuppressWarnings("try") // a scope is there to be closed
@Tag(Guest.TAG)
@Tag("policy")
class PolicyStepsTest {
    private static final Path ROOT = Path.of("/");
    /** The disk with one queue, near the first node. */
    private static final String DISK = "vdc";

    private final Topology machine = Guest.topology();
    private final Binder binder = Guest.binder();
    private final Set<AffinityClass> forced = EnumSet.noneOf(AffinityClass.class);

    @Test
    void everyStepOfThePolicyIsTakenUnderTheLoadThatCallsForItAndNsNever() throws Exception {
        checkDevicesAreApart();
        InterruptReference disk = reference(DISK);
        assertThat(disk.handlingCpus().size()).as("interrupt CPUs of " + DISK).isEqualTo(1);
        int diskCpu = disk.handlingCpus().first();
        CpuSet otherNode = machine.cpuSet().minus(machine.cpusNear(machine.nodesNear(disk.handlingCpus())));
        try (GuestNic nic = new GuestNic(binder);
                LoadMonitor monitor = LoadMonitor.start(LoadSettings.defaults())) {
            for (int cpu : new int[] {diskCpu, otherNode.first()}) {
                nic.interruptAt(cpu);
                assertThat(nic.incomingCpu())
                        .as("CPU of the connection's packets")
                        .isEqualTo(cpu);
            }
            InterruptReference network = reference(GuestNic.NAME);
            int networkCpu = network.handlingCpus().first();
            assertThat(network.handlingCpus()).as("CPUs of the NIC").isEqualTo(CpuSet.of(otherNode.first()));
            step(
                    placement(disk, network),
                    diskCpu,
                    monitor,
                    AffinityClass.DS,
                    AffinityClass.DC,
                    AffinityClass.DM,
                    AffinityClass.DN);
            // Of a volume that lies on no disk, as in memory, by the core of the one connection.
            DynamicPlacement byNetwork = placement(InterruptReference.unknown(), InterruptReference.unknown())
                    .forConnection(nic.incomingCpu());
            step(byNetwork, networkCpu, monitor, AffinityClass.NC, AffinityClass.NM, AffinityClass.NN);
        }
        if (Guest.hasCachesInNodes()) {
            assertThat(forced).isEqualTo(EnumSet.complementOf(EnumSet.of(AffinityClass.NS)));
        }
    }

    private void checkDevicesAreApart() throws IOException {
        String disk = read(Path.of("/sys/class/block/" + DISK + "/device/../numa_node"));
        String nic = read(Path.of("/sys/class/net/" + GuestNic.NAME + "/device/../numa_node"));
        assertThat(disk.equals(nic))
                .as("disk and NIC are both near node " + disk)
                .isFalse();
    }

    /** Loads the cores of a class when it has been chosen, so that the next one must be. */
    private void step(DynamicPlacement placement, int reference, LoadMonitor monitor, AffinityClass... order)
            throws Exception {
        CpuSet avoided = placement.cores(AffinityClass.NS).stream()
                .map(ServiceCore::cpus)
                .reduce(CpuSet.empty(), CpuSet::union);
        assertThat(avoided.isEmpty()).as("no core is [NS]").isFalse();
        try (BusyCores busy = new BusyCores(binder)) {
            for (AffinityClass kind : order) {
                List<ServiceCore> cores = placement.cores(kind).stream()
                        .filter(core -> !core.avoided())
                        .toList();
                if (cores.isEmpty()) {
                    continue;
                }
                Decision decision = await(placement, monitor, avoided, Optional.of(kind));
                assertThat(Nodes.relation(decision.cpus().first(), reference))
                        .as("relation of CPUs " + decision.cpus() + " to CPU " + reference)
                        .isEqualTo(kind.relation().letter());
                forced.add(kind);
                cores.forEach(core -> busy.add(core.cpus()));
            }
            // Only [NS] is idle now.
            await(placement, monitor, avoided, Optional.empty());
        }
    }

    /** Decides until the load calls for that class, and lets a thread have the place. */
    private Decision await(
            DynamicPlacement placement, LoadMonitor monitor, CpuSet avoided, Optional<AffinityClass> kind) {
        Decision[] last = new Decision[1];
        String what = kind.map(AffinityClass::label).orElse("a decision for no core");
        Await.until(what, () -> {
            LoadSnapshot load = monitor.snapshot();
            Decision decision = placement.decide(load, DynamicState.start());
            assertThat(decision.cpus().intersects(avoided))
                    .as("[NS] in " + decision.words())
                    .isFalse();
            last[0] = decision;
            return load.number() > 0 && decision.chosen().equals(kind);
        });
        assertThat(maskOfThreadAt(last[0].cpus())).as("mask of the thread").isEqualTo(last[0].cpus());
        return last[0];
    }

    private CpuSet maskOfThreadAt(CpuSet cpus) {
        String[] mask = new String[1];
        Thread thread = new Thread(() -> {
            try (BoundScope scope = binder.bindThread(cpus);
                    Stream<String> lines = Files.lines(Path.of("/proc/thread-self/status"))) {
                mask[0] = lines.filter(line -> line.startsWith("Cpus_allowed_list:"))
                        .findFirst()
                        .orElseThrow();
            } catch (IOException e) {
                mask[0] = e.toString();
            }
        });
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return CpuSet.parseList(mask[0].substring(mask[0].indexOf(':') + 1).strip());
    }

    private DynamicPlacement placement(InterruptReference disk, InterruptReference network) {
        return DynamicPlacement.of(machine, DynamicPolicy.INTERRUPT, disk, network);
    }

    private static InterruptReference reference(String device) {
        return InterruptReference.of(
                List.of(InterruptMap.read(ROOT).device(device).orElseThrow()));
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file).strip();
    }
}

package org.berth.numavm.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.berth.binding.Binder;
import org.berth.binding.BoundScope;
import org.berth.numavm.Guest;
import org.berth.placement.AffinityLevel;
import org.berth.placement.DevicePolicy;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementPolicy;
import org.berth.placement.PlacementRequest;
import org.berth.placement.Slot;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads put near the NIC and the disk, which are near the last node: masks as the kernel shows them. */
@SuppressWarnings("try") // a scope is there to be closed
@Tag(Guest.TAG)
@Tag("devices")
@EnabledIf(value = "coresHaveTwoThreads", disabledReason = "masks are known for two hardware threads in a core")
class ThreadsNearDeviceTest {
    private static final Path NODES = Path.of("/sys/devices/system/node");

    private final Topology machine = Guest.topology();
    private final Binder binder = Guest.binder();

    static boolean coresHaveTwoThreads() {
        Topology machine = Guest.topology();
        return machine.count(ObjectType.PU) == 2 * machine.count(ObjectType.CORE);
    }

    static Stream<Arguments> devicesAndPolicies() {
        return Stream.of("eth0", "vdb")
                .flatMap(device -> Stream.of(DevicePolicy.values()).map(policy -> Arguments.of(device, policy)));
    }

    @ParameterizedTest(name = "near {0}, policy {1}")
    @MethodSource("devicesAndPolicies")
    void threadsAreWhereTheirPolicyPutsThem(String device, DevicePolicy policy) throws Exception {
        CpuSet near = local(device);
        PlacementPlan plan = plan(machine, policy, 0, device, machine.cpuSet().size() + 1);
        List<CpuSet> masks = masksOfBoundThreads(binder, plan);
        checkMasks(policy, masks, near, machine.cpuSet());
        assertThat(plan.notes().stream().anyMatch(note -> note.contains("equally near")))
                .as("said to be near everything")
                .isEqualTo(near.equals(machine.cpuSet()));
    }

    @ParameterizedTest(name = "near {0}")
    @ValueSource(strings = {"eth0", "vdb"})
    void singleHardwareThreadsAreFirstThoseOfDifferentCores(String device) throws Exception {
        CpuSet near = local(device);
        List<CpuSet> masks = masksOfBoundThreads(binder, plan(machine, DevicePolicy.O2NTS, 1, device, near.size()));
        CpuSet all = CpuSet.empty();
        CpuSet siblings = CpuSet.empty();
        for (CpuSet mask : masks.subList(0, near.size() / 2)) {
            assertThat(mask.size()).as("size of " + mask).isEqualTo(1);
            assertThat(siblings.intersects(mask))
                    .as(mask + " is a sibling of one before")
                    .isFalse();
            siblings = siblings.union(core(mask.first()));
        }
        for (CpuSet mask : masks) {
            all = all.union(mask);
        }
        assertThat(all).as("all together").isEqualTo(near);
    }

    @Test
    void memoryOfSlotsNearTheNicIsThatOfItsNode() throws Exception {
        int node = Integer.parseInt(read(above("eth0").resolve("numa_node")));
        for (Slot slot : plan(machine, DevicePolicy.O2OCS, 0, "eth0", 4).slots()) {
            assertThat(slot.memoryNodes()).as("nodes").isEqualTo(NodeSet.of(node));
        }
    }

    private static PlacementPlan plan(Topology machine, DevicePolicy policy, int count, String device, int threads) {
        PlacementPolicy placement = PlacementPolicies.nearDevice(policy, count);
        return placement.plan(
                machine, PlacementRequest.of(AffinityLevel.NONE, 1, threads).withNearDevice(device));
    }

    /** What must hold of a machine with two hardware threads in a core, told by the kernel's own files alone. */
    private static void checkMasks(DevicePolicy policy, List<CpuSet> masks, CpuSet near, CpuSet all)
            throws IOException {
        boolean everywhere = policy == DevicePolicy.O2NTC || policy == DevicePolicy.O2OCC;
        CpuSet used = CpuSet.empty();
        int before = 0;
        for (CpuSet mask : masks) {
            used = used.union(mask);
            assertThat(mask).as("mask").isEqualTo(policy == DevicePolicy.O2ACS ? near : core(mask.first()));
            assertThat(everywhere || near.containsAll(mask))
                    .as(mask + " is not near " + near)
                    .isTrue();
        }
        assertThat(used).as("all together").isEqualTo(everywhere ? all : near);
        for (CpuSet mask : masks.subList(0, all.size() / 2)) {
            int distance = everywhere ? distance(near, mask) : 0;
            assertThat(distance >= before)
                    .as(mask + " is nearer than one before")
                    .isTrue();
            before = distance;
        }
    }

    private static List<CpuSet> masksOfBoundThreads(Binder binder, PlacementPlan plan) throws Exception {
        int count = plan.slots().size();
        CountDownLatch bound = new CountDownLatch(count);
        CountDownLatch seen = new CountDownLatch(1);
        int[] tids = new int[count];
        List<Thread> threads = new ArrayList<>();
        for (Slot slot : plan.slots()) {
            Thread thread = new Thread(() -> {
                try (BoundScope scope = binder.bindThread(slot.cpus())) {
                    tids[slot.index()] = binder.currentThreadId();
                    bound.countDown();
                    seen.await();
                } catch (InterruptedException ended) {
                    Thread.currentThread().interrupt();
                } finally {
                    bound.countDown();
                }
            });
            thread.start();
            threads.add(thread);
        }
        bound.await();
        List<CpuSet> masks = new ArrayList<>();
        for (int tid : tids) {
            masks.add(mask(tid));
        }
        seen.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        return masks;
    }

    private static CpuSet mask(int tid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/task/" + tid + "/status"))) {
            if (line.startsWith("Cpus_allowed_list:")) {
                return CpuSet.parseList(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        throw new IOException("no Cpus_allowed_list of thread " + tid);
    }

    private static CpuSet core(int cpu) throws IOException {
        return CpuSet.parseList(read(Path.of("/sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list")));
    }

    /** A virtio device hangs below its PCI device, which is the one that has a place. */
    private static CpuSet local(String device) throws IOException {
        return CpuSet.parseList(read(above(device).resolve("local_cpulist")));
    }

    private static Path above(String device) {
        return Path.of(device.equals("eth0") ? "/sys/class/net/eth0/device/.." : "/sys/class/block/vdb/device/..");
    }

    /** Returns the distance in the firmware's table between the nodes that have the first CPUs. */
    private static int distance(CpuSet from, CpuSet to) throws IOException {
        String[] row =
                read(NODES.resolve("node" + node(from.first()) + "/distance")).split(" +", -1);
        return Integer.parseInt(row[node(to.first())]);
    }

    private static int node(int cpu) throws IOException {
        for (int node : NodeSet.parseList(read(NODES.resolve("online"))).toArray()) {
            if (CpuSet.parseList(read(NODES.resolve("node" + node + "/cpulist")))
                    .contains(cpu)) {
                return node;
            }
        }
        throw new IOException("no node has CPU " + cpu);
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file).strip();
    }
}

package org.berth.numavm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.berth.binding.Binder;
import org.berth.binding.BoundScope;
import org.berth.placement.AffinityLevel;
import org.berth.placement.DevicePolicy;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementPolicies;
import org.berth.placement.PlacementPolicy;
import org.berth.placement.PlacementRequest;
import org.berth.placement.Slot;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;

/** Threads put near the NIC and the disk, which are near the last node: masks as the kernel shows them. */
@SuppressWarnings("try") // a scope is there to be closed
final class DeviceChecks {
    private static final Path NODES = Path.of("/sys/devices/system/node");

    private DeviceChecks() {}

    /** Needs cores of two hardware threads, which the expected masks are made of. */
    static void run(Checks checks, Topology machine, Binder binder) {
        if (machine.count(ObjectType.PU) != 2 * machine.count(ObjectType.CORE)) {
            System.out.println(
                    "not run here: threads near devices, whose masks are known for two hardware threads in a core");
            return;
        }
        for (String device : List.of("eth0", "vdb")) {
            for (DevicePolicy policy : DevicePolicy.values()) {
                checks.check("threads by " + policy.word() + " are where they belong near " + device, () -> {
                    CpuSet near = local(device);
                    PlacementPlan plan =
                            plan(machine, policy, 0, device, machine.cpuSet().size() + 1);
                    List<CpuSet> masks = masksOfBoundThreads(binder, plan);
                    checkMasks(policy, masks, near, machine.cpuSet());
                    Checks.same(
                            "said to be near everything",
                            near.equals(machine.cpuSet()),
                            plan.notes().stream().anyMatch(note -> note.contains("equally near")));
                });
            }
            checks.check("single hardware threads near " + device + " are first those of different cores", () -> {
                CpuSet near = local(device);
                List<CpuSet> masks =
                        masksOfBoundThreads(binder, plan(machine, DevicePolicy.O2NTS, 1, device, near.size()));
                CpuSet all = CpuSet.empty();
                CpuSet siblings = CpuSet.empty();
                for (CpuSet mask : masks.subList(0, near.size() / 2)) {
                    Checks.same("size of " + mask, 1, mask.size());
                    Checks.holds(mask + " is a sibling of one before", !siblings.intersects(mask));
                    siblings = siblings.union(core(mask.first()));
                }
                for (CpuSet mask : masks) {
                    all = all.union(mask);
                }
                Checks.same("all together", near, all);
            });
        }
        checks.check("memory of slots near eth0 is that of the device's node", () -> {
            int node = Integer.parseInt(read(above("eth0").resolve("numa_node")));
            for (Slot slot : plan(machine, DevicePolicy.O2OCS, 0, "eth0", 4).slots()) {
                Checks.same("nodes", NodeSet.of(node), slot.memoryNodes());
            }
        });
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
            Checks.same("mask", policy == DevicePolicy.O2ACS ? near : core(mask.first()), mask);
            Checks.holds(mask + " is not near " + near, everywhere || near.containsAll(mask));
        }
        Checks.same("all together", everywhere ? all : near, used);
        for (CpuSet mask : masks.subList(0, all.size() / 2)) {
            int distance = everywhere ? distance(near, mask) : 0;
            Checks.holds(mask + " is nearer than one before", distance >= before);
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

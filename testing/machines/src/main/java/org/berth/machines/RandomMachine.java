package org.berth.machines;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Machines that do not exist but that hwloc would accept: irregular trees, missing levels, groups, dies, several or
 * CPU-less memory nodes, memory-side caches, switched-off and forbidden PUs, sparse numbers, devices. Everything
 * follows from the seed.
 */
public final class RandomMachine {
    private static final long MEBIBYTE = 1 << 20;

    private final Random random;
    private final List<Integer> cpuNumbers = new ArrayList<>();
    private final List<Integer> nodeNumbers = new ArrayList<>();
    private final boolean withPackages;
    private final boolean withCores;
    private final boolean withDies;
    private final boolean withClusters;
    private int cores;
    private int devices;

    private RandomMachine(long seed) {
        random = new Random(seed);
        withPackages = !chance(10);
        withCores = !chance(10);
        withDies = chance(30);
        withClusters = chance(30);
        int sparseness = 1 + random.nextInt(3);
        for (int i = 0; i < 600; i++) {
            cpuNumbers.add(i * sparseness + (sparseness > 1 ? random.nextInt(sparseness) : 0));
            nodeNumbers.add(i * sparseness);
        }
        if (chance(50)) {
            Collections.shuffle(cpuNumbers, random);
            Collections.shuffle(nodeNumbers.subList(0, 40), random);
        }
    }

    /** hwloc 2.x XML of a machine with 1 to about 400 PUs. */
    public static String xml(long seed) {
        return new RandomMachine(seed).machine();
    }

    /** hwloc 2.x XML of a regular machine with one memory node in each package: (8, 128, 2) has 2,048 PUs. */
    public static String regular(int packages, int coresPerPackage, int pusPerCore) {
        MachineNode machine = new MachineNode("Machine").with("os_index", 0);
        int cpu = 0;
        for (int i = 0; i < packages; i++) {
            MachineNode socket = new MachineNode("Package").with("os_index", i);
            machine.children.add(socket);
            socket.memoryChildren.add(
                    new MachineNode("NUMANode").with("os_index", i).with("local_memory", 64L << 30));
            MachineNode l3 = cache("L3Cache", 3, 32 * MEBIBYTE, 0);
            socket.children.add(l3);
            for (int j = 0; j < coresPerPackage; j++) {
                MachineNode core = new MachineNode("Core").with("os_index", j);
                l3.children.add(core);
                for (int k = 0; k < pusPerCore; k++) {
                    core.children.add(new MachineNode("PU").with("os_index", cpu++));
                }
            }
        }
        return write(machine, new BitSet(), "");
    }

    /**
     * hwloc 2.x XML of a regular machine with more levels, CPUs numbered as on Linux: first PUs of all cores come
     * before second
     * ones. {@code layered(2, 1, 8, 8, 2)} is a server with two EPYC of 64 cores, each with 8 L3 caches.
     *
     * @param nodesEach memory nodes of 64 GiB in a package
     * @param cachesEach L3 caches in a node
     * @param coresEach cores in a cache
     */
    public static String layered(int packages, int nodesEach, int cachesEach, int coresEach, int pusPerCore) {
        MachineNode machine = new MachineNode("Machine").with("os_index", 0);
        int cores = packages * nodesEach * cachesEach * coresEach;
        int core = 0;
        for (int p = 0; p < packages; p++) {
            MachineNode socket = new MachineNode("Package").with("os_index", p);
            machine.children.add(socket);
            for (int n = 0; n < nodesEach; n++) {
                MachineNode part = new MachineNode("Group").with("kind", 0).with("subkind", 0);
                socket.children.add(part);
                part.memoryChildren.add(new MachineNode("NUMANode")
                        .with("os_index", p * nodesEach + n)
                        .with("local_memory", 64L << 30));
                for (int c = 0; c < cachesEach; c++) {
                    MachineNode l3 = cache("L3Cache", 3, 32 * MEBIBYTE, 0);
                    part.children.add(l3);
                    for (int i = 0; i < coresEach; i++, core++) {
                        MachineNode one = new MachineNode("Core").with("os_index", core);
                        l3.children.add(one);
                        for (int k = 0; k < pusPerCore; k++) {
                            one.children.add(new MachineNode("PU").with("os_index", core + k * cores));
                        }
                    }
                }
            }
        }
        return write(machine, new BitSet(), "");
    }

    private String machine() {
        MachineNode machine = new MachineNode("Machine").with("os_index", 0);
        machine.infos.put("Backend", "Random");
        machine.infos.put("Odd & <\"quoted\">", "\u00fc\u4e2d, tab-free");
        int packages = withPackages ? 1 + random.nextInt(4) : 1;
        boolean nodesInPackages = withPackages && chance(70);
        for (int i = 0; i < packages; i++) {
            List<MachineNode> parts = parts();
            if (withPackages) {
                MachineNode socket = new MachineNode("Package").with("os_index", i);
                socket.children.addAll(parts);
                machine.children.add(socket);
                if (nodesInPackages) {
                    addMemory(socket, 1 + random.nextInt(2));
                }
                addDevices(socket);
            } else {
                machine.children.addAll(parts);
            }
        }
        if (!nodesInPackages) {
            addMemory(machine, 1 + random.nextInt(3));
        }
        if (chance(20)) {
            MachineNode node = memoryNode();
            node.infos.put("WithoutCpus", "1");
            machine.memoryChildren.add(node);
        }
        addDevices(machine);
        if (chance(30)) {
            machine.otherChildren.add(new MachineNode("Misc").with("subtype", "MemoryModule"));
        }
        BitSet forbidden = new BitSet();
        if (chance(30)) {
            // CPU 0 stays allowed when it is there: a process can always run somewhere.
            cpuNumbers.stream().filter(cpu -> cpu > 0 && chance(30)).forEach(forbidden::set);
        }
        return write(machine, forbidden, chance(50) ? "cpukind" : "");
    }

    /** What a package holds: dies, clusters, L3 caches, cores. */
    private List<MachineNode> parts() {
        List<MachineNode> parts = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            List<MachineNode> inner = coreComplexes();
            if (withDies) {
                MachineNode die = new MachineNode("Die").with("os_index", i);
                die.children.addAll(inner);
                if (chance(20)) {
                    addMemory(die, 1);
                }
                parts.add(die);
            } else {
                parts.addAll(inner);
            }
        }
        return parts;
    }

    private List<MachineNode> coreComplexes() {
        List<MachineNode> complexes = new ArrayList<>();
        int count = 1 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            List<MachineNode> coresHere = new ArrayList<>();
            int size = 1 + random.nextInt(8);
            for (int j = 0; j < size; j++) {
                coresHere.addAll(core());
            }
            if (withClusters && size >= 4) {
                int middle = coresHere.size() / 2;
                coresHere = List.of(
                        cluster(coresHere.subList(0, middle)), cluster(coresHere.subList(middle, coresHere.size())));
            }
            if (chance(80)) {
                MachineNode l3 = cache("L3Cache", 3, (1 + random.nextInt(64)) * MEBIBYTE, 0);
                l3.children.addAll(coresHere);
                coresHere = List.of(l3);
            }
            complexes.addAll(coresHere);
        }
        return complexes;
    }

    /** hwloc merges groups that hold a single object, so nothing here makes one. */
    private static MachineNode cluster(List<MachineNode> members) {
        MachineNode cluster = new MachineNode("Group").with("kind", 22).with("subkind", 0);
        cluster.children.addAll(members);
        return cluster.with("subtype", "Cluster");
    }

    private List<MachineNode> core() {
        MachineNode core = new MachineNode("Core").with("os_index", cores++);
        int pus = 1 + random.nextInt(random.nextInt(4) + 1);
        for (int i = 0; i < pus; i++) {
            core.children.add(new MachineNode("PU").with("os_index", nextCpu()));
        }
        if (chance(5)) {
            core.offlineCpus.set(nextCpu());
        }
        List<MachineNode> result = withCores ? List.of(core) : core.children;
        if (chance(80)) {
            result = wrap(cache("L1iCache", 1, 32768, 2), result);
        }
        if (chance(80)) {
            result = wrap(cache("L1Cache", 1, 32768, 1), result);
        }
        return chance(70) ? wrap(cache("L2Cache", 2, MEBIBYTE, 0), result) : result;
    }

    private static List<MachineNode> wrap(MachineNode parent, List<MachineNode> children) {
        parent.children.addAll(children);
        return List.of(parent);
    }

    private static MachineNode cache(String type, int depth, long sizeBytes, int kind) {
        return new MachineNode(type)
                .with("cache_size", sizeBytes)
                .with("depth", depth)
                .with("cache_linesize", 64)
                .with("cache_associativity", 8)
                .with("cache_type", kind);
    }

    private void addMemory(MachineNode parent, int count) {
        for (int i = 0; i < count; i++) {
            MachineNode node = memoryNode();
            if (chance(15)) {
                MachineNode cache = cache("MemCache", 1, 64L * MEBIBYTE, 0);
                cache.memoryChildren.add(node);
                parent.memoryChildren.add(cache);
            } else {
                parent.memoryChildren.add(node);
            }
        }
    }

    private MachineNode memoryNode() {
        return new MachineNode("NUMANode")
                .with("os_index", nodeNumbers.remove(0))
                .with("local_memory", (1L + random.nextInt(512)) * MEBIBYTE);
    }

    private void addDevices(MachineNode parent) {
        if (!chance(40)) {
            return;
        }
        int bus = 1 + devices;
        MachineNode host = new MachineNode("Bridge")
                .with("bridge_type", "0-1")
                .with("depth", 0)
                .with("bridge_pci", String.format("0000:[%02x-%02x]", bus, bus + 3));
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            MachineNode card = new MachineNode("PCIDev")
                    .with("pci_busid", String.format("0000:%02x:00.%x", bus, i))
                    .with("pci_type", "0200 [8086:1521] [1028:0000] 01")
                    .with("pci_link_speed", "3.938462");
            card.otherChildren.add(
                    new MachineNode("OSDev").with("name", "eth" + devices++).with("osdev_type", 2));
            host.otherChildren.add(card);
        }
        devices += 4;
        parent.otherChildren.add(host);
    }

    private int nextCpu() {
        return cpuNumbers.remove(0);
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private static String write(MachineNode machine, BitSet forbidden, String kinds) {
        machine.collectCpus();
        machine.collectNodes(new BitSet());
        machine.number(1);
        BitSet allowed = (BitSet) machine.cpus.clone();
        allowed.andNot(forbidden);
        if (allowed.isEmpty()) {
            allowed.set(machine.cpus.nextSetBit(0));
        }
        machine.with("allowed_cpuset", MachineNode.mask(allowed));
        machine.with("allowed_nodeset", MachineNode.mask(machine.nodes));
        StringBuilder xml = new StringBuilder("""
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE topology SYSTEM "hwloc2.dtd">
                <topology version="2.0">
                """);
        machine.write(xml, "  ");
        if (!kinds.isEmpty()) {
            xml.append("  <cpukind");
            MachineNode.attribute(xml, "cpuset", MachineNode.mask(machine.cpus));
            xml.append("/>\n");
        }
        return xml.append("</topology>\n").toString();
    }
}

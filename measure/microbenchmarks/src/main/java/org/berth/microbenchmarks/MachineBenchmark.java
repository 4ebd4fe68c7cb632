package org.berth.microbenchmarks;

import static java.util.Objects.requireNonNull;
import static org.lwjgl.util.hwloc.HWLoc.*;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.concurrent.TimeUnit;
import org.berth.binding.LocalMachine;
import org.berth.binding.discovery.Discovery;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.hwloc.hwloc_obj;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Whole machines: discovery, XML, plans. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MachineBenchmark {
    private final String xml256 = TopologyXml.write(Discovery.synthetic(Workload.MACHINE_256));
    private final String xml2048 = TopologyXml.write(Discovery.synthetic(Workload.MACHINE_2048));
    private final ByteBuffer bytes256 = MemoryUtil.memUTF8(xml256);
    private final ByteBuffer bytes2048 = MemoryUtil.memUTF8(xml2048);
    private final Topology machine2048 = TopologyXml.parse(xml2048);
    private final HwlocTopology hwloc2048 = HwlocTopology.synthetic(Workload.MACHINE_2048);
    private final Topology machine4096 = Discovery.synthetic(Workload.MACHINE_4096);

    @TearDown
    public void free() {
        MemoryUtil.memFree(bytes256);
        MemoryUtil.memFree(bytes2048);
        hwloc2048.close();
    }

    @Benchmark
    public Topology discoverBerth() {
        return LocalMachine.open().topology();
    }

    @Benchmark
    public long discoverHwloc() {
        try (HwlocTopology topology = HwlocTopology.live()) {
            return topology.handle;
        }
    }

    @Benchmark
    public Topology parse256Berth() {
        return TopologyXml.parse(xml256);
    }

    @Benchmark
    public long parse256Hwloc() {
        return loadXml(bytes256);
    }

    @Benchmark
    public Topology parse2048Berth() {
        return TopologyXml.parse(xml2048);
    }

    @Benchmark
    public long parse2048Hwloc() {
        return loadXml(bytes2048);
    }

    @Benchmark
    public String write2048Berth() {
        return TopologyXml.write(machine2048);
    }

    @Benchmark
    public int write2048Hwloc() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer text = stack.mallocPointer(1);
            IntBuffer lengthBytes = stack.mallocInt(1);
            HwlocTopology.check(
                    "export_xmlbuffer",
                    hwloc_topology_export_xmlbuffer(
                            hwloc2048.handle, text, lengthBytes, HWLOC_TOPOLOGY_EXPORT_XML_FLAG_V2));
            nhwloc_free_xmlbuffer(hwloc2048.handle, text.get(0));
            return lengthBytes.get(0);
        }
    }

    /** Each of 2,048 PUs by its place, its number read, found again by that, with its package. */
    @Benchmark
    public long allPus2048Berth() {
        long sum = 0;
        for (int i = 0; i < machine2048.count(ObjectType.PU); i++) {
            int osIndex = machine2048.object(ObjectType.PU, i).orElseThrow().osIndex();
            TopologyObject pu = machine2048.pu(osIndex).orElseThrow();
            sum += pu.ancestor(ObjectType.PACKAGE).orElseThrow().osIndex();
        }
        return sum;
    }

    /** hwloc finds a PU by the kernel's number by looking at one after the other. */
    @Benchmark
    public long allPus2048Hwloc() {
        long sum = 0;
        int pus = hwloc_get_nbobjs_by_type(hwloc2048.handle, HWLOC_OBJ_PU);
        for (int i = 0; i < pus; i++) {
            hwloc_obj placed = requireNonNull(hwloc_get_obj_by_type(hwloc2048.handle, HWLOC_OBJ_PU, i));
            hwloc_obj pu = requireNonNull(hwloc_get_pu_obj_by_os_index(hwloc2048.handle, placed.os_index()));
            sum += requireNonNull(hwloc_get_ancestor_obj_by_type(hwloc2048.handle, HWLOC_OBJ_PACKAGE, pu))
                    .os_index();
        }
        return sum;
    }

    /** 4,096 PUs, each with one thread. */
    @Benchmark
    public PlacementPlan plan4096Berth() {
        return PlacementPolicies.byLevel().plan(machine4096, PlacementRequest.of(AffinityLevel.PU, 16, 256));
    }

    private static long loadXml(ByteBuffer xml) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer pointer = stack.mallocPointer(1);
            HwlocTopology.check("init", hwloc_topology_init(pointer));
            long topology = pointer.get(0);
            HwlocTopology.check("set_xmlbuffer", hwloc_topology_set_xmlbuffer(topology, xml));
            HwlocTopology.check("load", hwloc_topology_load(topology));
            hwloc_topology_destroy(topology);
            return topology;
        }
    }
}

package org.berth.microbenchmarks;

import static org.lwjgl.util.hwloc.HWLoc.*;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.berth.binding.discovery.Discovery;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;
import org.lwjgl.util.hwloc.hwloc_obj;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Questions about one object of a machine with 256 PUs. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LookupBenchmark {
    private final Topology topology = Discovery.synthetic(Workload.MACHINE_256);
    private final HwlocTopology hwloc = HwlocTopology.synthetic(Workload.MACHINE_256);
    private final TopologyObject pu = topology.objects(ObjectType.PU).get(Workload.MEMBER);
    private final hwloc_obj hwlocPu = Objects.requireNonNull(byDepth(Workload.MEMBER));
    /** Four adjacent cores: what a worker gets. */
    private final CpuSet group = CpuSet.range(200, 207);

    private int index = Workload.MEMBER;
    private long hwlocGroup;
    private long hwlocNodes;

    @Setup
    public void allocate() {
        hwlocGroup = hwloc_bitmap_alloc();
        hwlocNodes = hwloc_bitmap_alloc();
        HwlocTopology.check("list_sscanf", hwloc_bitmap_list_sscanf(hwlocGroup, group.toString()));
    }

    @TearDown
    public void free() {
        hwloc_bitmap_free(hwlocGroup);
        hwloc_bitmap_free(hwlocNodes);
        hwloc.close();
    }

    private hwloc_obj byDepth(int logicalIndex) {
        int depth = hwloc_get_type_depth(hwloc.handle, HWLOC_OBJ_PU);
        return Objects.requireNonNull(hwloc_get_obj_by_depth(hwloc.handle, depth, logicalIndex));
    }

    @Benchmark
    public TopologyObject puByLogicalIndexBerth() {
        return topology.objects(ObjectType.PU).get(index);
    }

    @Benchmark
    public hwloc_obj puByLogicalIndexHwloc() {
        return byDepth(index);
    }

    @Benchmark
    public TopologyObject puByOsIndexBerth() {
        return topology.pu(index).orElseThrow();
    }

    @Benchmark
    public hwloc_obj puByOsIndexHwloc() {
        return Objects.requireNonNull(hwloc_get_pu_obj_by_os_index(hwloc.handle, index));
    }

    @Benchmark
    public TopologyObject parentBerth() {
        return pu.parent().orElseThrow();
    }

    @Benchmark
    public hwloc_obj parentHwloc() {
        return Objects.requireNonNull(hwlocPu.parent());
    }

    @Benchmark
    public TopologyObject packageOfPuBerth() {
        return pu.ancestor(ObjectType.PACKAGE).orElseThrow();
    }

    @Benchmark
    public hwloc_obj packageOfPuHwloc() {
        return Objects.requireNonNull(hwloc_get_ancestor_obj_by_type(hwloc.handle, HWLOC_OBJ_PACKAGE, hwlocPu));
    }

    @Benchmark
    public TopologyObject coveringBerth() {
        return topology.covering(group).orElseThrow();
    }

    @Benchmark
    public hwloc_obj coveringHwloc() {
        return Objects.requireNonNull(hwloc_get_obj_covering_cpuset(hwloc.handle, hwlocGroup));
    }

    @Benchmark
    public NodeSet nodesNearBerth() {
        return topology.nodesNear(group);
    }

    @Benchmark
    public long nodesNearHwloc() {
        hwloc_cpuset_to_nodeset(hwloc.handle, hwlocGroup, hwlocNodes);
        return hwlocNodes;
    }
}

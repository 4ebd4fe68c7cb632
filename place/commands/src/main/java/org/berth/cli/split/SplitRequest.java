package org.berth.cli.split;

import java.lang.management.ManagementFactory;
import java.util.Optional;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.arguments.HeapArgument;
import org.berth.placement.internal.shape.Division;
import org.berth.placement.internal.shape.ShapeRequest;
import org.berth.topology.CpuSet;

/** The request for the parts of a machine, by the values of options. */
public final class SplitRequest {
    private SplitRequest() {}

    /**
     * The request for all parts together.
     *
     * @param within only these CPUs
     * @param heap the value of {@code --heap}
     */
    public static ShapeRequest of(
            TargetMachine machine, Division into, Optional<CpuSet> within, Optional<String> heap) {
        ShapeRequest request = ShapeRequest.of(into);
        request = within.isPresent() ? request.within(within.get()) : request;
        if (machine.origin() == TargetMachine.Origin.LIVE) {
            request = request.withMemoryLimitBytes(memoryOfThisProcess());
        }
        return HeapArgument.on(request, heap);
    }

    /** The JVM knows the limits of control groups of both versions. */
    private static long memoryOfThisProcess() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : Long.MAX_VALUE;
    }
}

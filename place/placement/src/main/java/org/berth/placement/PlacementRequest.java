package org.berth.placement;

import java.util.List;
import java.util.Optional;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * How many slots are asked for, and where they may be. Immutable; each {@code with…} method returns a changed copy.
 *
 * @param level how tightly to bind
 * @param order in which a worker's threads take L3 caches; only {@link ThreadOrder#PACK} at levels looser than l3
 * @param workers processes, at least 1
 * @param threadsPerWorker threads of each, at least 1
 * @param within only these CPUs (kernel numbers); every one of a finite set must be allowed
 * @param nearDevice only the CPUs near this device: an OS name ({@code eth0}) or PCI bus id ({@code 0000:00:03.0})
 * @param memory how memory follows
 * @param memoryPlace the nodes for memory: those near each slot's CPUs, one technology of them, or named ones
 * @param rules thread names that get single slots
 * @since 0.1.0
 */
public record PlacementRequest(
        AffinityLevel level,
        ThreadOrder order,
        int workers,
        int threadsPerWorker,
        Optional<CpuSet> within,
        Optional<String> nearDevice,
        MemoryMode memory,
        MemoryPlace memoryPlace,
        List<ThreadRule> rules) {
    /** The maximum number of slots of one plan: far above any machine, and the limit of the agent. */
    public static final int MAX_SLOTS = 1 << 16;

    /**
     * @throws PlacementException one line, when there are no workers or threads, or too many, local memory has nodes,
     * or the     level has no order
     */
    public PlacementRequest {
        new OrderedLevel(level, order);
        requireAtLeastOne("workers", workers);
        requireAtLeastOne("threads per worker", threadsPerWorker);
        if ((long) workers * threadsPerWorker > MAX_SLOTS) {
            throw new PlacementException(workers + " workers of " + threadsPerWorker + " threads are more than "
                    + MAX_SLOTS + " slots: ask for fewer");
        }
        if (memory == MemoryMode.LOCAL && !memoryPlace.equals(MemoryPlace.NEAR)) {
            throw new PlacementException(
                    "memory mode local has no nodes and no tier: choose another mode, or leave them out");
        }
        rules = List.copyOf(rules);
    }

    /**
     * The request of a thread pool: one process with this number of threads, each on a core of its own while there are cores. They
     * stay in one package, node or cache while that has room for them.
     *
     * @throws PlacementException when there is no thread, or too many
     */
    public static PlacementRequest forThreads(int threads) {
        return of(AffinityLevel.CORE, 1, threads);
    }

    /**
     * A request on all allowed CPUs with the kernel's memory policy. One worker with a thread for each slot is what a
     * thread pool
     * wants: it stays in one package, node or cache while that has room for it, and takes more of them when it does
     * not.
     */
    public static PlacementRequest of(AffinityLevel level, int workers, int threadsPerWorker) {
        return new PlacementRequest(
                level,
                ThreadOrder.PACK,
                workers,
                threadsPerWorker,
                Optional.empty(),
                Optional.empty(),
                MemoryMode.LOCAL,
                MemoryPlace.NEAR,
                List.of());
    }

    /** The same at another level, in its default order. */
    public PlacementRequest withLevel(AffinityLevel newLevel) {
        return withLevel(OrderedLevel.of(newLevel));
    }

    /** The same at another level, and in another order. */
    public PlacementRequest withLevel(OrderedLevel newLevel) {
        return new PlacementRequest(
                newLevel.level(),
                newLevel.order(),
                workers,
                threadsPerWorker,
                within,
                nearDevice,
                memory,
                memoryPlace,
                rules);
    }

    /** The same for this number of workers; PlacementException when there are too few or too many. */
    public PlacementRequest withWorkers(int newWorkers) {
        return new PlacementRequest(
                level, order, newWorkers, threadsPerWorker, within, nearDevice, memory, memoryPlace, rules);
    }

    /** The same with this number of threads in each worker; PlacementException when there are too few or too many. */
    public PlacementRequest withThreadsPerWorker(int newThreads) {
        return new PlacementRequest(level, order, workers, newThreads, within, nearDevice, memory, memoryPlace, rules);
    }

    /** Restricts the placement to these CPUs. */
    public PlacementRequest withCpus(CpuSet cpus) {
        return new PlacementRequest(
                level, order, workers, threadsPerWorker, Optional.of(cpus), nearDevice, memory, memoryPlace, rules);
    }

    /** Restricts the placement to CPUs near this device. */
    public PlacementRequest withNearDevice(String device) {
        return new PlacementRequest(
                level, order, workers, threadsPerWorker, within, Optional.of(device), memory, memoryPlace, rules);
    }

    /** The same with another use of the memory nodes near the CPUs. */
    public PlacementRequest withMemory(MemoryMode newMemory) {
        return withMemory(newMemory, MemoryPlace.NEAR);
    }

    /** The same with memory on these nodes, wherever the CPUs are; {@link MemoryMode#LOCAL} has none. */
    public PlacementRequest withMemory(MemoryMode newMemory, NodeSet nodes) {
        return withMemory(newMemory, new MemoryPlace.Nodes(nodes));
    }

    /**
     * The same with memory on the nodes of this choice; {@link MemoryMode#LOCAL} has none but {@link MemoryPlace#NEAR}.
     */
    public PlacementRequest withMemory(MemoryMode newMemory, MemoryPlace place) {
        return new PlacementRequest(
                level, order, workers, threadsPerWorker, within, nearDevice, newMemory, place, rules);
    }

    /** The same with these rules, the first that fits a thread's name counting. */
    public PlacementRequest withRules(List<ThreadRule> newRules) {
        return new PlacementRequest(
                level, order, workers, threadsPerWorker, within, nearDevice, memory, memoryPlace, newRules);
    }

    private static void requireAtLeastOne(String what, int count) {
        if (count < 1) {
            throw new PlacementException("cannot place " + count + " " + what + ": ask for at least 1");
        }
    }
}

package org.berth.placement;

import java.util.List;
import java.util.Optional;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * How many slots are asked for, and where they may be: {@code PlacementRequest.forThreads(8).withCpus(cpus)}. Immutable and
 * thread-safe; each {@code with…} method returns a changed copy.
 *
 * @since 0.1.0
 */
public final class PlacementRequest {
    /** The maximum number of slots of one plan: far above any machine, and the limit of the agent. */
    public static final int MAX_SLOTS = 1 << 16;

    private final Parts parts;

    private PlacementRequest(Parts parts) {
        this.parts = parts;
    }

    private record Parts(
            OrderedLevel level,
            int workers,
            int threads,
            Optional<CpuSet> within,
            Optional<String> nearDevice,
            MemoryMode memory,
            MemoryPlace memoryPlace,
            List<ThreadRule> rules) {
        Parts {
            requireAtLeastOne("workers", workers);
            requireAtLeastOne("threads per worker", threads);
            if ((long) workers * threads > MAX_SLOTS) {
                throw new PlacementException(workers + " workers of " + threads + " threads are more than " + MAX_SLOTS
                        + " slots: ask for fewer");
            }
            if (memory == MemoryMode.LOCAL && !memoryPlace.equals(MemoryPlace.NEAR)) {
                throw new PlacementException(
                        "memory mode local has no nodes and no tier: choose another mode, or leave them out");
            }
            rules = List.copyOf(rules);
        }

        private static void requireAtLeastOne(String what, int count) {
            if (count < 1) {
                throw new PlacementException("cannot place " + count + " " + what + ": ask for at least 1");
            }
        }
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
     * A request on all allowed CPUs with the kernel's memory policy. One worker with a thread for each slot is what a thread pool
     * wants: it stays in one package, node or cache while that has room for it, and takes more of them when it does not.
     *
     * @param level how tightly to bind
     * @param workers processes, at least 1
     * @param threadsPerWorker threads of each, at least 1
     * @throws PlacementException one line, when there are no workers or threads, or too many
     */
    public static PlacementRequest of(AffinityLevel level, int workers, int threadsPerWorker) {
        return new PlacementRequest(new Parts(
                OrderedLevel.of(level),
                workers,
                threadsPerWorker,
                Optional.empty(),
                Optional.empty(),
                MemoryMode.LOCAL,
                MemoryPlace.NEAR,
                List.of()));
    }

    /** How tightly to bind. */
    public AffinityLevel level() {
        return parts.level.level();
    }

    /** The order in which a worker's threads take L3 caches; {@link ThreadOrder#PACK} at levels looser than l3. */
    public ThreadOrder order() {
        return parts.level.order();
    }

    /** Processes, at least 1. */
    public int workers() {
        return parts.workers;
    }

    /** Threads of each process, at least 1. */
    public int threadsPerWorker() {
        return parts.threads;
    }

    /** The CPUs (kernel numbers) to choose from; every one of a finite set must be allowed. Empty for all allowed ones. */
    public Optional<CpuSet> within() {
        return parts.within;
    }

    /** The device whose near CPUs are to be chosen from: an OS name ({@code eth0}) or PCI bus id ({@code 0000:00:03.0}). */
    public Optional<String> nearDevice() {
        return parts.nearDevice;
    }

    /** How memory follows. */
    public MemoryMode memory() {
        return parts.memory;
    }

    /** The nodes for memory: those near each slot's CPUs, one technology of them, or named ones. */
    public MemoryPlace memoryPlace() {
        return parts.memoryPlace;
    }

    /** Thread names that get single slots; the first that fits a name counts. */
    public List<ThreadRule> rules() {
        return parts.rules;
    }

    /** The same at another level, in its default order. */
    public PlacementRequest withLevel(AffinityLevel level) {
        return withLevel(OrderedLevel.of(level));
    }

    /** The same at another level, and in another order. */
    public PlacementRequest withLevel(OrderedLevel level) {
        return new PlacementRequest(new Parts(
                level,
                parts.workers,
                parts.threads,
                parts.within,
                parts.nearDevice,
                parts.memory,
                parts.memoryPlace,
                parts.rules));
    }

    /** The same for this number of workers; PlacementException when there are too few or too many. */
    public PlacementRequest withWorkers(int workers) {
        return sized(workers, parts.threads);
    }

    /** The same with this number of threads in each worker; PlacementException when there are too few or too many. */
    public PlacementRequest withThreadsPerWorker(int threads) {
        return sized(parts.workers, threads);
    }

    private PlacementRequest sized(int workers, int threads) {
        return new PlacementRequest(new Parts(
                parts.level,
                workers,
                threads,
                parts.within,
                parts.nearDevice,
                parts.memory,
                parts.memoryPlace,
                parts.rules));
    }

    /** Restricts the placement to these CPUs. */
    public PlacementRequest withCpus(CpuSet cpus) {
        return restricted(Optional.of(cpus), parts.nearDevice);
    }

    /** Restricts the placement to CPUs near this device. */
    public PlacementRequest withNearDevice(String device) {
        return restricted(parts.within, Optional.of(device));
    }

    private PlacementRequest restricted(Optional<CpuSet> within, Optional<String> nearDevice) {
        return new PlacementRequest(new Parts(
                parts.level,
                parts.workers,
                parts.threads,
                within,
                nearDevice,
                parts.memory,
                parts.memoryPlace,
                parts.rules));
    }

    /** The same with another use of the memory nodes near the CPUs. */
    public PlacementRequest withMemory(MemoryMode memory) {
        return withMemory(memory, MemoryPlace.NEAR);
    }

    /** The same with memory on these nodes, wherever the CPUs are; {@link MemoryMode#LOCAL} has none. */
    public PlacementRequest withMemory(MemoryMode memory, NodeSet nodes) {
        return withMemory(memory, new MemoryPlace.Nodes(nodes));
    }

    /**
     * The same with memory on the nodes of this choice; {@link MemoryMode#LOCAL} has none but {@link MemoryPlace#NEAR}.
     */
    public PlacementRequest withMemory(MemoryMode memory, MemoryPlace place) {
        return new PlacementRequest(new Parts(
                parts.level, parts.workers, parts.threads, parts.within, parts.nearDevice, memory, place, parts.rules));
    }

    /** The same with these rules, the first that fits a thread's name counting. */
    public PlacementRequest withRules(List<ThreadRule> rules) {
        return new PlacementRequest(new Parts(
                parts.level,
                parts.workers,
                parts.threads,
                parts.within,
                parts.nearDevice,
                parts.memory,
                parts.memoryPlace,
                rules));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PlacementRequest request && parts.equals(request.parts);
    }

    @Override
    public int hashCode() {
        return parts.hashCode();
    }

    /** All parts, for a log; its form may change. */
    @Override
    public String toString() {
        return parts.toString().replaceFirst("Parts", "PlacementRequest");
    }
}

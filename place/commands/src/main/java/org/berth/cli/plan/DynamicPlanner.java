package org.berth.cli.plan;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.TargetMachine;
import org.berth.observation.ObservationException;
import org.berth.observation.internal.load.LoadMonitor;
import org.berth.observation.internal.load.LoadSettings;
import org.berth.observation.internal.load.LoadSnapshot;
import org.berth.placement.internal.dynamic.DynamicPlacement;
import org.berth.placement.internal.dynamic.DynamicPolicy;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/** Makes the plan of a policy by interrupts and load. */
final class DynamicPlanner {
    private static final int DEFAULT_THREADS = 4;

    private DynamicPlanner() {}

    /** The policy by interrupts that a word of {@code --policy} names, if any. */
    static Optional<DynamicPolicy> policy(String word) {
        return Stream.of(DynamicPolicy.INTERRUPT, DynamicPolicy.NODE)
                .filter(policy -> policy.word().equals(word))
                .findFirst();
    }

    /** @param askedThreads 0 when not given */
    static DynamicPlan plan(
            DynamicPolicy policy, DynamicOptions options, TargetMachine machine, Topology usable, int askedThreads) {
        boolean live = machine.origin() == TargetMachine.Origin.LIVE;
        options.check(live);
        Topology topology = machine.topology();
        DynamicOptions.Reference disk = options.diskReference(topology);
        DynamicOptions.Reference network = options.networkReference(topology);
        Optional<CpuSet> busy = options.busyCpus(topology);
        LoadSnapshot load =
                busy.map(cpus -> LoadSnapshot.of(1, topology.cpuSet(), cpus)).orElseGet(DynamicPlanner::measure);
        DynamicPlacement placement = DynamicPlacement.of(usable, policy, disk.interrupts(), network.interrupts());
        return DynamicPlan.of(
                disk, network, placement, load, busy.isEmpty(), askedThreads > 0 ? askedThreads : DEFAULT_THREADS);
    }

    /** Measures one whole window. */
    private static LoadSnapshot measure() {
        LoadSettings settings = LoadSettings.defaults();
        try (LoadMonitor monitor = LoadMonitor.start(settings)) {
            while (monitor.snapshot().number() < settings.window()
                    && monitor.failure().isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(settings.interval().toMillis() / 2);
            }
            if (monitor.failure().isPresent()) {
                throw CommandException.failure(monitor.failure().get() + "; give --busy LIST");
            }
            return monitor.snapshot();
        } catch (ObservationException e) {
            throw CommandException.failure(e.getMessage() + ", or give --busy LIST", e);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw CommandException.failure("interrupted while the load was measured; give --busy LIST");
        }
    }
}

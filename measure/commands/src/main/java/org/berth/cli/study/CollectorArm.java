package org.berth.cli.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.cli.compare.arms.CommandArms;
import org.berth.cli.compare.arms.UserArm;
import org.berth.cli.plan.Placement;
import org.berth.cli.run.PlannedRun;
import org.berth.cli.shared.arguments.MemoryArgument;
import org.berth.experiments.Arm;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.OrderedLevel;
import org.berth.topology.Topology;

/** One arm of a study of collectors: a collector with UseNUMA or without, in a process that is bound as a whole. */
record CollectorArm(Collector collector, boolean numa, OrderedLevel level, MemoryArgument memory) {
    /** "g1", "g1+numa", "zgc+numa+level=numa+memory=bind". */
    String name() {
        return collector.word()
                + (numa ? "+numa" : "")
                + (level.level() == AffinityLevel.NONE ? "" : "+level=" + level.word())
                + (memory.mode() == MemoryMode.LOCAL ? "" : "+memory=" + memory.text());
    }

    /** A java command with the options of the collector, bound. */
    Arm bound(Topology topology, List<String> javaCommand, int threads) {
        List<String> command = new ArrayList<>(javaCommand);
        command.addAll(1, collector.options(numa));
        CommandArms arms = new CommandArms(topology, command, true, (plan, name) -> {
            throw new IllegalStateException("a process that is bound as a whole needs no plan");
        });
        arms.add(UserArm.of(name(), run(threads)));
        // Arms differ in their collector, so that nothing follows for the kernel's own placement.
        return arms.arms().get(0).withBinding(Arm.Binding.UNKNOWN);
    }

    private PlannedRun run(int threads) {
        return PlannedRun.of(
                new Placement(level, Optional.empty(), Optional.empty(), Optional.empty(), memory, List.of()), threads);
    }

    /** Equal for arms whose processes get the same CPUs and memory. */
    Object place(Topology topology, int threads) {
        var plan = run(threads).plan(topology);
        return List.of(plan.workerCpus(0), plan.memory(), plan.workerNodes(0));
    }

    CollectorArm withNuma(boolean newNuma) {
        return new CollectorArm(collector, newNuma, level, memory);
    }

    CollectorArm withLevel(OrderedLevel newLevel) {
        return new CollectorArm(collector, numa, newLevel, memory);
    }

    CollectorArm withMemory(MemoryArgument newMemory) {
        return new CollectorArm(collector, numa, level, newMemory);
    }
}

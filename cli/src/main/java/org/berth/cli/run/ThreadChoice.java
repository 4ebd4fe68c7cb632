package org.berth.cli.run;

import java.util.List;
import java.util.stream.Stream;
import org.berth.binding.AgentOptions;
import org.berth.topology.CpuSet;

/**
 * What the options of single threads ask for.
 *
 * @param options the same for the agent
 * @param targets their targets, as far as the command line and the file of rules name them
 */
public record ThreadChoice(AgentOptions options, List<ThreadTarget> targets) {
    public ThreadChoice {
        targets = List.copyOf(targets);
    }

    /** No option for single threads. */
    public static ThreadChoice none() {
        return new ThreadChoice(AgentOptions.none(), List.of());
    }

    ThreadChoice and(ThreadChoice others) {
        return new ThreadChoice(
                options.and(others.options),
                Stream.concat(targets.stream(), others.targets.stream()).toList());
    }

    boolean isNumbered() {
        return targets.stream().anyMatch(ThreadTarget::isNumbered);
    }

    /** A usage error for slots or CPUs that the command does not get. */
    public void require(int slots, CpuSet cpus) {
        targets.forEach(target -> target.require(slots, cpus));
    }
}

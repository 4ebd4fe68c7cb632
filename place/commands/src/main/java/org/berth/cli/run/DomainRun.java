package org.berth.cli.run;

import java.util.List;
import java.util.Optional;
import org.berth.binding.internal.launch.AgentOptions;
import org.berth.binding.internal.launch.DomainRequest;
import org.berth.placement.MemoryMode;
import org.berth.topology.NodeSet;

/**
 * A command that gets a domain by a lease. The machine is not examined: the agent or {@code berth-exec} does that when
 * the command starts.
 *
 * @param nodes the memory nodes of the mode; empty for those of the domain
 * @param threadOptions the agent's options for single threads
 * @param defaultPolicy whether an inherited memory policy is given up
 */
public record DomainRun(
        DomainRequest domain,
        MemoryMode memory,
        Optional<NodeSet> nodes,
        AgentOptions threadOptions,
        boolean defaultPolicy)
        implements RunRequest {
    public Launch launch(boolean javaLauncher, List<String> command) {
        boolean agent = LaunchPlanner.isForAgent(javaLauncher, command, !threadOptions.isEmpty());
        Launch launch = LaunchPlanner.ofOneWorker(threadOptions).launchInDomain(this, agent, command);
        return defaultPolicy ? launch.withDefaultPolicy() : launch;
    }

    /** "domain numa (free), memory bind". */
    String words() {
        return "domain " + domain.kind() + " (" + domain.select().orElse("free") + "), memory " + memory.word();
    }
}

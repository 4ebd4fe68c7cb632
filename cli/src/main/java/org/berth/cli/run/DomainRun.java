package org.berth.cli.run;

import java.util.List;
import org.berth.binding.AgentOptions;
import org.berth.binding.DomainRequest;
import org.berth.placement.MemoryMode;

/**
 * A command that gets a domain by a lease. The machine is not examined: the agent or {@code berth-exec} does that when
 * the command starts.
 *
 * @param threadOptions the agent's options for single threads
 */
public record DomainRun(DomainRequest domain, MemoryMode memory, AgentOptions threadOptions) implements RunRequest {
    public Launch launch(boolean javaLauncher, List<String> command) {
        return LaunchPlanner.ofOneWorker(threadOptions).launchInDomain(domain, memory, javaLauncher, command);
    }

    /** "domain numa (free), memory bind". */
    String words() {
        return "domain " + domain.kind() + " (" + domain.select().orElse("free") + "), memory " + memory.word();
    }
}

package org.berth.cli.split;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.binding.AgentOptions;
import org.berth.binding.DomainRequest;
import org.berth.cli.run.DomainRun;
import org.berth.cli.run.Launch;
import org.berth.placement.HostShape;
import org.berth.placement.MemoryMode;
import org.berth.placement.ShapePart;

/**
 * The processes of a split: each gets the CPUs of its part by a lease, in the way of {@code berth run --domain}.
 *
 * @param exclusive whether no other process with a lease may use the CPUs
 * @param leases directory of the ledger; empty for that of the host
 * @param name of the processes in the ledger, before their index
 * @param threads the agent's options for single threads
 */
record SplitPlan(
        HostShape shape,
        MemoryMode memory,
        boolean exclusive,
        Optional<String> leases,
        String name,
        AgentOptions threads) {
    SplitPlan {
        // A wrong name is found before anything is started.
        new DomainRequest("numa", Optional.empty(), leases, Optional.of(name));
    }

    int size() {
        return shape.parts().size();
    }

    /** The command of a process, without its binding. */
    List<String> command(int index, List<String> template) {
        return values(index).expand(template);
    }

    /** The command line that binds a process to its part and becomes its command. */
    Launch launch(int index, List<String> template, boolean javaLauncher) {
        ShapePart part = shape.parts().get(index);
        DomainRequest domain = new DomainRequest(
                "cpus:" + part.cpus(),
                exclusive ? Optional.of("exclusive") : Optional.empty(),
                leases,
                Optional.of(name + "-" + index));
        Launch bound = new DomainRun(domain, memory, threads).launch(javaLauncher, command(index, template));
        Map<String, String> environment = new LinkedHashMap<>(values(index).environment());
        environment.putAll(bound.environment());
        return new Launch(environment, bound.front(), bound.rest());
    }

    private Placeholders values(int index) {
        return new Placeholders(shape.parts().get(index), size());
    }
}

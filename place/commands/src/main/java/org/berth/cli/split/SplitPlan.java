package org.berth.cli.split;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.binding.internal.launch.AgentOptions;
import org.berth.binding.internal.launch.DomainRequest;
import org.berth.binding.internal.launch.LaunchWords;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.cli.run.DomainRun;
import org.berth.cli.run.Launch;
import org.berth.placement.MemoryMode;
import org.berth.placement.internal.shape.HostShape;
import org.berth.placement.internal.shape.ShapePart;
import org.berth.topology.NodeSet;

/**
 * The processes of a split: each gets the CPUs of its part by a lease, in the way of {@code berth run --domain}.
 *
 * @param bound whether they are bound to their parts; otherwise a part is only their share of heap and their numbers
 * @param defaultPolicy whether an inherited memory policy is given up for memory local
 * @param exclusive whether no other process with a lease may use the CPUs
 * @param leases directory of the ledger; empty for that of the host
 * @param name of the processes in the ledger, before their index
 * @param threads the agent's options for single threads and the heap, for each process
 */
public record SplitPlan(
        HostShape shape,
        boolean bound,
        MemoryMode memory,
        boolean defaultPolicy,
        boolean exclusive,
        Optional<String> leases,
        String name,
        List<AgentOptions> threads) {
    public SplitPlan {
        threads = List.copyOf(threads);
        // A wrong name is found before anything is started.
        new DomainRequest("numa", Optional.empty(), leases, Optional.of(name));
    }

    /** The number of processes. */
    public int size() {
        return shape.parts().size();
    }

    /** The command of a process, without its binding. */
    public List<String> command(int index, List<String> template) {
        return values(index).expand(template);
    }

    /** The command line that binds a process to its part and becomes its command. */
    public Launch launch(int index, List<String> template, boolean javaLauncher) {
        if (!bound) {
            // Berth-exec is there for the supervisor, whose keeper it is.
            List<String> front = LaunchWords.of(NativeLibrary.launcher()).words();
            return new Launch(values(index).environment(), front, command(index, template));
        }
        ShapePart part = shape.parts().get(index);
        DomainRequest domain = new DomainRequest(
                "cpus:" + part.cpus(),
                exclusive ? Optional.of("exclusive") : Optional.empty(),
                leases,
                Optional.of(name + "-" + index));
        // Named, so that the memory is that of the nodes whose size the heap was fitted to.
        Optional<NodeSet> nodes = memory == MemoryMode.LOCAL ? Optional.empty() : Optional.of(part.memoryNodes());
        Launch bound = new DomainRun(domain, memory, nodes, threads.get(index), defaultPolicy)
                .launch(javaLauncher, command(index, template));
        Map<String, String> environment = new LinkedHashMap<>(values(index).environment());
        environment.putAll(bound.environment());
        // The starter prints the place itself.
        return new Launch(environment, bound.front(), bound.rest()).silent();
    }

    private Placeholders values(int index) {
        return new Placeholders(shape.parts().get(index), size());
    }
}

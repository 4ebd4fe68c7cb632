package org.berth.cli.run;

import java.util.List;
import org.berth.binding.AgentOptions;
import org.berth.cli.plan.Placement;
import org.berth.cli.plan.PlacementOptions;
import org.berth.cli.shared.CommandException;
import org.berth.placement.ThreadRule;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that bind a command: those of {@code run}, which an arm of {@code compare} takes as well. */
public final class RunOptions {
    @Mixin
    private PlacementOptions placement = new PlacementOptions();

    @Mixin
    private DomainOptions domain = new DomainOptions();

    @Mixin
    private ThreadOptions threadOptions = new ThreadOptions();

    @Option(
            names = "--threads",
            paramLabel = "T",
            defaultValue = "1",
            description = "Number of cores (level core), PUs (level pu) or slots of a policy that the command gets;"
                    + " default 1.")
    private int threads = 1;

    /** The values of the options; a usage error when they contradict each other. */
    public RunRequest request() {
        return domain.request()
                .<RunRequest>map(request -> {
                    if (threads != 1) {
                        throw CommandException.usage("--threads is for --level and --policy; --domain core:" + threads
                                + " gives that many cores");
                    }
                    Placement rest = placement.withoutCpus();
                    return new DomainRun(
                            request,
                            rest.memory().mode(),
                            ruleOptions(rest.rules()).and(threadOptions.agentOptions(true)));
                })
                .orElseGet(this::planned);
    }

    private PlannedRun planned() {
        Placement wanted = placement.placement();
        if (threads < 1) {
            throw CommandException.usage("--threads " + threads + ": a command needs at least one thread");
        }
        if (threads != 1 && !placement.hasLevelOrPolicy()) {
            throw CommandException.usage("--threads " + threads + " needs --level core or pu, or --policy: without a"
                    + " level the command gets all CPUs that the other options leave");
        }
        return new PlannedRun(wanted, threads, threadOptions.agentOptions(false));
    }

    private static AgentOptions ruleOptions(List<ThreadRule> rules) {
        AgentOptions options = AgentOptions.none();
        for (ThreadRule rule : rules) {
            options = options.withRule(rule.glob());
        }
        return options;
    }
}

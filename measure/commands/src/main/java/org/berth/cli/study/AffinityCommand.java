package org.berth.cli.study;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.berth.cli.shared.CommonOptions;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.cli.shared.arguments.OptionRules;
import org.berth.topology.Topology;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth study affinity}: MapReduce workloads on Berth's engine at several levels. */
@CommonOptions({
    "--dry-run",
    "--workloads",
    "--levels",
    "--engines",
    "--workers",
    "--threads",
    "--scale",
    "--input",
    "--runs",
    "--results",
    "--resume",
    "--json"
})
@Command(
        name = "affinity",
        description = {
            "Run MapReduce workloads on Berth's engine at several levels, and draw one figure.",
            "Give each workload a --scale whose run takes about a minute: the plan (--dry-run) prints it."
        },
        footer = {
            "",
            "berth study affinity --dry-run",
            "berth study affinity --workloads sort,kmeans --levels none,core --runs 5 --results affinity-study",
            "berth study affinity --resume affinity-study"
        })
final class AffinityCommand implements Callable<Integer>, OptionRules {
    @Mixin
    private AffinityOptions options = new AffinityOptions();

    @Mixin
    private StudyOptions study = new StudyOptions();

    private final Terminal terminal;

    AffinityCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public List<OptionRule> optionRules() {
        return StudyOptions.RULES;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Topology topology = TargetMachine.live().topology();
        return study.run(terminal, topology, new AffinityPlan(AffinityStudy.of(options, topology)), true);
    }
}

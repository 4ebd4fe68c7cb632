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

/** {@code berth study collectors}: a job of known live sets, or a java command, under each garbage collector. */
@CommonOptions({
    "--dry-run",
    "--gc",
    "--numa",
    "--levels",
    "--memory",
    "--live-sets",
    "--heap",
    "--threads",
    "--scale",
    "--runs",
    "--results",
    "--resume",
    "--json"
})
@Command(
        name = "collectors",
        description = {
            "Run a job of known live sets, or your java command, under each garbage collector, with UseNUMA and without.",
            "The report has pauses, throughput, CPU time of the collector and remote memory."
        },
        footer = {
            "",
            "berth study collectors --dry-run",
            "berth study collectors --gc g1,parallel -- java -Xmx1g -jar job.jar",
            "berth study collectors --live-sets 1g,8g --scale 50000 --results collector-study"
        })
final class CollectorsCommand implements Callable<Integer>, OptionRules {
    @Mixin
    private CollectorOptions options = new CollectorOptions();

    @Mixin
    private StudyOptions study = new StudyOptions();

    private final Terminal terminal;

    CollectorsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public List<OptionRule> optionRules() {
        return StudyOptions.RULES;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Topology topology = TargetMachine.live().topology();
        CollectorStudy chosen = CollectorStudy.of(options, topology);
        return study.run(
                terminal, topology, new CollectorPlan(chosen), chosen.command().isEmpty());
    }
}

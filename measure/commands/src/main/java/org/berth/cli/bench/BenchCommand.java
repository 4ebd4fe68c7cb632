package org.berth.cli.bench;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.berth.cli.bench.jobs.Job;
import org.berth.cli.compare.ComparisonOptions;
import org.berth.cli.compare.arms.ArmOptions;
import org.berth.cli.compare.output.ParagraphWidth;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.CommonOptions;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.cli.shared.arguments.OptionRules;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth bench}: runs a job that comes with Berth under several arms, interleaved, and reports the differences. */
@CommonOptions({
    "--levels",
    "--engines",
    "--ways",
    "--policies",
    "--scale",
    "--input",
    "--threads",
    "--runs",
    "--until-decided",
    "--results",
    "--resume",
    "--json"
})
@Command(
        name = "bench",
        description = {
            "Run a job that comes with Berth under several placements, and report ratios with confidence intervals and a"
                    + " verdict.",
            "Without a job, the command lists all of them. Options of the job itself follow --. 'berth compare' does the"
                    + " same for your own command."
        },
        footer = {
            "",
            "berth bench",
            "berth bench kmeans",
            "berth bench tpch --scale 0.01 -- --queries 1,6,13",
            "berth bench mr-wordcount --engines local,berth"
        })
public final class BenchCommand implements Callable<Integer>, OptionRules {
    @Mixin
    private JobChoice job = new JobChoice();

    @Mixin
    private ComparisonOptions comparison = new ComparisonOptions();

    private final Terminal terminal;

    public BenchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public List<OptionRule> optionRules() {
        return Stream.concat(
                        Stream.of(
                                OptionRule.excludes(
                                        "--balance-or-bind",
                                        "--levels --policies --engines --ways --kernel",
                                        ArmOptions.OWN_ARMS),
                                OptionRule.excludes("--levels", "--policies", "both choose the arms")),
                        ComparisonOptions.RULES.stream())
                .toList();
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (job.isMissing()) {
            JsonOption json = comparison.results().json();
            String file = json.target();
            if (Job.all().stream().anyMatch(known -> known.name().equals(file))) {
                throw CommandException.usage(
                        "--json " + file + ": the file would have the name of a job; write the job first: 'berth bench "
                                + file + " --json'");
            }
            json.write(
                    terminal,
                    "the jobs",
                    Job::json,
                    () -> String.join("\n", Job.table(ParagraphWidth.of(terminal))) + "\n");
            return 0;
        }
        return comparison.compare(terminal, job.work(comparison), true);
    }
}

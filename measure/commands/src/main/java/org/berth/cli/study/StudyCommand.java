package org.berth.cli.study;

import org.berth.cli.shared.CommandGroup;
import org.berth.cli.shared.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code berth study}: the same comparison for several workloads, with one report and one figure. */
@Command(
        name = "study",
        synopsisSubcommandLabel = "affinity|collectors",
        description = {
            "Run many comparisons, and draw their results as one figure.",
            "A study takes hours: --dry-run prints the plan with its duration after one run of each workload."
        },
        footer = {
            "",
            "berth study affinity --dry-run",
            "berth study collectors --dry-run",
            "berth study collectors --gc g1,parallel -- java -Xmx1g -jar job.jar"
        })
public final class StudyCommand extends CommandGroup {
    private StudyCommand() {}

    /** Makes the command with one command for each study. */
    public static CommandLine with(Terminal terminal) {
        return new CommandLine(new StudyCommand())
                .addSubcommand(new AffinityCommand(terminal))
                .addSubcommand(new CollectorsCommand(terminal));
    }
}

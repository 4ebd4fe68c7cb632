package org.berth.cli.study;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.cli.compare.ConditionOptions;
import org.berth.cli.compare.ResultOptions;
import org.berth.cli.compare.RoundOptions;
import org.berth.cli.compare.arms.CompareFolder;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.topology.Topology;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that every study has, and what runs it. */
final class StudyOptions {
    static final List<OptionRule> RULES = List.of(OptionRule.excludes("--results", "--resume", ""));

    @Option(
            names = "--dry-run",
            description = "Run each workload once, print the plan with its estimated duration, and exit.")
    private boolean dryRun;

    @Mixin
    private RoundOptions rounds = new RoundOptions();

    @Mixin
    private ResultOptions results = new ResultOptions();

    @Mixin
    private ConditionOptions conditions = new ConditionOptions();

    /**
     * Runs the study; returns the exit code.
     *
     * @param isJob whether its work has metrics of its own
     */
    int run(Terminal terminal, Topology topology, StudyPlan plan, boolean isJob)
            throws IOException, InterruptedException {
        conditions.check(isJob);
        results.checkOrder(conditions);
        rounds.check();
        results.checkFiles();
        try (CompareFolder folder = folder(terminal.err())) {
            return new StudyRun(terminal, topology, plan, rounds, conditions, folder).run(dryRun, results);
        }
    }

    /** The folder of the study; a usage error when an option names the wrong one. */
    private CompareFolder folder(PrintWriter err) {
        results.resume().filter(given -> !isStudy(given)).ifPresent(given -> {
            throw CommandException.usage("--resume " + given + ": there is no study in it");
        });
        return CompareFolder.open(results.results(), results.resume(), "berth-study-", StudyRun.PILOT, err);
    }

    private static boolean isStudy(Path folder) {
        return Files.exists(folder.resolve(StudyRun.PILOT));
    }
}

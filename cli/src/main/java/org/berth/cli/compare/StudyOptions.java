package org.berth.cli.compare;

import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of {@code compare --study}. */
final class StudyOptions {
    static final String AFFINITY = "affinity";

    @Option(
            names = "--study",
            paramLabel = "NAME",
            description = "Instead of one job, all of a study: " + AFFINITY
                    + " runs MapReduce workloads at several levels, on Berth's engine, and draws one figure. --engines,"
                    + " --levels, --threads (a list) and --runs (default: " + AffinityStudy.RUNS
                    + ") choose its runs, --scale and --input its work.")
    private Optional<String> study = Optional.empty();

    @Option(
            names = "--workloads",
            paramLabel = "LIST",
            description =
                    "The workloads of a study: names of jobs without mr-. Default: " + AffinityStudy.WORKLOADS + ".")
    private Optional<String> workloads = Optional.empty();

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "For a study: worker JVMs for each job; default: 2, or 1 on a machine with one CPU.")
    private Optional<String> workers = Optional.empty();

    @Option(
            names = "--dry-run",
            description = "For a study: run each workload once, print the plan with the time that it takes, and end.")
    private boolean dryRun;

    Optional<String> study() {
        return study;
    }

    Optional<String> workloads() {
        return workloads;
    }

    Optional<String> workers() {
        return workers;
    }

    boolean dryRun() {
        return dryRun;
    }

    /** Whether an option is given that has a meaning for a study only. */
    boolean isPartial() {
        return study.isEmpty() && (workloads.isPresent() || workers.isPresent() || dryRun);
    }
}

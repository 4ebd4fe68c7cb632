package org.berth.cli.compare.study;

import java.util.Optional;
import org.berth.cli.compare.AffinityStudy;
import picocli.CommandLine.Option;

/** The options of {@code compare --study}. */
public final class StudyOptions {
    public static final String AFFINITY = "affinity";
    public static final String COLLECTORS = "collectors";

    @Option(
            names = "--study",
            paramLabel = "NAME",
            description = "Instead of one job, run a whole study: " + AFFINITY
                    + " runs MapReduce workloads at several levels, on Berth's engine, and draws one figure. --engines,"
                    + " --levels, --threads (a list) and --runs (default: " + AffinityStudy.RUNS
                    + ") choose its runs, --scale and --input its work. " + COLLECTORS
                    + " runs a job of known live sets, or a java command, under each collector (--gc, --numa, --levels,"
                    + " --memory), and reports pauses, throughput, CPU time of the collector and remote memory; --runs"
                    + " (default: " + CollectorStudy.RUNS + ") and --scale (thousands of operations) choose its work.")
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
            names = "--gc",
            paramLabel = "LIST",
            description =
                    "For a study of collectors; the first one is the baseline. Default: " + Collector.DEFAULT + ".")
    private Optional<String> gc = Optional.empty();

    @Option(
            names = "--numa",
            paramLabel = "LIST",
            description = "For a study of collectors: UseNUMA off, on, or both. Default: off,on.")
    private Optional<String> numa = Optional.empty();

    @Option(
            names = "--memory",
            paramLabel = "LIST",
            description =
                    "For a study of collectors: memory modes of 'berth run' for the whole JVM, such as local,bind; default:"
                            + " local.")
    private Optional<String> memory = Optional.empty();

    @Option(
            names = "--live-sets",
            paramLabel = "LIST",
            description =
                    "For a study of collectors: sizes of the live data. Default: " + CollectorStudy.LIVE_SETS + ".")
    private Optional<String> liveSets = Optional.empty();

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            description = "For a study of collectors: the heap of each JVM. Default: " + CollectorStudy.HEAP_FACTOR
                    + " times the live set, at least " + CollectorStudy.SMALLEST_HEAP + "m.")
    private Optional<String> heap = Optional.empty();

    @Option(
            names = "--dry-run",
            description = "For a study: run each workload once, print the plan with its estimated duration, and exit.")
    private boolean dryRun;

    public Optional<String> study() {
        return study;
    }

    public Optional<String> workloads() {
        return workloads;
    }

    public Optional<String> workers() {
        return workers;
    }

    Optional<String> gc() {
        return gc;
    }

    Optional<String> numa() {
        return numa;
    }

    Optional<String> memory() {
        return memory;
    }

    Optional<String> liveSets() {
        return liveSets;
    }

    Optional<String> heap() {
        return heap;
    }

    public boolean dryRun() {
        return dryRun;
    }
}

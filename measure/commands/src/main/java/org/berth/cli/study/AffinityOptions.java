package org.berth.cli.study;

import java.util.Optional;
import org.berth.cli.compare.arms.LevelOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code study affinity} that choose its workloads and arms. */
final class AffinityOptions {
    @Option(
            names = "--workloads",
            paramLabel = "LIST",
            description = "The workloads: names of jobs without mr-. Default: " + AffinityStudy.WORKLOADS + ".")
    private Optional<String> workloads = Optional.empty();

    @Mixin
    private LevelOptions levels = new LevelOptions();

    @Option(
            names = "--engines",
            paramLabel = "LIST",
            description = "berth-spark, or berth with one worker; +heap=SIZE extends a word. Default: berth-spark.")
    private Optional<String> engines = Optional.empty();

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Worker JVMs for each job; default: 2, or 1 on a machine with one CPU.")
    private Optional<String> workers = Optional.empty();

    @Option(
            names = "--threads",
            paramLabel = "LIST",
            description = "Numbers of threads of each worker; default: one for each core, and one for each PU.")
    private Optional<String> threads = Optional.empty();

    @Option(
            names = "--scale",
            paramLabel = "N",
            description = "Amount of work of each workload, or WORKLOAD=N,… of some; 'berth bench' has the unit.")
    private Optional<String> scale = Optional.empty();

    @Option(
            names = "--input",
            paramLabel = "WORKLOAD=PATH",
            description = "Input of a workload that reads a file; a list names several: sort=FILE,pagerank=FILE.")
    private Optional<String> input = Optional.empty();

    Optional<String> workloads() {
        return workloads;
    }

    LevelOptions levels() {
        return levels;
    }

    Optional<String> engines() {
        return engines;
    }

    Optional<String> workers() {
        return workers;
    }

    Optional<String> threads() {
        return threads;
    }

    Optional<String> scale() {
        return scale;
    }

    Optional<String> input() {
        return input;
    }
}

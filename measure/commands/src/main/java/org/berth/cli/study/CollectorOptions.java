package org.berth.cli.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of {@code study collectors} that choose its work and arms. */
final class CollectorOptions {
    @Option(
            names = "--gc",
            paramLabel = "LIST",
            description = "The collectors; the first one is the baseline. Default: " + Collector.DEFAULT + ".")
    private Optional<String> gc = Optional.empty();

    @Option(names = "--numa", paramLabel = "LIST", description = "UseNUMA off, on, or both. Default: off,on.")
    private Optional<String> numa = Optional.empty();

    @Option(
            names = "--levels",
            paramLabel = "LIST",
            description = "Levels of the whole JVM; the first one is the baseline. Default: none.")
    private Optional<String> levels = Optional.empty();

    @Option(
            names = "--memory",
            paramLabel = "LIST",
            description = "Memory modes of 'berth run' for the whole JVM, such as local,bind; default: local.")
    private Optional<String> memory = Optional.empty();

    @Option(
            names = "--live-sets",
            paramLabel = "LIST",
            description = "Sizes of the live data of the job. Default: " + CollectorStudy.LIVE_SETS + ".")
    private Optional<String> liveSets = Optional.empty();

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            description = "The heap of each JVM of the job. Default: " + CollectorStudy.HEAP_FACTOR
                    + " times the live set, at least " + CollectorStudy.SMALLEST_HEAP + "m.")
    private Optional<String> heap = Optional.empty();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Number of worker threads; default: one for each allowed CPU.")
    private Optional<String> threads = Optional.empty();

    @Option(names = "--scale", paramLabel = "N", description = "Thousands of operations of the job. Default: 10000.")
    private Optional<String> scale = Optional.empty();

    @Parameters(
            arity = "0..*",
            paramLabel = "-- COMMAND",
            description = "A java command to measure instead of the job; it starts with java.")
    private List<String> command = new ArrayList<>();

    Optional<String> gc() {
        return gc;
    }

    Optional<String> numa() {
        return numa;
    }

    Optional<String> levels() {
        return levels;
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

    Optional<String> threads() {
        return threads;
    }

    Optional<String> scale() {
        return scale;
    }

    List<String> command() {
        return command;
    }
}

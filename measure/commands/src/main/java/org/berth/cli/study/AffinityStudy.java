package org.berth.cli.study;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.berth.cli.bench.jobs.EngineArms;
import org.berth.cli.bench.jobs.Job;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.cli.compare.arms.LevelChoice;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.arguments.WordList;
import org.berth.jobkit.EngineArm;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;

/**
 * What a study of affinity chooses: MapReduce workloads on Berth's engine, each at several levels and with several numbers of threads.
 *
 * @param engines without level and threads
 * @param workers worker JVMs of each job
 * @param threads numbers of threads in each of them
 * @param scales of workloads that have another one than their default
 * @param inputs files of the user's own, by workload
 */
record AffinityStudy(
        List<Job> workloads,
        List<EngineArm> engines,
        LevelChoice levels,
        int workers,
        List<Integer> threads,
        Map<String, String> scales,
        Map<String, Path> inputs) {
    static final String WORKLOADS = "sort,kmeans,pagerank,components,duplicates,correction";
    /** The number of runs in the literature. */
    static final int RUNS = 10;

    private static final String PREFIX = "mr-";

    /** Usage errors when a word is wrong. */
    static AffinityStudy of(AffinityOptions options, Topology topology) {
        int cpus = topology.allowedCpuSet().size();
        int workers = options.workers()
                .map(text -> Arguments.count("--workers", text))
                .orElse(Math.min(2, cpus));
        List<Job> workloads = WordList.parse(
                "--workloads",
                options.workloads().orElse(WORKLOADS),
                Job.all().stream().filter(Job::hasEngines).toList(),
                AffinityStudy::name);
        return new AffinityStudy(
                workloads,
                engines(options.engines(), workers),
                new LevelChoice(options.levels().list(), false),
                workers,
                options.threads().map(AffinityStudy::counts).orElseGet(() -> ordinaryThreads(topology, workers)),
                scales(options.scale(), workloads),
                inputs(options.input(), workloads));
    }

    /** The name without the prefix of MapReduce jobs. */
    static String name(Job job) {
        return job.name().substring(PREFIX.length());
    }

    private static List<EngineArm> engines(Optional<String> given, int workers) {
        List<EngineArm> engines = EngineArms.WORDS.parse(given.orElse(workers == 1 ? "berth" : "berth-spark"), true);
        for (EngineArm engine : engines) {
            boolean embedded = engine.engine() == EngineArm.Engine.BERTH;
            if (!embedded && engine.engine() != EngineArm.Engine.BERTH_SPARK) {
                throw CommandException.usage(
                        "--engines " + engine + ": levels have no meaning for it; a study of affinity"
                                + " has berth and berth-spark ('berth bench' compares engines)");
            }
            if (embedded && workers > 1) {
                throw CommandException.usage("--engines " + engine + " --workers " + workers
                        + ": this engine is one process; use berth-spark or --workers 1");
            }
        }
        return engines;
    }

    private static List<Integer> counts(String list) {
        return WordList.parse("--threads", list, word -> Arguments.count("--threads", word));
    }

    /** A thread for each core, and one for each PU where there are more of them. */
    private static List<Integer> ordinaryThreads(Topology topology, int workers) {
        CpuSet allowed = topology.allowedCpuSet();
        int cores = topology.objectsIntersecting(allowed, ObjectType.CORE).size();
        return new ArrayList<>(
                new LinkedHashSet<>(List.of(Math.max(1, cores / workers), Math.max(1, allowed.size() / workers))));
    }

    /** "8", or "sort=512,kmeans=4". */
    private static Map<String, String> scales(Optional<String> given, List<Job> workloads) {
        Map<String, String> scales = new HashMap<>();
        for (String word : words("--scale", given)) {
            String[] pair = word.split("=", 2);
            if (pair.length == 1) {
                workloads.forEach(job -> scales.put(name(job), pair[0]));
            } else {
                scales.put(name(chosen(workloads, "--scale " + word, pair[0])), pair[1]);
            }
        }
        return scales;
    }

    /** "sort=/data/text,pagerank=/data/graph". */
    private static Map<String, Path> inputs(Optional<String> given, List<Job> workloads) {
        Map<String, Path> inputs = new HashMap<>();
        for (String word : words("--input", given)) {
            String option = "--input " + word;
            String[] pair = word.split("=", 2);
            if (pair.length == 1 || pair[1].isEmpty()) {
                throw CommandException.usage(option + ": a study needs the workload, too; give WORKLOAD=PATH,…");
            }
            Job job = chosen(workloads, option, pair[0]);
            if (!job.readsInput()) {
                throw CommandException.usage(option + ": this workload reads no file");
            }
            inputs.put(pair[0], Path.of(pair[1]));
        }
        return inputs;
    }

    private static List<String> words(String option, Optional<String> given) {
        return given.map(list -> WordList.parse(option, list, Function.identity()))
                .orElse(List.of());
    }

    private static Job chosen(List<Job> workloads, String option, String name) {
        return workloads.stream()
                .filter(job -> name(job).equals(name))
                .findFirst()
                .orElseThrow(() -> CommandException.usage(option + ": '" + name + "' is not one of the workloads"));
    }

    /** The scale of a workload unless it is the job's default. */
    Optional<String> scale(Job job) {
        return Optional.ofNullable(scales.get(name(job)));
    }

    /** The user's file for a workload. */
    Optional<Path> input(Job job) {
        return Optional.ofNullable(inputs.get(name(job)));
    }

    /** One part for each workload, engine and number of threads; a failure where levels do not differ. */
    List<AffinityPart> parts(Topology topology) {
        List<AffinityPart> parts = new ArrayList<>();
        for (EngineArm engine : engines) {
            for (int count : threads) {
                CompareArms arms =
                        CompareArms.of(topology, levels.on(topology), Optional.of(workers * count), List.of());
                arms.requireTwo(topology, levels, "give --levels that differ on this machine, or other --threads");
                workloads.forEach(job -> parts.add(new AffinityPart(job, engine, workers, count, arms)));
            }
        }
        return parts;
    }
}

package org.berth.cli.study;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.berth.cli.bench.jobs.EngineArms;
import org.berth.cli.bench.jobs.Job;
import org.berth.cli.bench.jobs.JobRun;
import org.berth.cli.bench.jobs.WayArms;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.topology.Topology;

/** A study of affinity, with its jobs prepared. */
final class AffinityPlan implements StudyPlan {
    private final AffinityStudy study;
    private final Map<Job, JobRun> prepared = new LinkedHashMap<>();

    AffinityPlan(AffinityStudy study) {
        this.study = study;
    }

    @Override
    public String title() {
        return "affinity of MapReduce workloads";
    }

    @Override
    public int runs() {
        return AffinityStudy.RUNS;
    }

    @Override
    public List<StudyPart> parts(Topology topology, Path folder, PrintWriter err)
            throws IOException, InterruptedException {
        List<AffinityPart> parts = study.parts(topology);
        for (Job job : study.workloads()) {
            prepared.put(job, JobRun.prepare(job, study.input(job), 0, study.scale(job), List.of(), err));
        }
        Path sparkHome = sparkHome(folder);
        return parts.stream()
                .map(part -> part.ready(runOf(part.job()), sparkHome))
                .toList();
    }

    /** Its jars are there when an engine needs them. */
    private Path sparkHome(Path folder) throws IOException {
        return study.engines().stream().anyMatch(engine -> engine.engine().isOnSpark())
                ? WayArms.sparkHome(folder, EngineArms.sparkLibraries())
                : folder;
    }

    private JobRun runOf(Job job) {
        JobRun run = prepared.get(job);
        if (run == null) {
            throw new IllegalStateException(job.name() + " was not prepared");
        }
        return run;
    }

    @Override
    public List<String> remarks(Topology topology) {
        List<String> remarks = new ArrayList<>();
        remarks.add("Work: " + study.workloads().stream().map(this::work).collect(Collectors.joining(", ")) + ".");
        if (CompareArms.packages(topology) == 1 && CompareArms.nodes(topology) <= 1) {
            remarks.add(
                    "This machine has one package and one memory node: here levels can show only their cost, and what"
                            + " fewer migrations gain.");
        }
        return remarks;
    }

    private String work(Job job) {
        String input =
                job.readsInput() ? " of " + Path.of(runOf(job).value("--input")).getFileName() : "";
        return AffinityStudy.name(job) + " --scale " + study.scale(job).orElse(job.scale()) + " (" + job.scaleUnit()
                + input + ")";
    }
}

package org.berth.cli.study;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.cli.bench.jobs.Job;
import org.berth.cli.bench.jobs.JobRun;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.cli.shared.CommandException;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.Metric;
import org.berth.placement.AffinityLevel;
import org.berth.report.study.CollectorSections;
import org.berth.report.study.Study;
import org.berth.text.ShellWord;
import org.berth.text.Words;
import org.berth.topology.Topology;

/** A study of collectors: finds the arms that this JVM and this machine can tell apart, and makes its parts. */
final class CollectorPlan implements StudyPlan {
    private static final String COMMAND = "command";

    private final CollectorStudy study;
    private final List<CollectorArm> arms = new ArrayList<>();
    private final List<String> absent = new ArrayList<>();
    private boolean usesNuma;

    public CollectorPlan(CollectorStudy study) {
        this.study = study;
    }

    @Override
    public String title() {
        return "collectors and memory nodes";
    }

    @Override
    public int runs() {
        return CollectorStudy.RUNS;
    }

    @Override
    public Experiment measured(Experiment experiment) {
        return experiment.withConditions(experiment.conditions().withGcLog(true));
    }

    @Override
    public List<StudyPart> parts(Topology topology, Path folder, PrintWriter err)
            throws IOException, InterruptedException {
        chooseArms(topology, err);
        if (!study.command().isEmpty()) {
            String setting =
                    Words.count(arms.size(), "arm") + " of " + study.command().get(0);
            return List.of(part(topology, COMMAND, setting, study.command(), List.of()));
        }
        List<StudyPart> parts = new ArrayList<>();
        for (int live : study.liveMegabytes()) {
            List<String> options = new ArrayList<>();
            study.operations().ifPresent(thousands -> options.addAll(List.of("--operations", thousands)));
            JobRun run = JobRun.prepare(
                    Job.named(CollectorStudy.JOB),
                    Optional.empty(),
                    study.threads(),
                    Optional.of(Integer.toString(live)),
                    options,
                    err);
            int heap = study.heapMegabytes(live);
            parts.add(part(
                    topology,
                    CollectorStudy.JOB + "-" + live + "m",
                    Words.count(study.threads(), "thread") + ", heap " + heap + "m",
                    run.command(List.of("-Xms" + heap + "m", "-Xmx" + heap + "m")),
                    run.job().metrics(run.options())));
        }
        return parts;
    }

    private StudyPart part(
            Topology topology, String workload, String setting, List<String> javaCommand, List<Metric> metrics) {
        List<Arm> list = arms.stream()
                .map(arm -> arm.bound(topology, javaCommand, study.threads()))
                .toList();
        Arm first = list.get(0);
        return new StudyPart(
                workload,
                setting,
                workload,
                CompareArms.none().withAbsent(absent),
                Experiment.of(workload, list).withMetrics(metrics),
                new Arm(workload, first.command(), first.environment(), first.expectation()));
    }

    /** Starts a JVM for each arm, which takes a fraction of a second: only the JVM knows what it makes of the options. */
    private void chooseArms(Topology topology, PrintWriter err) throws IOException, InterruptedException {
        String java = study.command().isEmpty()
                ? Path.of(System.getProperty("java.home"), "bin", "java").toString()
                : study.command().get(0);
        Map<Object, CollectorArm> known = new LinkedHashMap<>();
        for (CollectorArm arm : study.arms()) {
            CollectorProbe probe = CollectorProbe.of(
                    arm.bound(topology, List.of(java, "-XX:+PrintFlagsFinal", "-version"), study.threads()));
            if (probe.refused().isPresent()) {
                absent.add(arm.name() + ": this JVM does not start with it ("
                        + probe.refused().get() + ")");
                continue;
            }
            usesNuma |= probe.usesNuma();
            CollectorArm same = known.putIfAbsent(
                    List.of(arm.collector(), probe.usesNuma(), arm.place(topology, study.threads())), arm);
            if (same == null) {
                arms.add(arm);
                if (arm.numa() && !probe.usesNuma()) {
                    absent.add("UseNUMA of " + arm.name() + ": " + switchedOff(arm, probe, topology)
                            + "; the arm runs without it");
                }
            } else {
                absent.add(arm.name() + ": the same as " + same.name() + ", "
                        + (same.numa() == arm.numa()
                                ? "with the same CPUs and memory on this machine"
                                : switchedOff(arm, probe, topology)));
            }
        }
        absent.forEach(line -> err.println("not run: " + line));
        err.flush();
        if (arms.isEmpty()) {
            throw CommandException.failure("nothing to compare: " + String.join("; ", absent));
        }
    }

    private static String switchedOff(CollectorArm arm, CollectorProbe probe, Topology topology) {
        String why = probe.reason()
                .orElse(
                        CompareArms.nodes(topology) <= 1
                                ? "there is one memory node"
                                : arm.level().level() == AffinityLevel.NONE
                                        ? "it gives no reason"
                                        : "its memory is bound to one node");
        return "the JVM switched UseNUMA off (" + why + ")";
    }

    @Override
    public List<String> remarks(Topology topology) {
        List<String> remarks = new ArrayList<>();
        remarks.add(
                study.command().isEmpty()
                        ? "Work: the job allocation; its live set is in the name of the workload, and -Xms and -Xmx are the heap."
                        : "Work: "
                                + String.join(
                                        " ",
                                        study.command().stream()
                                                .map(ShellWord::quote)
                                                .toList()));
        absent.forEach(line -> remarks.add("Not run: " + line + "."));
        if (CompareArms.nodes(topology) <= 1) {
            remarks.add(
                    "This machine has one memory node: nothing here shows what UseNUMA, a level or a memory mode gains;"
                            + " collectors differ in what they cost.");
        }
        List<String> interleaved = arms.stream()
                .filter(arm -> arm.numa() && !arm.collector().placesByNode())
                .map(arm -> arm.collector().word())
                .distinct()
                .toList();
        if (usesNuma && !interleaved.isEmpty()) {
            remarks.add("UseNUMA does not make " + Words.and(interleaved)
                    + " place objects by node: the JVM interleaves their heap over the nodes.");
        }
        return remarks;
    }

    @Override
    public List<Study.Section> sections(List<Study.Part> done) {
        List<String> names = arms.stream().map(CollectorArm::name).toList();
        List<CollectorSections.Pair> pairs = new ArrayList<>();
        for (CollectorArm arm : arms) {
            for (CollectorArm other : List.of(
                    arm.withNuma(study.numa().get(0)),
                    arm.withLevel(study.levels().get(0)),
                    arm.withMemory(study.memories().get(0)))) {
                if (!other.equals(arm) && names.contains(other.name())) {
                    pairs.add(new CollectorSections.Pair(arm.name(), other.name()));
                }
            }
        }
        return CollectorSections.of(done, pairs);
    }
}

/**
 * Runs the same work in several ways and tells whether they differ: paired runs in an order that is drawn, each in a fresh process whose
 * threads are sampled.
 *
 * <p>This package knows nothing of affinity levels or engines. A comparison of placements builds one
 * {@link org.berth.experiments.Arm} per placement: the command line that starts the work bound in that way, and an
 * {@link org.berth.observation.internal.threads.Expectation} of where its threads will then be. The first arm is the baseline.
 *
 * <pre>{@code
 * List<Arm> arms = List.of(
 *         Arm.of("none", "java", "-jar", "job.jar"),
 *         new Arm("one-cpu", List.of("taskset", "-c", "1", "java", "-jar", "job.jar"), Map.of(),
 *                 Expectation.within(CpuSet.of(1))));
 * Experiment experiment = Experiment.of("job", arms)
 *         .withRounds(6)
 *         .withMetric(new Metric("job", "s", Pattern.compile("job-seconds=([0-9.]+)")));
 * ExperimentResult result = new ExperimentRunner(experiment, topology, directory, Progress.NONE).run();
 * for (ArmSummary arm : result.summary().arms()) {
 *     System.out.println(arm.arm() + " " + arm.wallSeconds() + " " + Verdict.of(arm.ratio(), Verdict.MARGIN).kind());
 * }
 * }</pre>
 *
 * How it is made fair: {@link org.berth.experiments.Schedule} (order), {@link org.berth.experiments.statistics.Ratio} (pairs and
 * interval), {@link org.berth.experiments.result.Summary} (several arms), {@link org.berth.experiments.result.StoppingRule} (interim looks). Runs that fail or take too long are kept and shown ({@link org.berth.experiments.Trial.Outcome}). The raw
 * numbers are in {@code trials.jsonl}, next to the output of each run.
 */
@NullMarked
package org.berth.experiments;

import org.jspecify.annotations.NullMarked;

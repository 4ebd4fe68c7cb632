package org.berth.experiments.trial;

import java.util.OptionalDouble;
import org.berth.observation.internal.kernel.BalancingCounters;

/**
 * What NUMA balancing had done at one moment of a run.
 *
 * @param seconds since the run began
 * @param counters of the whole machine, since the run began
 * @param remoteShare of the memory of the run's processes, what lay on nodes not near the CPUs that their threads may use; empty where
 *     it was not read at that moment
 */
public record BalancingSample(double seconds, BalancingCounters counters, OptionalDouble remoteShare) {}

package org.berth.experiments;

import java.time.Duration;
import org.berth.observation.internal.threads.ResidencyShare;
import org.berth.observation.threads.MigrationCount;

/**
 * What sampling saw of the threads of one run.
 *
 * @param samples how many were taken
 * @param processes how many processes were sampled, over the whole run
 * @param mostThreads the largest number of threads in a sample
 * @param migrations how often threads moved
 * @param workerMigrations how often those of them did that do the work, known by their last names
 * @param residency in how many samples threads were where they were meant to be
 * @param cost CPU and waiting time that sampling took in this process, on the same machine as the work
 */
public record SamplingSummary(
        int samples,
        int processes,
        int mostThreads,
        MigrationCount migrations,
        MigrationCount workerMigrations,
        ResidencyShare residency,
        Duration cost) {}

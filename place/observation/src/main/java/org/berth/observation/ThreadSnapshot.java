package org.berth.observation;

import java.util.OptionalLong;
import org.berth.topology.CpuSet;

/**
 * One thread as the kernel showed it in one sample.
 *
 * @param tid the kernel's thread id, unique on the machine while the thread lives
 * @param name the kernel's name of the thread: at most 15 bytes of what the JVM calls it; control characters are
 *     replaced by question marks
 * @param state one letter: R running or runnable, S sleeping, D waiting for a device, Z ended (proc(5))
 * @param lastCpu osIndex of the CPU that the thread runs on or ran on last
 * @param allowed osIndexes of the CPUs that the thread may use; of a thread that did not run since the previous sample
 *     up to {@value ThreadSampler#ALLOWED_MAX_AGE_SAMPLES} samples old
 * @param cpuTimeNanos CPU time since the thread's start
 * @param migrations how often the kernel moved the thread to another CPU since its start ({@code nr_migrations}); empty
 *     where the kernel does not tell
 * @since 0.1.0
 */
public record ThreadSnapshot(
        int tid, String name, char state, int lastCpu, CpuSet allowed, long cpuTimeNanos, OptionalLong migrations) {}

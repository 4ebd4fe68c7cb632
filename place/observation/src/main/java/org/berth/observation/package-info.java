/**
 * The threads and the memory of a process, read from {@code /proc}: no native code, no privilege for a process of the same
 * user, no change to the observed process.
 *
 * <p>A {@link org.berth.observation.ThreadSampler} takes samples; fed in order, they become migrations in a
 * {@link org.berth.observation.MigrationCounter}, a picture in a {@link org.berth.observation.ThreadTimeline}, and the share
 * of samples in which threads were on their slots in a {@link org.berth.observation.Residency}:
 *
 * <pre>{@code
 * MigrationCounter migrations = new MigrationCounter(topology);
 * try (ThreadSampler sampler = ThreadSampler.of(pid)) {
 *     while (true) {
 *         migrations.add(sampler.sample());
 *         Thread.sleep(100);
 *     }
 * } catch (NoSuchProcessException ended) {
 *     MigrationCount count = migrations.count();
 *     System.out.println(count.betweenCpus() + " migrations between CPUs (" + count.source() + ")");
 * }
 * }</pre>
 *
 * <p>A good order to read the code in:
 *
 * <ol>
 *   <li>Threads: {@code ThreadSampler} over {@code TaskReader} and {@code ProcText}; {@code ProcessSample},
 *       {@code ThreadSnapshot}.
 *   <li>What samples add up to: {@code SampleChanges}, then {@code MigrationCounter}, {@code Residency} with
 *       {@code Expectation}, and {@code ThreadTimeline}.
 *   <li>Memory: {@code MemorySnapshot} over {@code NumaMapsLine}; {@code MemoryLocality}; {@code HeapMemory}, which finds the
 *       heap of a JVM by {@code HeapRange} over {@code JvmMemory}.
 *   <li>Processes and their machine: {@code ProcessFacts}, {@code ControlGroupLimits}, {@code KernelSettings}.
 *   <li>Devices: {@code DeviceTrace} finds the disk below a path or the adapter towards a peer ({@code BlockTrace},
 *       {@code NetworkTrace}, {@code RouteTable}); {@code InterruptMap} the CPUs that handle its interrupts.
 *   <li>Load: {@code LoadMonitor} with {@code LoadHistory} and {@code CpuTimes}.
 * </ol>
 *
 * <p>A fact that cannot be read is reported as an {@link org.berth.observation.ObservationException} with its reason.
 */
@NullMarked
package org.berth.observation;

import org.jspecify.annotations.NullMarked;

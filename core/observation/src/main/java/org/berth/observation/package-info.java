/**
 * What the threads and the memory of a process do, read from {@code /proc}: no native code, no privilege for a process
 * of the same user, no change to the process that is watched.
 *
 * <p>A {@link org.berth.observation.ThreadSampler} takes samples; whoever wants to know something over time feeds them,
 * in order, to a {@link org.berth.observation.MigrationCounter} (how often threads moved), a
 * {@link org.berth.observation.ThreadTimeline} (where they ran, for a picture) or a
 * {@link org.berth.observation.Residency} (how often they were where they were meant to be):
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
 *     System.out.println(count.betweenCpus() + " moves between CPUs (" + count.source() + ")");
 * }
 * }</pre>
 *
 * {@link org.berth.observation.MemorySnapshot} says on which NUMA nodes the memory of a process lies;
 * {@link org.berth.observation.ProcessFacts}, {@link org.berth.observation.ControlGroupLimits} and
 * {@link org.berth.observation.KernelSettings} what holds a process, and how its machine is set up.
 *
 * <p>{@link org.berth.observation.InterruptMap} says which CPUs handle the interrupts of disks and network adapters,
 * {@link org.berth.observation.DeviceTrace} which of those serve a path or a peer, and a
 * {@link org.berth.observation.LoadMonitor} how busy each CPU is. What cannot be seen is reported as an {@link org.berth.observation.ObservationException} with its reason.
 */
@NullMarked
package org.berth.observation;

import org.jspecify.annotations.NullMarked;

/**
 * The threads and the memory of a process, read from {@code /proc}: no native code, no privilege for a process of the same
 * user, no change to the observed process.
 *
 * <p>A {@link org.berth.observation.ThreadSampler} takes samples; fed in order, they become migrations in a
 * {@link org.berth.observation.threads.MigrationCounter}, a picture in a {@link org.berth.observation.threads.ThreadTimeline}, and the share
 * of samples in which threads were on their slots in a {@link org.berth.observation.internal.threads.Residency}:
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
 * <p>Read {@code ThreadSampler}, {@code ProcessStatus} and {@code Reading} first: a reading is a value, that this
 * machine does not have it, or a {@code Refusal} with its reason. The packages below add up samples of threads and
 * read memory, JVMs, processes, the kernel's settings, devices and load.
 *
 * <p>A fact that cannot be read is reported as an {@link org.berth.observation.ObservationException} with its reason.
 */
@NullMarked
package org.berth.observation;

import org.jspecify.annotations.NullMarked;

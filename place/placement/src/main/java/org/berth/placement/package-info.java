/**
 * Plans for processes, threads and memory: pure functions from a topology and a request to slots, each with its reason.
 *
 * <pre>{@code
 * PlacementRequest request = PlacementRequest.of(AffinityLevel.CORE, 2, 4);
 * PlacementPlan plan = PlacementPolicies.byLevel().plan(topology, request);
 * for (Slot slot : plan.slots()) {
 *     System.out.println("worker " + slot.worker() + ", thread " + slot.thread() + ": CPUs " + slot.cpus()
 *             + ", nodes " + slot.memoryNodes() + ": " + slot.reason());
 * }
 * plan.notes().forEach(System.out::println); // every compromise
 * String text = plan.toText();               // what the agent and the Spark plugin read
 * }</pre>
 *
 * <p>Read {@code PlacementRequest} and {@code PlacementPlan} first. The package {@code policy} makes a plan of a
 * request, {@code shape} cuts a host into parts, and {@code dynamic} chooses a core for one thread at a time, by
 * interrupts and load.
 *
 * <p>Nothing here reads a file, a clock or the machine, so a plan for a machine on the other side of the world is the
 * same. Everything is immutable and safe for use by many threads.
 */
@NullMarked
package org.berth.placement;

import org.jspecify.annotations.NullMarked;

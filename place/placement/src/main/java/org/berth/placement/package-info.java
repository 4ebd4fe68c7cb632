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
 * <p>{@link org.berth.placement.DynamicPlacement} chooses a core for one thread at a time, by the interrupts of a disk and a
 * network adapter and by the load.
 *
 * <p>A good order to read the code in:
 *
 * <ol>
 *   <li>Question and answer: {@code PlacementRequest}, {@code AffinityLevel}; {@code PlacementPlan}, {@code Slot},
 *       {@code ThreadRule}.
 *   <li>By level: {@code LevelPolicy} cuts the usable CPUs ({@code UsableCpus}) into domains ({@code Domains}, {@code Domain}),
 *       a {@code CpuChooser} chooses for each thread, and {@code PlanAssembly} makes the plan and notes what is shared.
 *   <li>Near a device: {@code DevicePolicy}, {@code DevicePlacement}, {@code PuGroups}, {@code Remoteness}.
 *   <li>The plan as text, which the agent reads too: {@code PlanText}, {@code PlanParser}.
 *   <li>By interrupts and load: {@code DynamicPlacement} with {@code CoreClasses} and {@code DynamicState};
 *       {@code InterruptSpread} for the interrupts themselves.
 * </ol>
 *
 * <p>Nothing here reads a file, a clock or the machine, so a plan for a machine on the other side of the world is the
 * same. Everything is immutable and safe for use by many threads.
 */
@NullMarked
package org.berth.placement;

import org.jspecify.annotations.NullMarked;

/**
 * Plans for processes, threads and memory. The package holds the request and the plan, the levels, and how tightly and in which order
 * threads take caches; everything is a pure function of a topology and a request. Read {@code PlacementRequest} and {@code
 * PlacementPlan} first.
 */
@NullMarked
package org.berth.placement;

import org.berth.placement.dynamic.CoreClasses;
import org.berth.placement.dynamic.DynamicPlacement;
import org.berth.placement.dynamic.DynamicState;
import org.berth.placement.dynamic.InterruptSpread;
import org.berth.placement.internal.parts.Domain;
import org.berth.placement.policy.CpuChooser;
import org.berth.placement.policy.DevicePlacement;
import org.berth.placement.policy.Domains;
import org.berth.placement.policy.LevelPolicy;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.placement.policy.PlanAssembly;
import org.berth.placement.policy.PuGroups;
import org.berth.placement.policy.Remoteness;
import org.berth.placement.policy.UsableCpus;

import org.jspecify.annotations.NullMarked;

/**
 * Makes a plan of a request: {@code PlacementPolicies} is the factory of policies; the choosers behind it cut the usable part of a
 * machine and deal workers to its parts.
 */
@NullMarked
package org.berth.placement.policy;

import org.jspecify.annotations.NullMarked;

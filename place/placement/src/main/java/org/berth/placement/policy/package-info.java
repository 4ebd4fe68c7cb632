/** Makes a plan of a request: {@code PlacementPolicies} is the factory of policies. */
@NullMarked
package org.berth.placement.policy;

import org.jspecify.annotations.NullMarked;

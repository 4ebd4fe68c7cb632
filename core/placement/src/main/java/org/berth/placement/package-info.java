/**
 * Where processes, threads and memory should go: pure functions from a topology and a request to a plan that says why.
 * Nothing here reads a file, a clock or the machine, so a plan for a machine on the other side of the world is the same.
 */
@NullMarked
package org.berth.placement;

import org.jspecify.annotations.NullMarked;

/**
 * Finds the arms of a comparison that differ on this machine: levels, arms that the user writes, NUMA balancing, and settings of the
 * kernel. {@code berth tune} uses them too.
 */
@NullMarked
package org.berth.cli.compare.arms;

import org.jspecify.annotations.NullMarked;

/**
 * Asks hwloc what the machine is and gives it as an immutable topology. It also checks the descriptions of synthetic machines before
 * hwloc reads them.
 */
@NullMarked
package org.berth.binding.discovery;

import org.jspecify.annotations.NullMarked;

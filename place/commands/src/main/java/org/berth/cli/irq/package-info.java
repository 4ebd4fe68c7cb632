/** {@code berth irq}: shows and sets the CPUs that handle interrupts. */
@NullMarked
package org.berth.cli.irq;

import org.jspecify.annotations.NullMarked;

/** A part of the machine for each container of a YARN NodeManager; {@code docs/engines/yarn.md}. */
@NullMarked
package org.berth.yarn;

import org.jspecify.annotations.NullMarked;

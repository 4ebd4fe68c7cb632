/** Checks that need several memory nodes: they run in a guest whose kernel has them, and print a line each. */
@NullMarked
package org.berth.numavm;

import org.jspecify.annotations.NullMarked;

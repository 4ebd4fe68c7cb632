/** Tests that need several memory nodes: they run in a guest whose kernel has them. Here is what they share. */
@NullMarked
package org.berth.numavm;

import org.jspecify.annotations.NullMarked;

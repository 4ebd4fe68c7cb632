/** Finds libberth.so in an installed Berth or unpacks it from the jar into a private directory, and loads it. */
@NullMarked
package org.berth.binding.library;

import org.jspecify.annotations.NullMarked;

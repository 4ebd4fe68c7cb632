/**
 * Finds libberth.so in an installed Berth or unpacks it from the jar into a private directory, and loads it.
 * It is no part of the API: Berth's own programs use it.
 */
@NullMarked
package org.berth.binding.internal.library;

import org.jspecify.annotations.NullMarked;

/** Holds the policies, the choosers that cut the usable part of a machine, and the code that deals workers to its parts. */
@NullMarked
package org.berth.placement.internal.policy;

import org.jspecify.annotations.NullMarked;

/** Matches names of threads, and says which threads a run expects. It is no part of the API: Berth's own programs use it. */
@NullMarked
package org.berth.observation.internal.threads;

import org.jspecify.annotations.NullMarked;

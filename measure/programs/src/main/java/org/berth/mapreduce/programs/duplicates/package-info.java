/** Removal of near-duplicate reads. */
@NullMarked
package org.berth.mapreduce.programs.duplicates;

import org.jspecify.annotations.NullMarked;

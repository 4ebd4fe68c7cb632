/** Correction of errors in reads. */
@NullMarked
package org.berth.mapreduce.programs.correction;

import org.jspecify.annotations.NullMarked;

/** Reads of a sequencer: their file formats, and a simulator that knows the truth. */
@NullMarked
package org.berth.mapreduce.programs.reads;

import org.jspecify.annotations.NullMarked;

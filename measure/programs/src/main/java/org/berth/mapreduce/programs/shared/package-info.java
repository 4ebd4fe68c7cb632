/** What all programs do in the same way: options, messages, exit codes, jobs, and the folder of intermediate results. */
@NullMarked
package org.berth.mapreduce.programs.shared;

import org.jspecify.annotations.NullMarked;

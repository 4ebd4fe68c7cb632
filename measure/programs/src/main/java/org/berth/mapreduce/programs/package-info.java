/** Programs for Hadoop's MapReduce, and their main class. They know nothing of the engine that runs them. */
@NullMarked
package org.berth.mapreduce.programs;

import org.jspecify.annotations.NullMarked;

/** Runs very short tasks on Spark, with a plugin switched on and off, to find what the plugin adds to each task. */
@NullMarked
package org.berth.jobs.tasks;

import org.jspecify.annotations.NullMarked;

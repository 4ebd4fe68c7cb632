/** Runs one arm once: starts the command, samples its threads and memory until it ends, and adds up what it used. */
@NullMarked
package org.berth.experiments.trial;

import org.jspecify.annotations.NullMarked;

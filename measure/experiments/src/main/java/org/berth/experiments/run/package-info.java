/**
 * Runs an experiment: one fresh process after the other, with the kernel's settings that each arm wants. Every trial is written to
 * {@code trials.jsonl} as soon as it ends, so an interrupted experiment can continue.
 */
@NullMarked
package org.berth.experiments.run;

import org.jspecify.annotations.NullMarked;

/**
 * Turns the trials of an experiment into results: summaries and verdicts arm by arm, and the rule by which an arm may stop early. The
 * classes neither read files nor start processes.
 */
@NullMarked
package org.berth.experiments.result;

import org.jspecify.annotations.NullMarked;

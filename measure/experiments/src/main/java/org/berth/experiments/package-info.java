/**
 * Describes an experiment that runs the same work in several ways: what is compared ({@code Experiment}), in which order it runs, and
 * what one run measured ({@code Trial}). Read {@code Experiment} first; {@code run} executes it, {@code trial} samples one run, and
 * {@code result} tells whether the arms differ.
 */
@NullMarked
package org.berth.experiments;

import org.jspecify.annotations.NullMarked;

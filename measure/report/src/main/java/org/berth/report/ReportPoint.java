package org.berth.report;

import java.util.OptionalDouble;

/**
 * One run in the report's pictures.
 *
 * @param number its place in the order of time, from 1
 * @param arm index of its arm
 * @param counts whether it takes part in the comparison: not the warm-up, not a failed run
 * @param warmUp whether it was the warm-up
 * @param value what is compared; empty when the run did not complete or did not print it
 */
record ReportPoint(int number, int arm, boolean counts, boolean warmUp, OptionalDouble value) {}

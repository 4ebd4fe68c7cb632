/**
 * Writes the report of a study, which is the same comparison for several workloads or settings, with what a study of garbage collectors
 * adds.
 */
@NullMarked
package org.berth.report.study;

import org.jspecify.annotations.NullMarked;

/** Shows what a comparison found as text for a terminal, JSON and CSV: tables, verdicts, and numbers with their units. */
@NullMarked
package org.berth.report.comparison;

import org.jspecify.annotations.NullMarked;

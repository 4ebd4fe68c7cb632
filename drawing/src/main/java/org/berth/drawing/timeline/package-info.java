/** Where threads ran over time, as text and SVG: pure functions of {@link ThreadSummary}, one row for each CPU. */
@NullMarked
package org.berth.drawing.timeline;

import org.jspecify.annotations.NullMarked;

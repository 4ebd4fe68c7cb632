/**
 * Writes the report of a comparison as a page with charts and as Markdown, from {@code ReportData}. The classes neither read files nor
 * look at the clock.
 */
@NullMarked
package org.berth.report;

import org.jspecify.annotations.NullMarked;

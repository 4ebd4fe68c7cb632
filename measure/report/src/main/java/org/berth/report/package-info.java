/**
 * What a comparison found, for people and programs: tables and verdicts for a terminal ({@code Compare*}), and the report
 * with its figures ({@link ReportData} in; HTML, Markdown and CSV out). Pure: no files, no clock.
 */
@NullMarked
package org.berth.report;

import org.jspecify.annotations.NullMarked;

package org.berth.report;

/** One line of a list in the report. */
public record ReportFact(String label, String value) {}

package org.berth.cli;

/** One line of a list in the report. */
record ReportFact(String label, String value) {}

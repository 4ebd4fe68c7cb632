package org.berth.cli.run;

/** The values of {@link RunOptions}: a command is bound by a plan, or gets a domain. */
public sealed interface RunRequest permits PlannedRun, DomainRun {}

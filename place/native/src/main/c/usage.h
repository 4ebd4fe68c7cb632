/*
 * Runs a command as a child and writes down what it and everything that it started took: the
 * kernel's own account (getrusage(2), RUSAGE_CHILDREN), and the counters that it grants
 * (perf_event_open(2)). A reader of /proc can only sample, and loses the last moments of every
 * process; the account of the parent loses nothing.
 */
#ifndef BERTH_USAGE_H
#define BERTH_USAGE_H

/*
 * Runs the command until it ends and writes one JSON object (docs/background/trials.md) to the
 * file. Signals that ask to end are passed on to the command. The exit code for our caller: the
 * command's own, 128 + the number of the signal that ended it, 126 or 127 when it cannot be run
 * (env(1)), and 1 when the file cannot be written.
 */
int usage_run(char **command, const char *file);

#endif

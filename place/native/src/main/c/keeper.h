/*
 * The parent of one command of `berth split`: it lets nothing of the command outlive the
 * supervisor, or the command itself.
 *
 * A parent-death signal (prctl(2), PR_SET_PDEATHSIG) alone would not do: it counts the thread that
 * started the process, of which a JVM has many, and it does not reach what the command starts. The
 * keeper is the subreaper of all of that, and sees the end of the supervisor as the end of a pipe.
 * docs/decisions/0024-a-keeper-for-each-process.md
 */
#ifndef BERTH_KEEPER_H
#define BERTH_KEEPER_H

/* The time that a process has after SIGTERM, and how many such times all of them have together:
 * what starts another process whenever it is asked to end would never end otherwise. */
enum { KEEPER_GRACE_MILLIS = 10000, KEEPER_GRACES = 3 };

/*
 * Forks. The child returns 0, with /dev/null as its standard input, in a process group of its own
 * and with the signals of this process; it dies with the keeper. The keeper never returns: it ends
 * with the exit code of the child, 128 + the number of the signal that ended it, after everything
 * that the child started has ended.
 *
 * Standard input is how the supervisor speaks to the keeper: each byte is the number of a signal
 * for the command's process group; SIGKILL is for everything that it started. At the end of the
 * input, and when the command has ended, each process that is left gets SIGTERM, and SIGKILL after
 * the time of grace; so does one whose parent ends later, from then on. After three such times all
 * that is left gets SIGKILL.
 *
 * -errno when no process can be started.
 */
int keeper_start(int grace_millis);

#endif

/* Memory policies of a thread that is not the caller: the kernel has no call for them. */
#ifndef BERTH_LEADER_POLICY_H
#define BERTH_LEADER_POLICY_H

/* Gives the process's first thread the memory policy of the calling thread. It is the one whose
 * policy /proc/PID/numa_maps shows, so without this the file would show a policy that no thread
 * with memory has. The first thread must be waiting, as that of a java launcher. Not thread-safe.
 * 0; -ETIMEDOUT when it did not answer in 200 ms; another -errno. */
int leader_policy_set(void);

/* Gives all other threads of the process the memory policy of the calling thread, each by a signal
 * that interrupts it: for the rare change after which the kernel has left all of them with another
 * policy. Not thread-safe. Returns how many threads were reached, or -errno; *missed are those that
 * block the signal or did not answer in 200 ms. */
int threads_policy_set(unsigned *missed);

#endif

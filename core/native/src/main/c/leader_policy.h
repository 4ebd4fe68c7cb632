/* Memory policies of a thread that is not the caller: the kernel has no call for them. */
#ifndef BERTH_LEADER_POLICY_H
#define BERTH_LEADER_POLICY_H

/* Gives the process's first thread the memory policy of the calling thread. It is the one whose
 * policy /proc/PID/numa_maps shows, so without this the file would tell of a policy that no thread
 * with memory has. The first thread must be waiting, as that of a java launcher. Not thread-safe.
 * 0; -ETIMEDOUT when it did not answer in 200 ms; another -errno. */
int leader_policy_set(void);

#endif

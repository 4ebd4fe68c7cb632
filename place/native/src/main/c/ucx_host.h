/* The few functions of the host's UCX that its Java binding lacks. */
#ifndef BERTH_UCX_HOST_H
#define BERTH_UCX_HOST_H

#include <stddef.h>
#include <stdint.h>

/* ucp_get_version() as 0xMMmmrr; -ENOENT with a reason when the host has no UCX. */
int ucx_version(char *reason, size_t size);

/* ucp_worker_arm(): 0, or a status of UCX below 0; UCX is there. */
int ucx_arm(uintptr_t worker);

#endif

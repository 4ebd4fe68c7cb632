#include "agent.h"
#include <errno.h>
#include <jvmti.h>
#include <stdio.h>

int agent_command(void *java_vm, const char *command, char *reply, size_t capacity) {
    (void)java_vm;
    (void)command;
    return snprintf(reply, capacity, "version %d\n", BERTH_INTERFACE_VERSION);
}

/*
 * What the agent does, without any JVM type: usable from a unit test.
 */
#ifndef BERTH_AGENT_H
#define BERTH_AGENT_H

#include <stddef.h>

/* The version of the native boundary. The Java side refuses a library of another version. */
#define BERTH_INTERFACE_VERSION 1

/* "status" or "rules <plan text>". Returns the length of the reply, or -errno with the reason as
 * a terminated text in the reply. java_vm is the JavaVM, which only the JVMTI part looks into. */
int agent_command(void *java_vm, const char *command, char *reply, size_t capacity);

#endif

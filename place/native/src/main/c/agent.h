/*
 * What the agent does, without any JVM type. jvmti_agent.c hands the JVM's calls in.
 *
 * A failure prints one line and leaves the JVM running where it was, because an agent that comes
 * with JAVA_TOOL_OPTIONS must not take a service down; with the option `strict` it is fatal,
 * because a user who asked for a binding explicitly must not believe that it is there.
 */
#ifndef BERTH_AGENT_H
#define BERTH_AGENT_H

#include "error_text.h"

#include <stdbool.h>
#include <stddef.h>

/* The version of the native boundary. The Java side refuses a library of another version. */
#define BERTH_INTERFACE_VERSION 10

/* Called at the JVM's start, before its heap and threads exist. May not return: the process is
 * started again under its new mask. `java_vm` is only passed on. Returns -1 when the JVM must not
 * run. */
int agent_load(void *java_vm, const char *options);

/* In a running JVM: every thread that there is gets the mask. */
int agent_attach(void *java_vm, const char *options);

/* "status" or "rules <plan text>". Returns the length of the reply, or -errno with the reason as
 * a terminated text in the reply; -ENOBUFS when the reply is too short for the status. */
int agent_command(void *java_vm, const char *command, char *reply, size_t capacity);

/* Whether a rule is for threads that carry virtual ones. */
bool agent_looks_for_carriers(void);

/* Threads that take another name will tell. */
void agent_follows_names(void);

/* Called by the thread itself. */
void agent_thread_started(const char *name, bool carrier);
void agent_thread_renamed(const char *name);

/* The JVM had no memory left to tell the name; it is told once. */
void agent_thread_unnamed(void);
void agent_thread_ended(void);

/* Asks the JVM to report the start and end of threads from now on. Implemented by jvmti_agent.c;
 * called only when there are rules, since the mere existence of a JVMTI environment slows virtual
 * threads down by half on JDK 21 and later. */
int thread_events_enable(void *java_vm, struct error_text *error);

/* What the JVM counts for the calling thread; 0 in a thread that is none of Java's, and in a JVM
 * that cannot be asked. Implemented by jvmti_agent.c. */
int jvm_processors(void);
void jvm_is(void *java_vm);

/* A thread with a slot counts and starts for the whole process, see whole_domain.h: once there is
 * Java, in one of its threads. */
void agent_hold_domain(void);

/* From now on a process that a bound thread starts, and a native library that it loads, has the
 * domain of whole_domain.h. Implemented by native_bridge.c; `jni` is that of the calling thread,
 * after the JVM's start. */
void calls_give_domain(void *java_vm, void *jni);

/* Gives each Java thread the domain of whole_domain.h at its birth, as long as there is one. 0 or
 * -ENOTSUP. Implemented by jvmti_agent.c; not for JVMs with virtual threads, see above. */
int thread_births_enable(void *java_vm);

/* Puts a function in the place of a native method of the JDK that has never been called; `call`
 * calls it for the first time, which lets the JVM look for its function. Returns the original
 * function, or NULL when the JVM did not ask. Leaves no JVMTI environment behind. Implemented by
 * jvmti_agent.c. */
void *native_method_replace(void *java_vm, void *method, void *function, void (*call)(void *jni));

#endif

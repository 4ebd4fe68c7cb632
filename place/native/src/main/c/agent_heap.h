/*
 * The policy of the heap alone (heap_policy.h): given to it by a thread of the agent as soon as it
 * is reserved, and again to what the JVM commits later.
 */
#ifndef BERTH_AGENT_HEAP_H
#define BERTH_AGENT_HEAP_H

#include "error_text.h"
#include "text_buffer.h"

/* Checks that the options' heap-memory= can be carried out here, and starts the thread, if there is
 * no other. 0 or -errno with the reason; the lock is held by the caller. */
int agent_heap_start(struct error_text *error);

/* A line "heap weighted:3,1@0-1 placed" for the agent's status, when there is something to tell. */
void agent_heap_describe(struct text_buffer *text);

#endif

/*
 * The thread that opens and closes the edges of slots (edges.h), from samples of what the threads
 * in them do: every 10 ms while a thread waits in a closed slot, every 50 ms otherwise, less often
 * where that would cost more than 0.4 % of a CPU, and every 200 ms while none works.
 */
#ifndef BERTH_AGENT_EDGES_H
#define BERTH_AGENT_EDGES_H

#include "text_buffer.h"

/* Starts it when the rules have soft edges; one line when that fails, and all edges stay open. The
 * lock of the agent is held by the caller. */
void agent_edges_start(void);

/* Appends "edges slots=4 open=1 openings=7 closings=10 openMillis=3000 heldMillis=9000" when the
 * rules have soft edges; times are summed up over slots with threads that work. */
void agent_edges_describe(struct text_buffer *text);

#endif

/*
 * What happens before the JVM exists: the part of the machine that the agent's options ask for is
 * found, and this process gets it. The agent does that and then starts the JVM again; berth-exec
 * does it before it becomes the JVM, which then starts only once.
 */
#ifndef BERTH_BIRTH_H
#define BERTH_BIRTH_H

#include "assignment.h"
#include "birth_memory.h"
#include "process_bind.h"
#include "reexec.h"

#include <stdbool.h>

/* The mask before the binding, told to the agent of the JVM that starts next. */
#define INHERITED_VARIABLE "BERTH_AGENT_CPUS"

enum { BIRTH_VARIABLE_SIZE = 65536 };

/* What the JVM that starts next cannot find out any more, for reexec_run() and reexec_mark(). */
struct birth_variables {
    char inherited[BIRTH_VARIABLE_SIZE];
    char lease[64];
    char memory[64];
    char *items[REEXEC_VARIABLES + 1];
};

/* The binding of an assignment, inside the CPUs `allowed` (NULL: the mask of the calling thread)
 * and the allowed memory nodes. What had to be left out is one line, unless the JVM that started
 * first has printed it. Memory nodes that are not there are a failure only with `strict`. */
int birth_find(struct process_binding *process, const struct assignment *assignment,
        const struct index_set *allowed, bool strict, struct error_text *error);

/* Binds the calling thread. Memory that cannot be bound is left alone, unless that is fatal; with
 * `tell` one line reports it, and the binding then asks for none. */
int birth_apply(struct process_binding *process, bool strict, bool tell, struct error_text *error);

/* The variables; the lease's file will stay open in the next program, and the memory policy may be
 * the one that its JVM has to read. To be called last. */
void birth_hand_over(struct birth_variables *variables, const struct process_binding *process,
        const struct index_set *inherited, const struct assignment *assignment);

#endif

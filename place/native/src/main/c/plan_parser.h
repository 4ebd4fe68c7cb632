/* A placement plan as text, the contract between Java and this library. UTF-8, one item per line,
 * no escapes; empty lines and lines that start with '#' are ignored:
 *
 *     berth-plan 1
 *     level core
 *     memory local
 *     allowed 0-15
 *     oversubscribed no
 *     note free text
 *     rule role=task glob=Executor task launch worker*
 *     slot index=0 worker=0 thread=0 role=task cpus=0,8 nodes=0 reason=core L#0 of package L#0
 *
 * A plan that is not understood whole binds nothing: half a placement would be a wrong one.
 */
#ifndef BERTH_PLAN_PARSER_H
#define BERTH_PLAN_PARSER_H

#include "memory_mode.h"
#include "thread_rule.h"

struct plan_slot {
    unsigned index;
    unsigned worker;
    unsigned thread;
    char *role;
    struct index_set cpus;
    struct index_set nodes;
};

/* All zero bytes is a valid empty plan. */
struct plan {
    enum memory_mode memory;
    struct rules rules;
    struct plan_slot *slots;
    size_t slot_count;
};

#define PLAN_FILE_LIMIT (16u << 20)
#define PLAN_ITEM_LIMIT 65536u

/* The text need not be terminated and may hold anything. On failure the plan is empty and the
 * error names the line. -EINVAL or -ENOMEM. */
int plan_parse(struct plan *plan, const char *text, size_t length, struct error_text *error);

int plan_read(struct plan *plan, const char *path, struct error_text *error);

/* Helps to build a plan by hand: a new slot with empty sets, or NULL. */
struct plan_slot *plan_add_slot(struct plan *plan, const char *role);

void plan_free(struct plan *plan);

#endif

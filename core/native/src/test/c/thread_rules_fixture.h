/* Rules of a process that has all CPUs of the test. */
#ifndef BERTH_THREAD_RULES_FIXTURE_H
#define BERTH_THREAD_RULES_FIXTURE_H

#include "cpu_bind.h"
#include "proc_status.h"
#include "runner.h"
#include "thread_rules.h"

static struct index_set process_cpus;
static char home_list[512];

/* One task slot for each CPU of this process, and a rule for "worker-*". */
static void make_plan(struct plan *plan) {
    *plan = (struct plan){0};
    rules_add(&plan->rules, ROLE_TASK, 4, "worker-*", 8);
    unsigned index = 0;
    for (int cpu = index_set_next(&process_cpus, 0); cpu >= 0;
            cpu = index_set_next(&process_cpus, (unsigned)cpu + 1)) {
        struct plan_slot *slot = plan_add_slot(plan, ROLE_TASK);
        slot->index = index++;
        index_set_add(&slot->cpus, (unsigned)cpu);
    }
}

static const char *mask_now(void) {
    static __thread char list[512];
    proc_status_field(0, "Cpus_allowed_list", list, sizeof list);
    return list;
}

#endif

#include "thread_rules_state.h"

#include <errno.h>
#include <stdlib.h>

void thread_rules_free(struct thread_rules *rules) {
    if (rules != NULL) {
        for (size_t i = 0; rules->targets != NULL && i < rules->rules.count; i++) {
            index_set_free(&rules->targets[i].cpus);
            index_set_free(&rules->targets[i].nodes);
        }
        free(rules->targets);
        rules_free(&rules->rules);
        index_set_free(&rules->process_cpus);
        index_set_free(&rules->process_nodes);
        slots_free(&rules->slots);
        thread_registry_free(&rules->registry);
        pthread_mutex_destroy(&rules->lock);
        free(rules);
    }
}

/* Every rule must have something to give. Returns 1 when some of it lies outside. */
static int check_rule(struct thread_rules *rules, size_t i, struct error_text *error) {
    const struct rule *rule = &rules->rules.items[i];
    struct target *target = &rules->targets[i];
    char list[120];
    if (rule->target == TARGET_PROCESS) {
        return index_set_copy(&target->cpus, &rules->process_cpus) < 0 ||
                               index_set_copy(&target->nodes, &rules->process_nodes) < 0
                       ? -ENOMEM
                       : 0;
    }
    if (rule->target == TARGET_SLOT) {
        int result = slots_union(&rules->slots, rule, &target->cpus, &target->nodes);
        return result != -ENOENT ? result
                                 : error_set(error, EINVAL,
                                           "the thread rule '%.100s' has no slot of role %s inside "
                                           "the CPUs of this process",
                                           rule->glob, rule->role);
    }
    if (index_set_copy(&target->cpus, &rule->cpus) < 0 ||
            index_set_copy(&target->nodes, &rules->process_nodes) < 0) {
        return -ENOMEM;
    }
    index_set_and(&target->cpus, &rules->process_cpus);
    if (index_set_is_empty(&target->cpus)) {
        return error_set(error, EINVAL,
                "the thread rule '%.100s' names the CPUs %s, and none of them is one of this "
                "process",
                rule->glob, index_set_format(&rule->cpus, list, sizeof list));
    }
    return index_set_count(&target->cpus) < index_set_count(&rule->cpus) ? 1 : 0;
}

static int fill(struct thread_rules *rules, const struct plan *plan, int worker,
        const struct index_set *cpus, unsigned *outside, struct error_text *error) {
    struct process_binding wanted = {0};
    rules->memory = plan->memory;
    int result = process_binding_of_plan(&wanted, plan, worker, error);
    if (result == 0 && wanted.memory != MEMORY_LOCAL) {
        result = process_binding_cut_nodes(&wanted, error);
    }
    if (result >= 0) {
        rules->memory = wanted.memory;
        result = index_set_copy(&rules->process_cpus, cpus);
    }
    if (result == 0) {
        result = index_set_copy(&rules->process_nodes, &wanted.nodes);
    }
    process_binding_free(&wanted);
    if (result == 0) {
        result = slots_create(
                &rules->slots, plan, worker, &rules->process_cpus, &rules->process_nodes, outside);
        slots_find_cores(&rules->slots, "");
    }
    if (result == 0) {
        result = rules_add_all(&rules->rules, &plan->rules);
    }
    rules->targets = calloc(rules->rules.count + 1, sizeof *rules->targets);
    result = rules->targets == NULL ? -ENOMEM : result;
    bool cut = false;
    for (size_t i = 0; i < rules->rules.count && result >= 0; i++) {
        result = check_rule(rules, i, error);
        cut = cut || result > 0;
    }
    return result < 0 ? result : cut ? 1 : 0;
}

int thread_rules_create(struct thread_rules **created, const struct plan *plan, int worker,
        const struct index_set *cpus, struct error_text *error) {
    unsigned outside = 0;
    error_set(error, 0, "out of memory");
    struct thread_rules *rules = calloc(1, sizeof *rules);
    if (rules == NULL) {
        return -ENOMEM;
    }
    pthread_mutex_init(&rules->lock, NULL);
    int result = fill(rules, plan, worker, cpus, &outside, error);
    if (result < 0) {
        thread_rules_free(rules);
        return result;
    }
    *created = rules;
    if (outside > 0) {
        error_set(error, 0,
                "%u slots of the plan lie outside the CPUs of this process and are not used",
                outside);
        return 1;
    }
    if (result > 0) {
        error_set(error, 0,
                "some CPUs that thread rules name lie outside the CPUs of this process and are not "
                "used");
    }
    return result > 0 ? 1 : 0;
}

/* How an assignment follows changes: of the CPUs that may be used, of the ledger, of others' load.
 */
#include "assignment.h"
#include "ledger.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool has_role(const struct plan *plan, const char *role) {
    for (size_t i = 0; i < plan->slot_count; i++) {
        if (strcmp(plan->slots[i].role, role) == 0) {
            return true;
        }
    }
    return false;
}

/* Slots of the worker that have a CPU left. */
static int copy_slots(
        struct plan *plan, const struct assignment *assignment, const struct index_set *cpus) {
    for (size_t i = 0; i < assignment->plan.slot_count; i++) {
        const struct plan_slot *from = &assignment->plan.slots[i];
        if ((assignment->worker >= 0 && from->worker != (unsigned)assignment->worker) ||
                index_set_common(&from->cpus, cpus) == 0) {
            continue;
        }
        struct plan_slot *slot = plan_add_slot(plan, from->role);
        if (slot == NULL || index_set_copy(&slot->cpus, &from->cpus) < 0 ||
                index_set_copy(&slot->nodes, &from->nodes) < 0) {
            return -ENOMEM;
        }
        slot->index = from->index;
        slot->thread = from->thread;
        index_set_and(&slot->cpus, cpus);
    }
    return 0;
}

static int mend_rules(
        struct plan *plan, const struct options *options, const struct index_set *cpus) {
    struct index_set none = {0};
    int result = has_role(plan, ROLE_TASK) ? 0
                                           : assignment_make_slots(plan, "", cpus, &none,
                                                     options->core_slots, options->smt_never);
    unsigned tasks = 0;
    for (size_t i = 0; i < plan->slot_count; i++) {
        tasks += strcmp(plan->slots[i].role, ROLE_TASK) == 0 ? 1 : 0;
    }
    for (size_t i = 0; i < plan->rules.count && result == 0; i++) {
        struct rule *rule = &plan->rules.items[i];
        if (rule->target == TARGET_CPUS && index_set_common(&rule->cpus, cpus) == 0) {
            rule->target = TARGET_PROCESS;
        } else if (rule->target == TARGET_SLOT && !has_role(plan, rule->role)) {
            struct plan_slot *slot = plan_add_slot(plan, rule->role);
            result = slot == NULL ? -ENOMEM : index_set_copy(&slot->cpus, cpus);
        } else if (rule->target == TARGET_SLOT && rule->first >= tasks) {
            rule->first = 0;
        }
    }
    return result;
}

int assignment_replan(const struct assignment *assignment, const struct options *options,
        const struct index_set *cpus, struct plan *plan, struct error_text *error) {
    *plan = (struct plan){.memory = assignment->plan.memory};
    int result = copy_slots(plan, assignment, cpus);
    if (result == 0) {
        result = rules_add_all(&plan->rules, &assignment->plan.rules);
    }
    if (result == 0) {
        result = mend_rules(plan, options, cpus);
    }
    return result < 0 ? error_set_system(error, -result, "cannot plan again") : 0;
}

static bool read_kinds(
        struct domains *domains, const struct options *options, const struct index_set *usable) {
    struct error_text none;
    return options->has_domain && options->domain != DOMAIN_CPUS &&
           domains_read(domains, "", options->domain, options->domain_cores, usable, &none) == 0;
}

/* The lease follows; without the lock of its folder it stays, and so do the CPUs that are left. */
static int move_lease(struct assignment *assignment, const struct options *options,
        const struct index_set *usable, struct index_set *cpus, struct error_text *error) {
    struct domains domains = {0};
    struct host_load load = {0};
    bool kinds = read_kinds(&domains, options, usable);
    /* What cannot be measured is no reason to stay without CPUs. */
    bool measured = kinds && assignment->lease.apart &&
                    !index_set_is_inside(&assignment->home.cpus, usable) &&
                    host_load_measure(&load) == 0;
    const struct ledger_move move = {
            &assignment->home, kinds ? &domains : NULL, usable, measured ? &load : NULL};
    ledger_move(
            assignment_ledger(options), assignment->lease_file, &assignment->lease, &move, error);
    domain_watch_forget(&assignment->watch);
    host_load_free(&load);
    domains_free(&domains);
    int result = index_set_copy(cpus, &assignment->lease.cpus);
    index_set_and(cpus, usable);
    return result;
}

int assignment_cpus_within(struct assignment *assignment, const struct options *options,
        const struct index_set *wanted, const struct index_set *usable, struct index_set *cpus,
        struct error_text *error) {
    int result;
    error->text[0] = '\0';
    if (assignment->lease_file >= 0) {
        result = move_lease(assignment, options, usable, cpus, error);
    } else {
        result = index_set_copy(cpus, wanted);
        index_set_and(cpus, usable);
    }
    if (result == 0 && index_set_is_empty(cpus)) {
        result = index_set_copy(cpus, usable);
    }
    return result < 0 ? error_set(error, ENOMEM, "out of memory") : 0;
}

int assignment_keep_lease(
        struct assignment *assignment, const struct options *options, struct error_text *error) {
    if (assignment->lease_file < 0) {
        return 0;
    }
    int file = ledger_keep(
            assignment_ledger(options), assignment->lease_file, &assignment->lease, error);
    bool again = file >= 0 && error->text[0] != '\0';
    assignment->lease_file = file < 0 ? assignment->lease_file : file;
    return file < 0 ? file : again ? 1 : 0;
}

/* Memory stays where a policy put it, so its threads stay near. */
static bool is_near(const struct domain *domain, const struct assignment *assignment,
        const struct options *options) {
    return options->memory == MEMORY_LOCAL || !index_set_is_empty(&options->nodes) ||
           index_set_equals(&domain->nodes, &assignment->home.nodes);
}

static int read_others(struct domains *domains, const struct assignment *assignment,
        const struct options *options, const struct index_set *usable) {
    if (assignment->worker >= 0) {
        return assignment_plan_domains(domains, &assignment->plan);
    }
    if (!read_kinds(domains, options, usable)) {
        return 0;
    }
    size_t kept = 0;
    for (size_t i = 0; i < domains->count; i++) {
        if (is_near(&domains->items[i], assignment, options)) {
            struct domain domain = domains->items[i];
            domains->items[i] = domains->items[kept];
            domains->items[kept++] = domain;
        }
    }
    while (domains->count > kept) {
        domain_free(&domains->items[--domains->count]);
    }
    /* Single cores may be of any node. */
    while (options->memory != MEMORY_LOCAL && domains->core_count > 0) {
        domain_free(&domains->cores[--domains->core_count]);
    }
    return 0;
}

/* What the user named stays: a domain by its number; and a worker's number is its place in the
 * plan.
 */
static bool stays(const struct assignment *assignment, const struct options *options,
        struct error_text *error) {
    char list[120];
    char number[32];
    if (assignment->worker < 0 && options->select < 0) {
        return false;
    }
    snprintf(number, sizeof number, assignment->worker < 0 ? "select=%d" : "worker %d of the plan",
            assignment->worker < 0 ? options->select : assignment->worker);
    error_set(error, 0,
            "processes that do not see this lease use the CPUs %s, too, while others are less "
            "busy: "
            "this process stays there, because %s names them",
            index_set_format(&assignment->lease.cpus, list, sizeof list), number);
    return true;
}

int64_t assignment_leave_crowd(struct assignment *assignment, const struct options *options,
        const struct index_set *usable, long pid, int *moved, struct error_text *error) {
    struct domain_watch *watch = &assignment->watch;
    error->text[0] = '\0';
    *moved = 0;
    if (assignment->lease_file < 0 || !assignment->lease.apart || watch->over) {
        return -1;
    }
    if (watch->domains.count == 0) {
        read_others(&watch->domains, assignment, options, usable);
        if (watch->domains.count < 2) {
            domains_free(&watch->domains);
            watch->over = true;
            return -1;
        }
    }
    struct host_load load = {0};
    bool crowded = domain_watch_is_crowded(watch, &assignment->lease.cpus, pid, &load) > 0;
    if (crowded && stays(assignment, options, error)) {
        watch->over = true;
    } else if (crowded) {
        *moved = ledger_leave(assignment_ledger(options), assignment->lease_file,
                &assignment->lease, &watch->domains, &load, &assignment->home, error);
    }
    host_load_free(&load);
    return watch->over ? -1 : domain_watch_wait(watch);
}

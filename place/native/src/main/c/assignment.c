#include "assignment.h"

#include "ledger.h"
#include "memory_bind.h"
#include "reexec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORKER_LABEL "worker %u"

void assignment_free(struct assignment *assignment) {
    plan_free(&assignment->plan);
    lease_free(&assignment->lease);
    index_set_free(&assignment->home.cpus);
    index_set_free(&assignment->home.nodes);
    domain_watch_free(&assignment->watch);
    if (assignment->lease_file >= 0) {
        close(assignment->lease_file);
    }
    *assignment = (struct assignment){.worker = -1, .lease_file = -1};
}

const char *assignment_ledger(const struct options *options) {
    return options->leases != NULL ? options->leases : lease_folder_name();
}

/* Its domain, which mostly is the last one: plans are in the order of their workers. */
static struct domain *domain_of_worker(struct domains *domains, unsigned worker) {
    char label[sizeof domains->items->label];
    snprintf(label, sizeof label, WORKER_LABEL, worker);
    for (size_t i = domains->count; i > 0; i--) {
        if (strcmp(domains->items[i - 1].label, label) == 0) {
            return &domains->items[i - 1];
        }
    }
    struct domain *domain = domains_add(domains);
    if (domain != NULL) {
        memcpy(domain->label, label, sizeof label);
    }
    return domain;
}

int assignment_plan_domains(struct domains *domains, const struct plan *plan) {
    for (size_t i = 0; i < plan->slot_count; i++) {
        const struct plan_slot *slot = &plan->slots[i];
        struct domain *domain = domain_of_worker(domains, slot->worker);
        if (domain == NULL || index_set_or(&domain->cpus, &slot->cpus) < 0 ||
                index_set_or(&domain->nodes, &slot->nodes) < 0) {
            return -ENOMEM;
        }
    }
    return 0;
}

/* The CPUs to which it returns after it had to move. */
static int remember_home(struct assignment *assignment) {
    const struct lease *lease = &assignment->lease;
    snprintf(assignment->home.label, sizeof assignment->home.label, "%s", lease->domain);
    int result = index_set_copy(&assignment->home.cpus, &lease->cpus);
    return result == 0 ? index_set_copy(&assignment->home.nodes, &lease->nodes) : result;
}

static void warn(const struct error_text *warning) {
    if (warning->text[0] != '\0') {
        message_print("%s", warning->text);
    }
}

/* The lease that was handed over by the first start of this process, if there is one. */
static bool take_up_lease(struct assignment *assignment, const struct options *options) {
    const char *number = getenv(LEASE_VARIABLE);
    int file = number == NULL || !reexec_done() ? -1 : atoi(number);
    if (file <= STDERR_FILENO || ledger_adopt(file, &assignment->lease) < 0) {
        return false;
    }
    fcntl(file, F_SETFD, FD_CLOEXEC);
    assignment->lease_file = file;
    assignment->lease.apart = ledger_view(assignment_ledger(options)) != LEDGER_SEEN;
    return remember_home(assignment) == 0;
}

static int claim_worker(const struct plan *plan, const char *directory, bool exclusive,
        const char *name, int former, struct lease *lease, struct error_text *error) {
    struct domains domains = {0};
    int result = assignment_plan_domains(&domains, plan);
    result = result < 0 ? error_set_system(error, -result, "cannot use the plan")
                        : ledger_claim(directory, &domains, SELECT_FREE, exclusive, name, former,
                                  lease, error);
    domains_free(&domains);
    return result;
}

static int lease_worker(
        struct assignment *assignment, const struct options *options, struct error_text *error) {
    unsigned worker;
    if (!take_up_lease(assignment, options)) {
        int file = claim_worker(&assignment->plan, assignment_ledger(options), options->exclusive,
                options->name, assignment->former, &assignment->lease, error);
        if (file < 0) {
            return file;
        }
        assignment->lease_file = file;
        warn(error);
        if (remember_home(assignment) < 0) {
            return error_set(error, ENOMEM, "out of memory");
        }
    }
    if (sscanf(assignment->lease.domain, WORKER_LABEL, &worker) != 1) {
        return error_set(error, EINVAL, "the lease of this process is for '%s', not for a worker",
                assignment->lease.domain);
    }
    assignment->worker = (int)worker;
    return 0;
}

static int read_domains(struct domains *domains, const struct options *options,
        const struct index_set *usable, struct error_text *error) {
    if (options->domain != DOMAIN_CPUS) {
        return domains_read(domains, "", options->domain, options->domain_cores, usable, error);
    }
    int result = domains_of_cpus(domains, "", &options->domain_cpus, usable, error);
    if (result == 0 && !index_set_is_inside(&options->domain_cpus, usable)) {
        char list[120];
        char rest[120];
        message_print("only the CPUs %s of domain=cpus:%s may be used here",
                index_set_format(&domains->items[0].cpus, rest, sizeof rest),
                index_set_format(&options->domain_cpus, list, sizeof list));
    }
    return result;
}

/* A node whose CPUs are all offline has no number: the next one has it. */
static void tell_offline(const struct domains *domains, int select) {
    struct index_set offline = {0};
    const struct domain *chosen = &domains->items[select];
    domains_offline_below("", (unsigned)index_set_next(&chosen->cpus, 0), &offline);
    if (!index_set_is_empty(&offline)) {
        char list[120];
        message_print("CPUs %s are offline, and domains are counted without them: number %d is %s",
                index_set_format(&offline, list, sizeof list), select, chosen->label);
    }
    index_set_free(&offline);
}

static int lease_domain(struct assignment *assignment, const struct options *options,
        const struct index_set *usable, struct error_text *error) {
    struct domains domains = {0};
    int result = read_domains(&domains, options, usable, error);
    /* Else the next start would be refused on the same node. A number counts all domains. */
    if (result == 0 && options->strict && options->memory != MEMORY_LOCAL &&
            index_set_is_empty(&options->nodes) && options->select == SELECT_FREE) {
        struct index_set allowed = {0};
        bool told = memory_allowed_nodes(&allowed) >= 0;
        int dropped = domains_keep_with_memory(&domains, "", told ? &allowed : NULL);
        index_set_free(&allowed);
        if (dropped > 0) {
            message_print("%d of the domains have no memory that this process may use and are not "
                          "chosen for memory=%s",
                    dropped, memory_mode_word(options->memory));
        }
    }
    if (result == 0 && options->select >= 0 && options->select < (int)domains.count &&
            options->domain != DOMAIN_CPUS) {
        tell_offline(&domains, options->select);
    }
    if (result == 0) {
        int file = ledger_claim(assignment_ledger(options), &domains, options->select,
                options->exclusive, options->name, assignment->former, &assignment->lease, error);
        assignment->lease_file = file < 0 ? -1 : file;
        result = file < 0 ? file : 0;
        if (file >= 0) {
            warn(error);
            result = remember_home(assignment);
        }
    }
    domains_free(&domains);
    return result;
}

/* The PUs of one core among the CPUs that are left, which lose them. */
static int take_core(struct index_set *core, struct index_set *left, const char *root, int cpu) {
    struct error_text error;
    if (domains_core_of(root, (unsigned)cpu, core) < 0) {
        char alone[16];
        int length = snprintf(alone, sizeof alone, "%d", cpu);
        if (index_set_parse(core, alone, (size_t)length, &error) < 0) {
            return -ENOMEM;
        }
    }
    index_set_and(core, left);
    int result = index_set_add(core, (unsigned)cpu);
    index_set_subtract(left, core);
    return result;
}

/* `cpu` -1: all CPUs. */
static int add_slot(
        struct plan *plan, const struct index_set *cpus, int cpu, const struct index_set *nodes) {
    unsigned index = (unsigned)plan->slot_count;
    struct plan_slot *slot = plan_add_slot(plan, ROLE_TASK);
    if (slot == NULL || index_set_copy(&slot->nodes, nodes) < 0) {
        return -ENOMEM;
    }
    slot->thread = slot->index = index;
    return cpu < 0 ? index_set_copy(&slot->cpus, cpus) : index_set_add(&slot->cpus, (unsigned)cpu);
}

int assignment_make_slots(struct plan *plan, const char *root, const struct index_set *cpus,
        const struct index_set *nodes, bool cores, bool never) {
    struct index_set waiting = {0};
    int result = index_set_copy(&waiting, cpus);
    /* A round gives each core its next PU; with whole cores the first round takes all. */
    while (!index_set_is_empty(&waiting) && result == 0) {
        struct index_set left = {0};
        result = index_set_copy(&left, &waiting);
        for (int cpu = index_set_next(&left, 0); cpu >= 0 && result == 0;
                cpu = index_set_next(&left, 0)) {
            struct index_set core = {0};
            struct index_set used = {0};
            result = take_core(&core, &left, root, cpu);
            if (result == 0 && cores && never) {
                result = add_slot(plan, &core, cpu, nodes);
            } else if (result == 0) {
                result = add_slot(plan, &core, cores ? -1 : cpu, nodes);
            }
            if (result == 0) {
                result = cores || never ? index_set_copy(&used, &core)
                                        : index_set_add(&used, (unsigned)cpu);
                index_set_subtract(&waiting, &used);
            }
            index_set_free(&used);
            index_set_free(&core);
        }
        index_set_free(&left);
    }
    index_set_free(&waiting);
    return result;
}

static int choose(struct assignment *assignment, const struct options *options,
        const struct index_set *usable, struct error_text *error) {
    const struct index_set *cpus = index_set_is_empty(&options->cpus) ? usable : &options->cpus;
    const struct index_set *nodes = &options->nodes;
    assignment->worker = options->worker;
    if (options->plan_file != NULL) {
        int result = plan_read(&assignment->plan, options->plan_file, error);
        return result == 0 && options->leased ? lease_worker(assignment, options, error) : result;
    }
    if (options->has_domain) {
        int result = take_up_lease(assignment, options)
                             ? 0
                             : lease_domain(assignment, options, usable, error);
        if (result < 0) {
            return result;
        }
        cpus = &assignment->lease.cpus;
        nodes = index_set_is_empty(nodes) ? &assignment->lease.nodes : nodes;
    }
    assignment->plan.memory = options->memory;
    /* Single slots are only for rules: without them no CPU's core need be looked up. */
    int result = options->rules.count == 0 && !options->smt_never
                         ? add_slot(&assignment->plan, cpus, -1, nodes)
                         : assignment_make_slots(&assignment->plan, "", cpus, nodes,
                                   options->core_slots, options->smt_never);
    return result < 0 ? error_set_system(error, -result, "cannot use the options") : 0;
}

int assignment_choose(struct assignment *assignment, const struct options *options,
        const struct index_set *usable, struct error_text *error) {
    int result = choose(assignment, options, usable, error);
    if (result == 0 && rules_add_all(&assignment->plan.rules, &options->rules) < 0) {
        result = error_set(error, ENOMEM, "out of memory");
    }
    if (result < 0) {
        assignment_free(assignment);
    }
    return result;
}

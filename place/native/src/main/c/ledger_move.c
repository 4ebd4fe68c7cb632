#include "crowding.h"
#include "file_text.h"
#include "ledger.h"
#include "ledger_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What is left of a set; whether that is anything. */
static bool cut(struct index_set *target, const struct index_set *set,
        const struct index_set *within, int *result) {
    *result = *result < 0 ? *result : index_set_copy(target, set);
    index_set_and(target, within);
    return *result == 0 && !index_set_is_empty(target);
}

static int share_usable(struct lease *lease, const struct index_set *usable,
        const struct leases *others, struct error_text *error) {
    char list[80];
    int result = index_set_copy(&lease->cpus, usable);
    for (size_t i = 0; i < others->count; i++) {
        if (others->items[i].exclusive) {
            index_set_subtract(&lease->cpus, &others->items[i].cpus);
        }
    }
    bool taken = index_set_is_empty(&lease->cpus);
    if (taken) {
        /* It must run somewhere. */
        result = index_set_copy(&lease->cpus, usable);
    }
    snprintf(lease->domain, sizeof lease->domain, "%s",
            taken ? LEDGER_ALL_TAKEN : "all usable CPUs");
    index_set_clear(&lease->nodes);
    if (lease->exclusive) {
        error_set(error, 0,
                "no domain is free among the CPUs %s: this process shares them, and its "
                "lease is not exclusive any more",
                index_set_format(usable, list, sizeof list));
    }
    lease->exclusive = false;
    return result;
}

static int pick(const struct domains *domains, const struct leases *others, bool exclusive,
        const struct host_load *load, struct domain *made, const struct domain **picked) {
    uint64_t random = load == NULL ? 0 : random_seed();
    return load == NULL ? lease_pick(domains, others, exclusive, made, picked)
                        : lease_pick_by_load(domains, others, load, &random, made, picked);
}

static int choose_move(struct lease *lease, const struct ledger_move *move,
        const struct leases *others, struct error_text *error) {
    struct index_set cpus = {0};
    int result = 0;
    if (cut(&cpus, &move->home->cpus, move->usable, &result) &&
            lease_is_free(&cpus, others, lease->exclusive)) {
        result = ledger_set_domain(lease, move->home);
        index_set_and(&lease->cpus, move->usable);
    } else if (!cut(&cpus, &lease->cpus, move->usable, &result)) {
        struct domain made = {0};
        const struct domain *picked = NULL;
        if (move->domains != NULL && result >= 0) {
            pick(move->domains, others, lease->exclusive, move->load, &made, &picked);
        }
        result = result < 0       ? result
                 : picked != NULL ? ledger_set_domain(lease, picked)
                                  : share_usable(lease, move->usable, others, error);
        domain_free(&made);
    } else {
        result = index_set_copy(&lease->cpus, &cpus);
    }
    index_set_free(&cpus);
    return result;
}

int ledger_move(const char *directory, int file, struct lease *lease,
        const struct ledger_move *move, struct error_text *error) {
    struct ledger_found found;
    int folder = ledger_open(directory, file, &found, error);
    if (folder < 0) {
        return folder;
    }
    error->text[0] = '\0';
    int result = choose_move(lease, move, &found.leases, error);
    ledger_found_free(&found);
    result = result < 0 ? result : ledger_write(file, lease);
    close(folder);
    return result < 0 ? error_set_system(error, -result, "cannot write the lease of this process")
                      : 0;
}

static bool is_unused(const struct domain *domain, const struct leases *leases) {
    return lease_is_free(&domain->cpus, leases, true);
}

/* The names and sets that a lease takes over. */
static int copy_domain(struct domain *target, const struct domain *source) {
    memcpy(target->label, source->label, sizeof target->label);
    int result = index_set_copy(&target->cpus, &source->cpus);
    return result == 0 ? index_set_copy(&target->nodes, &source->nodes) : result;
}

static int leave_in(int file, struct lease *lease, const struct domains *domains,
        const struct host_load *load, const struct leases *others, struct domain *home) {
    struct domain made;
    const struct domain *picked;
    int result = pick(domains, others, false, load, &made, &picked);
    bool good = result == 0 && crowding_may_take(picked, load, &lease->cpus) &&
                is_unused(picked, others);
    if (good) {
        result = copy_domain(home, picked);
        result = result < 0 ? result : ledger_set_domain(lease, home);
        result = result < 0 ? result : ledger_write(file, lease);
    }
    domain_free(&made);
    return result < 0 && result != -EBUSY ? result : good;
}

int ledger_leave(const char *directory, int file, struct lease *lease,
        const struct domains *domains, const struct host_load *load, struct domain *home,
        struct error_text *error) {
    struct ledger_found found;
    int folder = ledger_open(directory, file, &found, error);
    if (folder < 0) {
        return folder;
    }
    error->text[0] = '\0';
    int result = leave_in(file, lease, domains, load, &found.leases, home);
    ledger_found_free(&found);
    close(folder);
    return result < 0 ? error_set_system(error, -result, "cannot move the lease of this process")
                      : result;
}

static int make_again(int folder, const char *directory, int file, struct lease *lease,
        struct error_text *error) {
    struct ledger_found found;
    int result = ledger_read(folder, file, &found);
    if (result < 0) {
        return ledger_cannot_read(directory, result, error);
    }
    bool lost = lease->exclusive &&
                (found.unreadable > 0 || !lease_is_free(&lease->cpus, &found.leases, true));
    ledger_found_free(&found);
    lease->exclusive &= !lost;
    result = ledger_create(folder, lease);
    if (result < 0) {
        return error_set_system(
                error, -result, "cannot write a lease into the directory %.200s", directory);
    }
    close(file);
    error_set(error, 0, "the lease of this process was removed from %.200s and is written again%s",
            directory, lost ? "; others use its CPUs by now, so it is not exclusive any more" : "");
    return result;
}

int ledger_keep(const char *directory, int file, struct lease *lease, struct error_text *error) {
    struct stat status;
    error->text[0] = '\0';
    if (file_status(file, &status) < 0 || status.st_nlink > 0) {
        return file;
    }
    int folder = lease_folder_open(directory, error);
    if (folder < 0) {
        return folder;
    }
    int result = make_again(folder, directory, file, lease, error);
    close(folder);
    return result;
}

#include "ledger.h"

#include "cpu_bind.h"
#include "family.h"
#include "foreign_text.h"
#include "ledger_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TARGET_SIZE = 80 };

int ledger_list(const char *directory, struct leases *leases, unsigned *unreadable,
        struct error_text *error) {
    struct ledger_found found;
    *leases = (struct leases){0};
    *unreadable = 0;
    int folder = ledger_open(directory, 0, &found, error);
    if (folder < 0) {
        return folder;
    }
    close(folder);
    *leases = found.leases;
    *unreadable = found.unreadable;
    return 0;
}

static uint64_t own_pid_namespace(void) {
    char target[TARGET_SIZE] = "";
    ssize_t length = readlink("/proc/self/ns/pid", target, sizeof target - 1);
    const char *number = length <= 0 ? NULL : strchr(target, '[');
    return number == NULL ? 0 : strtoull(number + 1, NULL, 10);
}

static int fill(struct lease *lease, const struct domain *domain, bool exclusive, const char *name,
        const struct family *family) {
    *lease = (struct lease){.pid = (long)getpid(),
            .start = family->count == 0 ? 0 : family->members[0].start,
            .pid_namespace = own_pid_namespace(),
            .user = (unsigned)geteuid(),
            .exclusive = exclusive,
            .since = (int64_t)time(NULL)};
    snprintf(lease->name, sizeof lease->name, "%s", name == NULL ? "" : name);
    foreign_text_clean(lease->name);
    return ledger_set_domain(lease, domain);
}

static bool is_around(const struct lease *lease, const struct domains *domains) {
    for (size_t i = 0; i < domains->count; i++) {
        const struct index_set *cpus = &domains->items[i].cpus;
        if (index_set_common(cpus, &lease->cpus) < index_set_count(cpus)) {
            return false;
        }
    }
    return true;
}

/* Finds the leases of ancestors around the domains, and of other descendants of those. */
static bool find_kin(
        struct leases *leases, const struct domains *domains, const struct family *family) {
    uint64_t namespace = own_pid_namespace();
    const struct lease *nearest = NULL;
    for (size_t i = 0; i < leases->count; i++) {
        struct lease *lease = &leases->items[i];
        if (lease->pid_namespace == namespace && lease->pid != getpid() &&
                (lease->user == 0 || lease->user == geteuid()) &&
                family_has(family, lease->pid, lease->start) && is_around(lease, domains)) {
            lease->kin = KIN_ANCESTOR;
            nearest = lease;
        }
    }
    for (size_t i = 0; nearest != NULL && i < leases->count; i++) {
        struct lease *lease = &leases->items[i];
        struct family other;
        if (lease->kin != KIN_NONE || lease->pid_namespace != namespace) {
            continue;
        }
        family_read(&other, lease->pid);
        if (family_has(&other, lease->pid, lease->start) &&
                family_has(&other, nearest->pid, nearest->start)) {
            lease->kin = KIN_RELATIVE;
        }
    }
    return nearest != NULL;
}

/* Relatives share what their ancestor holds. Where others are unseen, `load` tells of them. */
static int choose(const struct domains *domains, struct leases *leases,
        const struct host_load *load, bool *exclusive, const struct family *family,
        struct domain *made, const struct domain **picked) {
    uint64_t random = load == NULL ? 0 : random_seed();
    bool inside = find_kin(leases, domains, family);
    int result = load == NULL ? lease_pick(domains, leases, *exclusive, made, picked)
                              : lease_pick_by_load(domains, leases, load, &random, made, picked);
    if (result == -EBUSY && inside) {
        for (size_t i = 0; i < leases->count; i++) {
            leases->items[i].exclusive &= leases->items[i].kin != KIN_RELATIVE;
        }
        *exclusive = false;
        result = lease_pick(domains, leases, false, made, picked);
    }
    return result;
}

/* Whether a lease that this process has taken before is in the way. */
static bool is_own_way(const struct leases *leases, const struct domains *domains, bool exclusive,
        const struct family *family) {
    uint64_t namespace = own_pid_namespace();
    for (size_t i = 0; i < leases->count; i++) {
        const struct lease *lease = &leases->items[i];
        if (lease->pid != (long)getpid() || lease->pid_namespace != namespace ||
                family->count == 0 || lease->start != family->members[0].start ||
                !(exclusive || lease->exclusive)) {
            continue;
        }
        for (size_t k = 0; k < domains->count; k++) {
            if (index_set_common(&domains->items[k].cpus, &lease->cpus) > 0) {
                return true;
            }
        }
    }
    return false;
}

struct claim {
    const char *directory;
    const struct domains *domains; /* that may be chosen */
    bool exclusive;
    const char *name;
    int former;
    enum ledger_view view;
    const struct host_load *load; /* NULL: all others are seen, or there is no choice */
};

static int claim_in(
        int folder, const struct claim *claim, struct lease *lease, struct error_text *error) {
    struct ledger_found found;
    struct family family;
    bool exclusive = claim->exclusive;
    family_read(&family, (long)getpid());
    int result = ledger_read(folder, claim->former, &found);
    if (result < 0) {
        return ledger_cannot_read(claim->directory, result, error);
    }
    if (found.unreadable > 0 && exclusive) {
        result = error_set(error, EBUSY,
                "%u files in %.200s are locked and cannot be read (leases of a newer Berth, or "
                "none "
                "at all), so nothing there can be exclusive",
                found.unreadable, claim->directory);
        ledger_found_free(&found);
        return result;
    }
    if (found.unreadable > 0) {
        error_set(error, 0,
                "%u files in %.200s are locked and cannot be read (leases of a newer Berth, or "
                "none "
                "at all): what they hold may be used twice",
                found.unreadable, claim->directory);
    }
    struct domain made;
    const struct domain *picked;
    result =
            choose(claim->domains, &found.leases, claim->load, &exclusive, &family, &made, &picked);
    bool own = result == -EBUSY && is_own_way(&found.leases, claim->domains, exclusive, &family);
    ledger_found_free(&found);
    if (own) {
        return claim->domains->count == 1
                       ? error_set(error, EBUSY,
                                 "%s: this process holds it itself; it must close that lease first",
                                 claim->domains->items[0].label)
                       : error_set(error, EBUSY,
                                 "none of the %zu domains is free, and this process holds one "
                                 "itself: "
                                 "'berth leases' lists the holders",
                                 claim->domains->count);
    }
    if (result == -EBUSY) {
        const char *by =
                exclusive ? "used by another process" : "held exclusively by another process";
        return claim->domains->count == 1
                       ? error_set(error, EBUSY, "%s is %s: 'berth leases' lists the holders",
                                 claim->domains->items[0].label, by)
                       : error_set(error, EBUSY,
                                 "each of the %zu domains is %s: 'berth leases' lists the holders",
                                 claim->domains->count, by);
    }
    result = result < 0 ? result : fill(lease, picked, exclusive, claim->name, &family);
    domain_free(&made);
    result = result < 0 ? result : ledger_create(folder, lease);
    return result < 0 ? lease_folder_refuse(claim->directory, result, "write a lease into", error)
                      : result;
}

/* Whether the only domain is all that this process may use: nothing was chosen, or promised. */
static bool is_everything(const struct domains *domains) {
    struct index_set usable = {0};
    bool everything = domains->count == 1 && cpu_bind_get(getpid(), &usable) == 0 &&
                      index_set_is_inside(&usable, &domains->items[0].cpus);
    index_set_free(&usable);
    return everything;
}

/* What is said of a claim where others may be unseen, before what else there is to say. */
static void warn(const struct claim *claim, struct error_text *error) {
    char sight[400];
    struct error_text rest = *error;
    ledger_view_text(claim->view, claim->directory, sight, sizeof sight);
    error_set(error, 0, "%s: %s%s%.80s",
            claim->load != NULL ? "the domain was chosen by the load of the CPUs"
                                : "not agreed with others",
            sight, rest.text[0] == '\0' ? "" : "; ", rest.text);
}

static int claim_locked(const struct claim *claim, struct lease *lease, struct error_text *error) {
    int folder = lease_folder_open(claim->directory, error);
    if (folder < 0) {
        return folder;
    }
    int result = claim_in(folder, claim, lease, error);
    close(folder);
    return result;
}

/* The load is measured before the lock is taken, which others wait for. */
static int claim_apart(struct claim *claim, struct lease *lease, struct error_text *error) {
    char sight[400];
    struct host_load load = {0};
    if (claim->exclusive) {
        return error_set(error, EBUSY, "no domain can be exclusive: %s",
                ledger_view_text(claim->view, claim->directory, sight, sizeof sight));
    }
    if (claim->domains->count > 1) {
        int result = host_load_measure(&load);
        if (result < 0) {
            return error_set_system(error, -result,
                    "cannot read the load of the CPUs in /proc/stat, by which a domain is chosen "
                    "where %s",
                    ledger_view_text(claim->view, claim->directory, sight, sizeof sight));
        }
        claim->load = &load;
    }
    int result = claim_locked(claim, lease, error);
    if (result >= 0 && !is_everything(claim->domains)) {
        warn(claim, error);
    }
    claim->load = NULL;
    host_load_free(&load);
    return result;
}

enum ledger_view ledger_view(const char *directory) {
    struct error_text error;
    if (ledger_view_of(directory, -1) == LEDGER_SEEN) {
        return LEDGER_SEEN;
    }
    int folder = lease_folder_open(directory, &error);
    enum ledger_view view = folder < 0 ? LEDGER_SEEN : ledger_view_of(directory, folder);
    if (folder >= 0) {
        close(folder);
    }
    return view;
}

int ledger_claim(const char *directory, const struct domains *domains, int index, bool exclusive,
        const char *name, int former, struct lease *lease, struct error_text *error) {
    struct domains one = {.count = 1};
    struct claim claim = {directory, domains, exclusive, name, former, LEDGER_SEEN, NULL};
    *lease = (struct lease){0};
    if (index >= (int)domains->count) {
        return error_set(error, EINVAL, "there is no domain %d: they are 0 to %zu", index,
                domains->count - 1);
    }
    if (index >= 0) {
        one.items = domains->items + index;
        claim.domains = &one;
    }
    claim.view = ledger_view(directory);
    int result = claim.view == LEDGER_SEEN ? claim_locked(&claim, lease, error)
                                           : claim_apart(&claim, lease, error);
    lease->apart = result >= 0 && claim.view != LEDGER_SEEN && domains->count > 1;
    if (result < 0) {
        lease_free(lease);
    }
    return result;
}

int ledger_adopt(int file, struct lease *lease) {
    char text[LEASE_TEXT_SIZE];
    struct family family;
    ssize_t length = pread(file, text, sizeof text - 1, 0);
    if (length < 0) {
        return -errno;
    }
    text[length] = '\0';
    int result = lease_read(lease, text);
    family_read(&family, (long)getpid());
    if (result == 0 && (family.count == 0 || lease->pid != (long)getpid() ||
                               lease->start != family.members[0].start)) {
        lease_free(lease);
        result = -EINVAL;
    }
    return result;
}

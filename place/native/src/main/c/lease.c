#include "lease.h"

#include "foreign_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the year 9999, the last one that a date of four digits can name. */
#define LAST_SECOND UINT64_C(253402300799)

void lease_free(struct lease *lease) {
    index_set_free(&lease->cpus);
    index_set_free(&lease->nodes);
    *lease = (struct lease){0};
}

void leases_free(struct leases *leases) {
    for (size_t i = 0; i < leases->count; i++) {
        lease_free(&leases->items[i]);
    }
    free(leases->items);
    *leases = (struct leases){0};
}

static bool is_below(const struct index_set *set, unsigned limit) {
    return index_set_next(set, limit) < 0;
}

int lease_write(const struct lease *lease, struct text_buffer *text) {
    char list[LEASE_TEXT_SIZE];
    if (!is_below(&lease->cpus, LEASE_CPU_LIMIT) || !is_below(&lease->nodes, LEASE_NODE_LIMIT)) {
        return -E2BIG;
    }
    text_append(text, "berth-lease 1\npid %ld\nstart %" PRIu64 "\npid-namespace %" PRIu64 "\n",
            lease->pid, lease->start, lease->pid_namespace);
    text_append(text, "user %u\ncpus %s\n", lease->user,
            index_set_format(&lease->cpus, list, sizeof list));
    text_append(text, "nodes %s\n", index_set_format(&lease->nodes, list, sizeof list));
    text_append(text, "exclusive %s\nsince %" PRId64 "\ndomain %s\nname %s\n",
            lease->exclusive ? "yes" : "no", lease->since, lease->domain, lease->name);
    return 0;
}

/* The value behind a key, and *text moved to the next line; NULL when another key stands there. */
static const char *value(const char **text, const char *key, size_t *length) {
    size_t key_length = strlen(key);
    const char *line = *text;
    if (strncmp(line, key, key_length) != 0 || line[key_length] != ' ') {
        return NULL;
    }
    line += key_length + 1;
    *length = strcspn(line, "\n");
    if (line[*length] != '\n') {
        return NULL;
    }
    *text = line + *length + 1;
    return line;
}

static bool read_number(const char **text, const char *key, uint64_t largest, uint64_t *number) {
    size_t length;
    const char *digits = value(text, key, &length);
    char *end;
    if (digits == NULL || length == 0 || length > 18 || strspn(digits, "0123456789") != length) {
        return false;
    }
    *number = strtoull(digits, &end, 10);
    return *number <= largest;
}

static bool read_set(const char **text, const char *key, unsigned limit, struct index_set *set) {
    size_t length;
    struct error_text error;
    const char *list = value(text, key, &length);
    return list != NULL && index_set_parse_below(set, limit, list, length, &error) == 0;
}

/* The text of another user is printed to terminals: nothing stays that those would obey. */
static bool read_text(const char **text, const char *key, char *into, size_t size) {
    size_t length;
    const char *from = value(text, key, &length);
    if (from == NULL) {
        return false;
    }
    length = length < size ? length : size - 1;
    memcpy(into, from, length);
    into[length] = '\0';
    foreign_text_clean(into);
    return true;
}

static bool read_all(struct lease *lease, const char *text) {
    uint64_t version;
    uint64_t pid;
    uint64_t user;
    uint64_t since;
    char exclusive[8];
    bool good = read_number(&text, "berth-lease", 1, &version) &&
                read_number(&text, "pid", INT32_MAX, &pid) &&
                read_number(&text, "start", INT64_MAX, &lease->start) &&
                read_number(&text, "pid-namespace", UINT32_MAX, &lease->pid_namespace) &&
                read_number(&text, "user", UINT32_MAX, &user) &&
                read_set(&text, "cpus", LEASE_CPU_LIMIT, &lease->cpus) &&
                read_set(&text, "nodes", LEASE_NODE_LIMIT, &lease->nodes) &&
                read_text(&text, "exclusive", exclusive, sizeof exclusive) &&
                read_number(&text, "since", LAST_SECOND, &since) &&
                read_text(&text, "domain", lease->domain, sizeof lease->domain) &&
                read_text(&text, "name", lease->name, sizeof lease->name) && *text == '\0' &&
                version == 1 && pid > 0 &&
                (strcmp(exclusive, "yes") == 0 || strcmp(exclusive, "no") == 0);
    if (good) {
        lease->pid = (long)pid;
        lease->user = (unsigned)user;
        lease->since = (int64_t)since;
        lease->exclusive = strcmp(exclusive, "yes") == 0;
    }
    return good && !index_set_is_empty(&lease->cpus);
}

int lease_read(struct lease *lease, const char *text) {
    *lease = (struct lease){0};
    if (!read_all(lease, text)) {
        lease_free(lease);
        return -EINVAL;
    }
    return 0;
}

/* How much of a set is used: CPUs in leases, one counted once for each lease, in 1/65536 of its
 * size. Sets that the kernel does not tell are all alike. */
static uint64_t load(const struct index_set *cpus, const struct leases *leases) {
    uint64_t used = 0;
    uint64_t size = index_set_count(cpus);
    for (size_t i = 0; i < leases->count; i++) {
        if (leases->items[i].kin != KIN_ANCESTOR) {
            used += index_set_common(cpus, &leases->items[i].cpus);
        }
    }
    return size == 0 ? 0 : (used << 16) / size;
}

bool lease_is_free(const struct index_set *cpus, const struct leases *leases, bool exclusive) {
    for (size_t i = 0; i < leases->count; i++) {
        const struct lease *lease = &leases->items[i];
        if (lease->kin != KIN_ANCESTOR && (exclusive || lease->exclusive) &&
                index_set_common(cpus, &lease->cpus) > 0) {
            return false;
        }
    }
    return true;
}

int lease_choose(const struct domains *domains, const struct leases *leases, bool exclusive) {
    int best = -EBUSY;
    uint64_t least[3] = {0};
    for (size_t i = 0; i < domains->count; i++) {
        const struct domain *domain = &domains->items[i];
        if (index_set_is_empty(&domain->cpus) || !lease_is_free(&domain->cpus, leases, exclusive)) {
            continue;
        }
        uint64_t loads[3] = {load(&domain->cpus, leases), load(&domain->package, leases),
                load(&domain->node, leases)};
        int order = best < 0 ? -1 : 0;
        for (int k = 0; k < 3 && order == 0; k++) {
            order = loads[k] < least[k] ? -1 : loads[k] > least[k] ? 1 : 0;
        }
        if (order < 0) {
            best = (int)i;
            memcpy(least, loads, sizeof least);
        }
    }
    return best;
}

/* Which cores may be one domain: those whose set is the same; without a set, all. */
typedef const struct index_set *scope_of(const struct domain *core);

static const struct index_set *node_scope(const struct domain *core) {
    return &core->node;
}

static const struct index_set *package_scope(const struct domain *core) {
    return &core->package;
}

static const struct index_set *no_scope(const struct domain *core) {
    (void)core;
    static const struct index_set all;
    return &all;
}

/* How many leases hold a CPU of a core. */
static uint64_t users_of(const struct domain *core, const struct leases *leases) {
    uint64_t users = 0;
    for (size_t i = 0; i < leases->count; i++) {
        const struct lease *lease = &leases->items[i];
        users += lease->kin != KIN_ANCESTOR && index_set_common(&core->cpus, &lease->cpus) > 0;
    }
    return users;
}

/* How many of the cores with these CPUs have users; of equal numbers, how many users. */
static uint64_t crowd(
        const struct domains *domains, const struct leases *leases, const struct index_set *cpus) {
    uint64_t total = 0;
    for (size_t i = 0; i < domains->core_count; i++) {
        if (index_set_common(&domains->cores[i].cpus, cpus) > 0) {
            uint64_t users = users_of(&domains->cores[i], leases);
            total += users + (users > 0 ? UINT64_C(1) << 32 : 0);
        }
    }
    return total;
}

/* The core to add next: of the same scope as `like`, the one that is used least. */
static const struct domain *next_core(const struct domains *domains, const struct leases *leases,
        bool exclusive, const struct domain *made, scope_of *scope, const struct domain *like) {
    const struct domain *best = NULL;
    uint64_t least = 0;
    for (size_t i = 0; i < domains->core_count; i++) {
        const struct domain *core = &domains->cores[i];
        if (index_set_equals(scope(core), scope(like)) &&
                index_set_common(&core->cpus, &made->cpus) == 0 &&
                lease_is_free(&core->cpus, leases, exclusive)) {
            uint64_t used = users_of(core, leases);
            if (best == NULL || used < least) {
                best = core;
                least = used;
            }
        }
    }
    return best;
}

/* 1 with K cores, 0 when the scope has fewer, or -ENOMEM. */
static int gather(struct domain *made, const struct domains *domains, const struct leases *leases,
        bool exclusive, scope_of *scope, const struct domain *like) {
    int result = 0;
    for (unsigned taken = 0; taken < domains->size; taken++) {
        const struct domain *core = next_core(domains, leases, exclusive, made, scope, like);
        if (core == NULL) {
            return 0;
        }
        if (taken == 0) {
            result = index_set_copy(&made->package, &core->package);
            result = result < 0 ? result : index_set_copy(&made->node, &core->node);
        }
        result = result < 0 ? result : index_set_or(&made->cpus, &core->cpus);
        result = result < 0 ? result : index_set_or(&made->nodes, &core->nodes);
        if (result < 0) {
            return result;
        }
    }
    domains_name_cores(made, domains->size);
    return 1;
}

/* Whether an earlier core has stood for the scope. */
static bool is_first(const struct domains *domains, scope_of *scope, size_t position) {
    size_t first = 0;
    while (!index_set_equals(scope(&domains->cores[first]), scope(&domains->cores[position]))) {
        first++;
    }
    return first == position;
}

int lease_pick(const struct domains *domains, const struct leases *leases, bool exclusive,
        struct domain *made, const struct domain **picked) {
    static scope_of *const scopes[] = {node_scope, package_scope, no_scope};
    int chosen = lease_choose(domains, leases, exclusive);
    int result = 0;
    uint64_t least = UINT64_MAX;
    *made = (struct domain){0};
    *picked = NULL;
    if (chosen >= 0) {
        *picked = &domains->items[chosen];
        least = crowd(domains, leases, &(*picked)->cpus);
    }
    for (size_t k = 0; k < sizeof scopes / sizeof *scopes; k++) {
        for (size_t i = 0; i < domains->core_count && result >= 0 && least > 0; i++) {
            struct domain other = {0};
            if (is_first(domains, scopes[k], i)) {
                result = gather(&other, domains, leases, exclusive, scopes[k], &domains->cores[i]);
            }
            if (result == 1 && crowd(domains, leases, &other.cpus) < least) {
                least = crowd(domains, leases, &other.cpus);
                domain_free(made);
                *made = other;
                *picked = made;
            } else {
                domain_free(&other);
            }
            result = result < 0 ? result : 0;
        }
    }
    return result < 0 ? result : *picked == NULL ? -EBUSY : 0;
}

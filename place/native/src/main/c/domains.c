#include "domains.h"

#include "file_text.h"
#include "list_file.h"
#include "nodes_near.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE_LIMIT = 16 };

void domain_free(struct domain *domain) {
    index_set_free(&domain->cpus);
    index_set_free(&domain->nodes);
    index_set_free(&domain->package);
    index_set_free(&domain->node);
}

void domains_free(struct domains *domains) {
    for (size_t i = 0; i < domains->count; i++) {
        domain_free(&domains->items[i]);
    }
    for (size_t i = 0; i < domains->core_count; i++) {
        domain_free(&domains->cores[i]);
    }
    free(domains->items);
    free(domains->cores);
    *domains = (struct domains){0};
}

struct domain *domains_add(struct domains *domains) {
    struct domain *larger = realloc(domains->items, (domains->count + 1) * sizeof *larger);
    if (larger == NULL) {
        return NULL;
    }
    domains->items = larger;
    domains->items[domains->count] = (struct domain){0};
    return &domains->items[domains->count++];
}

int domain_kind_parse(
        const char *text, enum domain_kind *kind, unsigned *cores, struct error_text *error) {
    static const char *const words[] = {"numa", "package", "l3"};
    *cores = 1;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(text, words[i]) == 0) {
            *kind = (enum domain_kind)i;
            return 0;
        }
    }
    size_t digits = strncmp(text, "core:", 5) == 0 ? strspn(text + 5, "0123456789") : 0;
    if (strcmp(text, "core") == 0 || (digits > 0 && digits < 5 && text[5 + digits] == '\0')) {
        *kind = DOMAIN_CORES;
        *cores = digits > 0 ? (unsigned)atoi(text + 5) : 1;
        if (*cores > 0) {
            return 0;
        }
    }
    return error_set(error, EINVAL,
            "domain=%.40s is not one of numa, package, l3, core:K (K cores, from 1), cpus:LIST",
            text);
}

static int read_topology(struct index_set *cpus, const char *root, unsigned cpu, const char *name,
        const char *old_name) {
    int result =
            list_file_read(cpus, "%s/sys/devices/system/cpu/cpu%u/topology/%s", root, cpu, name);
    return result == -ENOENT ? list_file_read(cpus, "%s/sys/devices/system/cpu/cpu%u/topology/%s",
                                       root, cpu, old_name)
                             : result;
}

static int package_of(const char *root, unsigned cpu, struct index_set *cpus) {
    return read_topology(cpus, root, cpu, "package_cpus_list", "core_siblings_list");
}

int domains_core_of(const char *root, unsigned cpu, struct index_set *cpus) {
    return read_topology(cpus, root, cpu, "core_cpus_list", "thread_siblings_list");
}

static int l3_of(const char *root, unsigned cpu, struct index_set *cpus) {
    for (int cache = 0; cache < CACHE_LIMIT; cache++) {
        struct index_set level = {0};
        int result = list_file_read(
                &level, "%s/sys/devices/system/cpu/cpu%u/cache/index%d/level", root, cpu, cache);
        bool third = result == 0 && index_set_contains(&level, 3);
        index_set_free(&level);
        if (result < 0) {
            return result;
        }
        if (third) {
            return list_file_read(cpus,
                    "%s/sys/devices/system/cpu/cpu%u/cache/index%d/shared_cpu_list", root, cpu,
                    cache);
        }
    }
    return -ENOENT;
}

/* The lowest node with the CPU; -ENOENT when the kernel names none. */
static int node_of(const char *root, unsigned cpu, struct index_set *cpus) {
    struct index_set online = {0};
    int result = list_file_read(&online, "%s/sys/devices/system/node/online", root);
    int found = -ENOENT;
    for (int node = result < 0 ? -1 : index_set_next(&online, 0); node >= 0 && found < 0;
            node = index_set_next(&online, (unsigned)node + 1)) {
        if (list_file_read(cpus, "%s/sys/devices/system/node/node%d/cpulist", root, node) == 0 &&
                index_set_contains(cpus, cpu)) {
            found = node;
        }
    }
    index_set_free(&online);
    if (found < 0) {
        index_set_clear(cpus);
    }
    return found;
}

typedef int part_of(const char *root, unsigned cpu, struct index_set *cpus);

/* What surrounds a domain, for spreading, and its memory; what the kernel does not tell stays
 * empty.
 */
static int surround(struct domain *domain, const char *root) {
    int first = index_set_next(&domain->cpus, 0);
    package_of(root, (unsigned)first, &domain->package);
    int node = node_of(root, (unsigned)first, &domain->node);
    int result = nodes_near_cpus(root, &domain->cpus, &domain->nodes);
    /* Named all the same: a policy over a node without memory is refused, and not left out. */
    if (index_set_is_empty(&domain->nodes) && node >= 0 && result != -ENOMEM) {
        result = index_set_add(&domain->nodes, (unsigned)node);
    }
    return result == -ENOMEM ? result : 0;
}

/* Walks over the usable CPUs, taking each time the part that the next one is in. CPUs of which the
 * kernel tells no such part (a node that is offline) are left out. */
static int read_parts(
        struct domains *parts, const char *root, part_of *part, const struct index_set *usable) {
    struct index_set left = {0};
    int result = index_set_copy(&left, usable);
    for (int cpu = index_set_next(&left, 0); cpu >= 0 && result == 0;
            cpu = index_set_next(&left, 0)) {
        struct index_set found = {0};
        result = part(root, (unsigned)cpu, &found);
        bool told = result >= 0;
        if (told || result == -ENOENT) {
            /* A CPU is in one part. A file that leaves out its own CPU must not send us round in
             * circles. */
            index_set_and(&found, &left);
            result = index_set_add(&found, (unsigned)cpu);
            index_set_subtract(&left, &found);
        }
        struct domain *domain = told && result == 0 ? domains_add(parts) : NULL;
        if (domain != NULL) {
            domain->cpus = found;
        } else {
            index_set_free(&found);
            result = told && result == 0 ? -ENOMEM : result;
        }
    }
    index_set_free(&left);
    return result;
}

static void name_parts(struct domains *parts, const char *noun) {
    for (size_t i = 0; i < parts->count; i++) {
        char list[24];
        struct domain *domain = &parts->items[i];
        if (*noun == 'N' && index_set_count(&domain->nodes) == 1) {
            snprintf(domain->label, sizeof domain->label, "NUMA node %d",
                    index_set_next(&domain->nodes, 0));
        } else {
            snprintf(domain->label, sizeof domain->label, "%s of CPUs %s", noun,
                    index_set_format(&domain->cpus, list, sizeof list));
        }
    }
}

void domains_name_cores(struct domain *domain, unsigned cores) {
    char list[24];
    bool packages = !index_set_is_empty(&domain->package) &&
                    !index_set_is_inside(&domain->cpus, &domain->package);
    bool nodes = !index_set_is_empty(&domain->node) &&
                 !index_set_is_inside(&domain->cpus, &domain->node);
    snprintf(domain->label, sizeof domain->label, "%s CPUs %s",
            packages     ? "cores of several packages:"
            : nodes      ? "cores of several nodes:"
            : cores == 1 ? "core of"
                         : "cores of",
            index_set_format(&domain->cpus, list, packages ? 16 : sizeof list));
}

static int surround_all(struct domains *domains, const char *root) {
    int result = 0;
    for (size_t i = 0; i < domains->count && result == 0; i++) {
        result = surround(&domains->items[i], root);
    }
    return result;
}

/* The cores of each part in groups of `size`. */
static int group_cores(struct domains *groups, struct domains *parts, const char *root,
        unsigned size, const struct index_set *usable) {
    int result = 0;
    for (size_t i = 0; i < parts->count && result == 0; i++) {
        struct index_set within = {0};
        struct domains cores = {0};
        result = index_set_copy(&within, &parts->items[i].cpus);
        if (result == 0) {
            index_set_and(&within, usable);
            result = read_parts(&cores, root, domains_core_of, &within);
        }
        for (size_t core = 0; core + size <= cores.count && result == 0; core += size) {
            struct domain *group = domains_add(groups);
            result = group == NULL ? -ENOMEM : 0;
            for (size_t k = core; k < core + size && result == 0; k++) {
                result = index_set_or(&group->cpus, &cores.items[k].cpus);
            }
        }
        domains_free(&cores);
        index_set_free(&within);
    }
    return result;
}

static unsigned count_cpus(const struct domains *domains) {
    unsigned count = 0;
    for (size_t i = 0; i < domains->count; i++) {
        count += index_set_count(&domains->items[i].cpus);
    }
    return count;
}

/* All usable CPUs as one part. */
static int whole(struct domains *parts, const struct index_set *usable) {
    struct domain *part = domains_add(parts);
    return part == NULL ? -ENOMEM : index_set_copy(&part->cpus, usable);
}

static int read_cores(
        struct domains *domains, const char *root, unsigned cores, const struct index_set *usable) {
    static part_of *const kinds[] = {node_of, package_of, NULL};
    int result = -ENOENT;
    /* Inside a node; inside a package where nodes are too small, or not told for every CPU; else of
     * several. */
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && domains->count == 0; i++) {
        struct domains parts = {0};
        result = kinds[i] == NULL ? whole(&parts, usable)
                                  : read_parts(&parts, root, kinds[i], usable);
        if (result >= 0 && count_cpus(&parts) == index_set_count(usable)) {
            result = group_cores(domains, &parts, root, cores, usable);
        }
        domains_free(&parts);
    }
    if (result >= 0 && cores > 1) {
        struct domains single = {0};
        result = read_parts(&single, root, domains_core_of, usable);
        result = result < 0 ? result : surround_all(&single, root);
        domains->cores = single.items;
        domains->core_count = single.count;
        domains->size = cores;
    }
    return result;
}

int domains_read(struct domains *domains, const char *root, enum domain_kind kind, unsigned cores,
        const struct index_set *usable, struct error_text *error) {
    static const char *const nouns[] = {"NUMA node", "package", "L3 cache", "cores"};
    static part_of *const parts[] = {node_of, package_of, l3_of};
    int result = kind == DOMAIN_CORES ? read_cores(domains, root, cores, usable)
                                      : read_parts(domains, root, parts[kind], usable);
    if (result >= 0) {
        result = surround_all(domains, root);
    }
    if (result >= 0 && domains->count > 0) {
        for (size_t i = 0; i < domains->count && kind == DOMAIN_CORES; i++) {
            domains_name_cores(&domains->items[i], cores);
        }
        if (kind != DOMAIN_CORES) {
            name_parts(domains, nouns[kind]);
        }
        return 0;
    }
    char list[120];
    domains_free(domains);
    index_set_format(usable, list, sizeof list);
    if (result >= 0 && kind == DOMAIN_CORES) {
        return error_set(error, ENOENT, "there are no %u cores among the CPUs %s; ask for fewer",
                cores, list);
    }
    return error_set_system(error, result < 0 ? -result : ENOENT,
            "the kernel does not tell the %s of the CPUs %s%s", nouns[kind], list,
            kind == DOMAIN_PACKAGE ? "" : "; try domain=package");
}

int domains_of_cpus(struct domains *domains, const char *root, const struct index_set *cpus,
        const struct index_set *usable, struct error_text *error) {
    char name[40];
    char list[120];
    char rest[120];
    struct domain *domain = domains_add(domains);
    int result = domain == NULL ? -ENOMEM : index_set_copy(&domain->cpus, cpus);
    if (result == 0) {
        index_set_and(&domain->cpus, usable);
        result = index_set_is_empty(&domain->cpus) ? -ENOENT : surround(domain, root);
    }
    if (result == 0) {
        snprintf(domain->label, sizeof domain->label, "CPUs %s",
                index_set_format(&domain->cpus, name, sizeof name));
        return 0;
    }
    domains_free(domains);
    index_set_format(cpus, list, sizeof list);
    index_set_format(usable, rest, sizeof rest);
    return result == -ENOENT ? error_set(error, ENOENT,
                                       "none of the CPUs %s may be used here, only %s", list, rest)
                             : error_set_system(error, -result, "cannot use the CPUs %s", list);
}

static size_t keep_with_memory(struct domain *items, size_t count, const struct index_set *memory) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        kept += index_set_common(&items[i].nodes, memory) > 0 ? 1 : 0;
    }
    if (kept == 0) {
        return count;
    }
    kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (index_set_common(&items[i].nodes, memory) > 0) {
            items[kept++] = items[i];
        } else {
            domain_free(&items[i]);
        }
    }
    return kept;
}

int domains_keep_with_memory(
        struct domains *domains, const char *root, const struct index_set *allowed) {
    struct index_set memory = {0};
    int result = nodes_with_memory(root, &memory);
    if (allowed != NULL) {
        index_set_and(&memory, allowed);
    }
    size_t before = domains->count;
    if (result >= 0) {
        domains->count = keep_with_memory(domains->items, before, &memory);
        domains->core_count = keep_with_memory(domains->cores, domains->core_count, &memory);
    }
    index_set_free(&memory);
    return result == -ENOMEM ? result : (int)(before - domains->count);
}

void domains_offline_below(const char *root, unsigned limit, struct index_set *cpus) {
    struct index_set online = {0};
    char path[512];
    char *control = NULL;
    size_t length;
    snprintf(path, sizeof path, "%s/sys/devices/system/cpu/smt/control", root);
    bool smt_off = file_text_read(path, sizeof path, &control, &length) == 0 &&
                   (strncmp(control, "off", 3) == 0 || strncmp(control, "forceoff", 8) == 0);
    free(control);
    if (smt_off || list_file_read(cpus, "%s/sys/devices/system/cpu/present", root) < 0 ||
            list_file_read(&online, "%s/sys/devices/system/cpu/online", root) < 0) {
        index_set_clear(cpus);
    }
    index_set_subtract(cpus, &online);
    index_set_free(&online);
    struct index_set above = {0};
    for (int cpu = index_set_next(cpus, limit); cpu >= 0;
            cpu = index_set_next(cpus, (unsigned)cpu + 1)) {
        if (index_set_add(&above, (unsigned)cpu) < 0) {
            break;
        }
    }
    index_set_subtract(cpus, &above);
    index_set_free(&above);
}

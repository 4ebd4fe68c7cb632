/* The parts of this machine among which JVMs are distributed, read from sysfs without any library.
 *
 * See https://docs.kernel.org/admin-guide/cputopology.html (package_cpus_list, core_cpus_list;
 * older kernels say core_siblings_list, thread_siblings_list) and
 * https://docs.kernel.org/admin-guide/mm/numaperf.html (nodeN/cpulist).
 */
#ifndef BERTH_DOMAINS_H
#define BERTH_DOMAINS_H

#include "index_set.h"

#include <stdbool.h>

/* DOMAIN_CPUS: named one by one, for a caller that has cut the machine itself. */
enum domain_kind { DOMAIN_NUMA, DOMAIN_PACKAGE, DOMAIN_L3, DOMAIN_CORES, DOMAIN_CPUS };

struct domain {
    char label[48];         /* "NUMA node 1", "cores 4-5" */
    struct index_set cpus;  /* usable ones, at least one */
    struct index_set nodes; /* memory nodes of these CPUs; empty when the kernel names none */
    struct index_set package;
    struct index_set node; /* CPUs of the package, and of the node, that its first CPU is in */
};

/* All zero bytes is an empty list. */
struct domains {
    struct domain *items;
    size_t count;
    /* For domains of several cores: all cores that are usable, and how many it is. A rest of fewer
     * cores is in no item, and lease_pick makes a domain of it when that is used less. */
    struct domain *cores;
    size_t core_count;
    unsigned size;
};

/* "numa", "package", "l3", "core:K" (K cores; core is core:1). 0 or -EINVAL with the choices. */
int domain_kind_parse(
        const char *text, enum domain_kind *kind, unsigned *cores, struct error_text *error);

/* The domains that have a usable CPU, in the order of their lowest CPU. Several cores are in one
 * node, else in one package, else anywhere. `root` stands before /sys ("" for this machine).
 * -ENOENT when this machine does not tell them, or has none that large, with the reason. */
int domains_read(struct domains *domains, const char *root, enum domain_kind kind, unsigned cores,
        const struct index_set *usable, struct error_text *error);

/* One domain of those of the CPUs that are usable. -ENOENT when none is. */
int domains_of_cpus(struct domains *domains, const char *root, const struct index_set *cpus,
        const struct index_set *usable, struct error_text *error);

/* Drops the domains of nodes without memory (a socket without DIMMs), or with none that is allowed
 * (NULL: all is), unless none has any or the kernel does not tell. Returns how many, or -ENOMEM. */
int domains_keep_with_memory(
        struct domains *domains, const char *root, const struct index_set *allowed);

/* CPUs below `limit` that are offline, and so in no domain: numbers of domains are lower by those
 * that these were. Empty where SMT is switched off, which takes no domain away. */
void domains_offline_below(const char *root, unsigned limit, struct index_set *cpus);

/* Labels a domain of `cores` cores by its CPUs, and says when they are in several nodes or
 * packages.
 */
void domains_name_cores(struct domain *domain, unsigned cores);

void domain_free(struct domain *domain);

/* A new domain with empty sets, or NULL. */
struct domain *domains_add(struct domains *domains);

/* The CPUs of the core of a CPU, the first one being the lowest; -errno when the kernel does not
 * tell. */
int domains_core_of(const char *root, unsigned cpu, struct index_set *cpus);

void domains_free(struct domains *domains);

#endif

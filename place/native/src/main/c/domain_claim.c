#include "domain_claim.h"

#include "assignment.h"
#include "cpu_bind.h"
#include "lease_watches.h"
#include "ledger.h"

#include <string.h>
#include <unistd.h>

static int read_kind(struct domains *domains, const char *kind, const struct index_set *usable,
        struct error_text *error) {
    if (strncmp(kind, "cpus:", 5) == 0) {
        struct index_set cpus = {0};
        int result = index_set_parse(&cpus, kind + 5, strlen(kind + 5), error);
        result = result < 0 ? result : domains_of_cpus(domains, "", &cpus, usable, error);
        index_set_free(&cpus);
        return result;
    }
    enum domain_kind parsed = DOMAIN_CORES;
    unsigned cores = 0;
    int result = domain_kind_parse(kind, &parsed, &cores, error);
    return result < 0 ? result : domains_read(domains, "", parsed, cores, usable, error);
}

/* Without memory nothing looks for others, and the lease is as good. One by number stays. */
static int claim(const char *directory, struct domains *domains, int number, bool exclusive,
        const char *name, struct lease *lease, struct error_text *error) {
    int file = ledger_claim(directory, domains, number < 0 ? SELECT_FREE : number, exclusive, name,
            0, lease, error);
    if (file >= 0 && lease->apart && number < 0) {
        lease_watches_add(file, directory, lease, domains);
    }
    return file;
}

int domain_claim_worker(const struct plan *plan, const char *directory, bool exclusive,
        const char *name, struct lease *lease, struct error_text *error) {
    struct domains domains = {0};
    int result = assignment_plan_domains(&domains, plan);
    result = result < 0 ? error_set_system(error, -result, "cannot use the plan")
                        : claim(directory, &domains, -1, exclusive, name, lease, error);
    domains_free(&domains);
    return result;
}

int domain_claim(const char *kind, int number, bool exclusive, const char *directory,
        const char *name, struct lease *lease, struct error_text *error) {
    struct domains domains = {0};
    struct index_set usable = {0};
    int result = cpu_bind_get(getpid(), &usable);
    result = result < 0 ? error_set_system(error, -result, "cannot read the CPUs of this process")
                        : read_kind(&domains, kind, &usable, error);
    if (result == 0) {
        result = claim(directory, &domains, number, exclusive, name, lease, error);
    }
    domains_free(&domains);
    index_set_free(&usable);
    return result;
}

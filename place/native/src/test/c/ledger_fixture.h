/* A directory of leases, and claims of CPUs in it. */
#ifndef BERTH_LEDGER_FIXTURE_H
#define BERTH_LEDGER_FIXTURE_H

#include "ledger.h"

#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLOTS = 64, STARTS = 200, NOBODY = 65534 };

static char directory[64];

/* In the directory. */
static inline void shell(const char *script) {
    char command[512];
    snprintf(command, sizeof command, "cd %s && %s", directory, script);
    CHECK_INT(system(command), 0);
}

static inline void remove_directory(void) {
    shell("rm -rf -- \"$PWD\"");
}

static inline void new_directory(void) {
    snprintf(directory, sizeof directory, "/tmp/berth-ledger-XXXXXX");
    CHECK(mkdtemp(directory) != NULL);
    CHECK_INT(chmod(directory, 01777), 0);
}

/* `count` domains of one CPU each, half of them in each of two packages. */
static inline struct domains cpus(unsigned count) {
    struct domains domains = {0};
    for (unsigned i = 0; i < count; i++) {
        struct domain *domain = domains_add(&domains);
        snprintf(domain->label, sizeof domain->label, "CPU %u", i);
        index_set_add(&domain->cpus, i);
        index_set_add(&domain->nodes, i / ((count + 1) / 2));
        for (unsigned k = 0; k < count; k++) {
            if (k / ((count + 1) / 2) == i / ((count + 1) / 2)) {
                index_set_add(&domain->package, k);
            }
        }
    }
    return domains;
}

/* The CPU held, with the descriptor in *file; or -errno. */
static inline int claim(const struct domains *domains, bool exclusive, int *file) {
    struct lease lease;
    struct error_text error = {""};
    /* The wait for the other starts is bounded, which is short for hundreds of them on a busy
     * machine. */
    do {
        *file = ledger_claim(directory, domains, -1, exclusive, "test", 0, &lease, &error);
    } while (*file == -ETIMEDOUT);
    if (*file < 0) {
        return *file;
    }
    int cpu = index_set_next(&lease.cpus, 0);
    lease_free(&lease);
    return cpu;
}

static inline unsigned count_held(void) {
    struct leases leases;
    unsigned unreadable;
    struct error_text error;
    CHECK_INT(ledger_list(directory, &leases, &unreadable, &error), 0);
    unsigned count = (unsigned)leases.count;
    leases_free(&leases);
    return count;
}

#endif

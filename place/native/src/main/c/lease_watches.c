#include "lease_watches.h"

#include "ledger.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Longer waits, after a row of moves, are those of the caller. */
enum { WAIT_MILLIS = 1200 };

struct watched {
    int file;
    char *directory;
    struct lease lease;
    struct domain_watch watch;
    struct watched *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct watched *all;

static void free_watched(struct watched *watched) {
    lease_free(&watched->lease);
    domain_watch_free(&watched->watch);
    free(watched->directory);
    free(watched);
}

/* The sets are the copy's own. */
static int copy_lease(struct lease *target, const struct lease *source) {
    struct index_set cpus = {0};
    struct index_set nodes = {0};
    int result = index_set_copy(&cpus, &source->cpus);
    result = result < 0 ? result : index_set_copy(&nodes, &source->nodes);
    if (result < 0) {
        index_set_free(&cpus);
        return result;
    }
    *target = *source;
    target->cpus = cpus;
    target->nodes = nodes;
    return 0;
}

int lease_watches_add(
        int file, const char *directory, const struct lease *lease, struct domains *domains) {
    struct watched *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return -ENOMEM;
    }
    made->directory = strdup(directory);
    if (made->directory == NULL || copy_lease(&made->lease, lease) < 0) {
        free_watched(made);
        return -ENOMEM;
    }
    made->file = file;
    made->watch.domains = *domains;
    *domains = (struct domains){0};
    pthread_mutex_lock(&lock);
    made->next = all;
    all = made;
    pthread_mutex_unlock(&lock);
    return 0;
}

static struct watched *find(int file) {
    struct watched *one = all;
    while (one != NULL && one->file != file) {
        one = one->next;
    }
    return one;
}

static int leave(struct watched *one, struct lease *lease, struct error_text *error) {
    struct host_load load = {0};
    struct domain home = {0};
    int result = domain_watch_is_crowded(&one->watch, &one->lease.cpus, (long)getpid(), &load);
    if (result > 0) {
        result = ledger_leave(
                one->directory, one->file, &one->lease, &one->watch.domains, &load, &home, error);
    }
    if (result > 0) {
        result = copy_lease(lease, &one->lease);
        result = result < 0 ? error_set_system(error, -result, "cannot move a lease") : 1;
    }
    domain_free(&home);
    host_load_free(&load);
    return result;
}

int lease_watches_leave(int file, struct lease *lease, struct error_text *error) {
    int64_t left = WAIT_MILLIS;
    for (;;) {
        int result = 0;
        int64_t wait = -1;
        pthread_mutex_lock(&lock);
        struct watched *one = find(file);
        if (one != NULL) {
            result = leave(one, lease, error);
            wait = one->watch.crowding.stage == CROWDING_LOOKS ? -1
                                                               : domain_watch_wait(&one->watch);
        }
        pthread_mutex_unlock(&lock);
        if (result != 0 || wait < 0 || wait > left) {
            return result;
        }
        left -= wait;
        nanosleep(&(struct timespec){wait / 1000, wait % 1000 * 1000000}, NULL);
    }
}

void lease_watches_drop(int file) {
    pthread_mutex_lock(&lock);
    for (struct watched **link = &all; *link != NULL;) {
        struct watched *one = *link;
        if (one->file == file) {
            *link = one->next;
            free_watched(one);
        } else {
            link = &one->next;
        }
    }
    pthread_mutex_unlock(&lock);
}

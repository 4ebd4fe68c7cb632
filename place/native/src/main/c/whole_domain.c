#include "whole_domain.h"

#include "cpu_bind.h"
#include "vm_structs.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FLAG "ActiveProcessorCount"

/* What the flag is unless the user gives a number. */
enum { NOT_GIVEN = -1 };

/* Never freed, since a thread may read the one before; one that comes back is used again. */
struct domain {
    struct domain *former;
    uint64_t words[WHOLE_DOMAIN_WORDS];
    struct index_set set; /* of these words */
};

static struct {
    pthread_mutex_t lock;
    _Atomic(struct domain *) domain;
    struct domain *made;
    int32_t reported; /* our value of the flag; 0: it is not ours */
    int limit;        /* of a quota, as the JVM has told it; 0: none */
} held = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int publish(const struct index_set *cpus) {
    for (struct domain *one = held.made; one != NULL; one = one->former) {
        if (index_set_equals(&one->set, cpus)) {
            atomic_store(&held.domain, one);
            return 0;
        }
    }
    size_t used = index_set_used_words(cpus);
    if (used == 0 || used > WHOLE_DOMAIN_WORDS) {
        return -EINVAL;
    }
    struct domain *domain = calloc(1, sizeof *domain);
    if (domain == NULL) {
        return -ENOMEM;
    }
    memcpy(domain->words, cpus->words, used * sizeof *cpus->words);
    domain->set = (struct index_set){domain->words, WHOLE_DOMAIN_WORDS};
    domain->former = held.made;
    held.made = domain;
    atomic_store(&held.domain, domain);
    return 0;
}

/* The JVM's own answer to a thread that has the whole domain, which knows of quotas, too. */
static int processors_of(const struct index_set *cpus, int (*count_processors)(void)) {
    uint64_t words[WHOLE_DOMAIN_WORDS];
    struct index_set own = {words, WHOLE_DOMAIN_WORDS};
    int result = cpu_bind_get(0, &own);
    /* Since Linux 6.2 a thread does not grow with its cpuset beyond a mask that was set, nor do
     * those that it starts: none is set without need. */
    bool other = result == 0 && !index_set_equals(&own, cpus);
    if (other) {
        result = cpu_bind_set(0, cpus);
    }
    if (result < 0) {
        return result;
    }
    int all = (int)index_set_count(cpus);
    result = count_processors();
    if (result > 0 && result != all) {
        /* A quota makes it less, or the answer of another moment: in a control group the JVM keeps
         * its answer for 20 ms. */
        nanosleep(&(struct timespec){.tv_nsec = 25000000}, NULL);
        result = count_processors();
    }
    if (other) {
        cpu_bind_set(0, &own);
    }
    if (result > 0) {
        held.limit = result < all ? result : 0;
        return result;
    }
    return held.limit > 0 && held.limit < all ? held.limit : all;
}

static int hold(const struct index_set *cpus, int (*count_processors)(void)) {
    int32_t given = 0;
    int result = vm_structs_int_flag(FLAG, &given);
    if (result < 0) {
        return result;
    }
    if (held.reported != 0 && given == held.reported) {
        result = vm_structs_change_int_flag(FLAG, given, NOT_GIVEN);
        held.reported = 0;
        given = NOT_GIVEN;
    }
    if (result < 0 || given > 0) {
        return result < 0 ? result : given;
    }
    int count = processors_of(cpus, count_processors);
    result = count < 0 ? count : vm_structs_change_int_flag(FLAG, given, count);
    held.reported = result < 0 ? 0 : count;
    return result < 0 ? result : count;
}

int whole_domain_hold(const struct index_set *cpus, int (*count_processors)(void)) {
    pthread_mutex_lock(&held.lock);
    int result = publish(cpus);
    if (result == 0) {
        result = hold(cpus, count_processors);
    }
    pthread_mutex_unlock(&held.lock);
    return result;
}

void whole_domain_release(void) {
    pthread_mutex_lock(&held.lock);
    atomic_store(&held.domain, NULL);
    if (held.reported != 0) {
        vm_structs_change_int_flag(FLAG, held.reported, NOT_GIVEN);
        held.reported = 0;
    }
    pthread_mutex_unlock(&held.lock);
}

const struct index_set *whole_domain_now(void) {
    struct domain *domain = atomic_load(&held.domain);
    return domain == NULL ? NULL : &domain->set;
}

/* The mask of the calling thread, in all words. */
static int read_own(uint64_t *words) {
    int count = cpu_bind_get_words(0, words, WHOLE_DOMAIN_WORDS);
    if (count >= 0) {
        memset(words + count, 0, (WHOLE_DOMAIN_WORDS - (size_t)count) * sizeof *words);
    }
    return count;
}

void whole_domain_open(struct narrow_mask *own) {
    const struct index_set *domain = whole_domain_now();
    own->widened = false;
    if (domain == NULL || read_own(own->words) < 0) {
        return;
    }
    struct index_set inner = {own->words, WHOLE_DOMAIN_WORDS};
    /* A thread that somebody bound to other CPUs is not ours. */
    own->widened = index_set_is_inside(&inner, domain) && !index_set_equals(&inner, domain) &&
                   cpu_bind_set(0, domain) == 0 && read_own(own->given) >= 0;
}

void whole_domain_close(const struct narrow_mask *own) {
    uint64_t now[WHOLE_DOMAIN_WORDS];
    if (own->widened && read_own(now) >= 0 && memcmp(now, own->given, sizeof now) == 0) {
        struct index_set mask = {(uint64_t *)own->words, WHOLE_DOMAIN_WORDS};
        cpu_bind_set(0, &mask);
    }
}

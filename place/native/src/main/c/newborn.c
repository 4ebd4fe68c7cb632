#include "newborn.h"

#include "cpu_bind.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MASK_WORDS = 128, LIST_BYTES = 1 << 15 };

struct ids {
    int *items;
    size_t count;
    size_t room;
};

static struct {
    pthread_mutex_t lock; /* also between a look at a mask and its change */
    struct ids known;     /* sorted: the threads of the last look */
    struct ids found;
    struct ids bound; /* sorted: those that were bound on purpose */
    char births[64];  /* of the last look, see anything_born */
    bool widens;
} threads = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int compare(const void *left, const void *right) {
    int a = *(const int *)left;
    int b = *(const int *)right;
    return (a > b) - (a < b);
}

static bool contains(const struct ids *ids, int id) {
    return ids->count > 0 && bsearch(&id, ids->items, ids->count, sizeof id, compare) != NULL;
}

static int append(struct ids *ids, int id) {
    if (ids->count == ids->room) {
        size_t room = ids->room == 0 ? 256 : ids->room * 2;
        int *items = realloc(ids->items, room * sizeof *items);
        if (items == NULL) {
            return -ENOMEM;
        }
        ids->items = items;
        ids->room = room;
    }
    ids->items[ids->count++] = id;
    return 0;
}

/* As the kernel writes it: see getdents64(2). */
struct entry {
    uint64_t inode;
    int64_t next;
    unsigned short length;
    unsigned char type;
    char name[];
};

static int read_ids(int folder, struct ids *ids) {
    static char buffer[LIST_BYTES] __attribute__((aligned(8)));
    ids->count = 0;
    for (;;) {
        long bytes = syscall(SYS_getdents64, folder, buffer, sizeof buffer);
        if (bytes <= 0) {
            return bytes < 0 ? -errno : 0;
        }
        for (long at = 0; at < bytes;) {
            const struct entry *entry = (const void *)(buffer + at);
            if (entry->name[0] >= '0' && entry->name[0] <= '9' &&
                    append(ids, atoi(entry->name)) < 0) {
                return -ENOMEM;
            }
            at += entry->length;
        }
    }
}

static int list_threads(struct ids *ids) {
    int folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        return -errno;
    }
    int result = read_ids(folder, ids);
    close(folder);
    if (result == 0) {
        qsort(ids->items, ids->count, sizeof *ids->items, compare);
    }
    return result;
}

/* The ids of threads that have ended are given out again. */
static void forget_ended(struct ids *bound, const struct ids *now) {
    size_t kept = 0;
    for (size_t i = 0; i < bound->count; i++) {
        if (contains(now, bound->items[i])) {
            bound->items[kept++] = bound->items[i];
        }
    }
    bound->count = kept;
}

static int remember_bound(int tid) {
    struct ids *bound = &threads.bound;
    if (contains(bound, tid)) {
        return 0;
    }
    int result = append(bound, tid);
    if (result == 0) {
        qsort(bound->items, bound->count, sizeof *bound->items, compare);
    }
    return result;
}

void newborn_begin(void) {
    pthread_mutex_lock(&threads.lock);
    if (!threads.widens) {
        list_threads(&threads.known);
        threads.widens = true;
    }
    pthread_mutex_unlock(&threads.lock);
}

void newborn_pause(void) {
    pthread_mutex_lock(&threads.lock);
    threads.widens = false;
    pthread_mutex_unlock(&threads.lock);
}

int newborn_bind(int tid, const struct index_set *cpus) {
    pthread_mutex_lock(&threads.lock);
    int result = 0;
    /* Before newborn_begin nobody looks. */
    if (threads.known.count > 0) {
        result = remember_bound(tid == 0 ? current_thread_id() : tid);
    }
    result = result < 0 ? result : cpu_bind_set(tid, cpus);
    pthread_mutex_unlock(&threads.lock);
    return result;
}

static bool widen(int tid, const struct index_set *domain) {
    uint64_t words[MASK_WORDS] = {0};
    struct index_set own = {words, MASK_WORDS};
    if (cpu_bind_get_words(tid, words, MASK_WORDS) < 0) {
        return false; /* it has ended */
    }
    return index_set_is_inside(&own, domain) && !index_set_equals(&own, domain) &&
           cpu_bind_set(tid, domain) == 0;
}

void newborn_self(const struct index_set *domain) {
    int tid = current_thread_id();
    pthread_mutex_lock(&threads.lock);
    /* The id may be that of a bound thread that has ended. */
    struct ids *bound = &threads.bound;
    int *former = bound->count == 0
                          ? NULL
                          : bsearch(&tid, bound->items, bound->count, sizeof tid, compare);
    if (former != NULL) {
        bound->count--;
        memmove(former, former + 1,
                (size_t)(bound->items + bound->count - former) * sizeof *former);
    }
    if (threads.widens) {
        widen(tid, domain);
    }
    pthread_mutex_unlock(&threads.lock);
}

/*
 * Whether the PID namespace has given out an id since the last call: /proc/loadavg ends with the
 * newest one, see proc_loadavg(5). Reading it takes about 2 us, the list of 60 threads 200 to 400.
 */
static bool anything_born(void) {
    char text[sizeof threads.births] = {0};
    int file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    ssize_t bytes = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0) {
        close(file);
    }
    const char *newest = bytes <= 0 ? NULL : strrchr(text, ' ');
    bool same = newest != NULL && strcmp(newest, threads.births) == 0;
    if (newest != NULL) {
        memmove(threads.births, newest, strlen(newest) + 1);
    }
    return !same;
}

int newborn_look(const struct index_set *domain) {
    pthread_mutex_lock(&threads.lock);
    if (!threads.widens || !anything_born()) {
        int result = threads.widens ? 0 : -ECANCELED;
        pthread_mutex_unlock(&threads.lock);
        return result;
    }
    int result = list_threads(&threads.found);
    int widened = 0;
    for (size_t i = 0; result == 0 && i < threads.found.count; i++) {
        int tid = threads.found.items[i];
        if (!contains(&threads.known, tid) && !contains(&threads.bound, tid)) {
            widened += widen(tid, domain) ? 1 : 0;
        }
    }
    if (result == 0) {
        struct ids before = threads.known;
        threads.known = threads.found;
        threads.found = before;
        forget_ended(&threads.bound, &threads.known);
    }
    pthread_mutex_unlock(&threads.lock);
    return result < 0 ? result : widened;
}

#include "agent_heap.h"

#include "agent_state.h"
#include "heap_fit.h"
#include "heap_maps.h"
#include "heap_stripes.h"
#include "memory_bind.h"
#include "nodes_near.h"
#include "seccomp_probe.h"
#include "vm_structs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum {
    /* A JVM has its heap some 20 ms after its agents were loaded, and touches it then. */
    START_NANOS = 200000,
    START_POLLS = 10000,
    LATE_NANOS = 100000000,
    FIRST_NANOS = 1000000,
    AT_MOST_NANOS = 1000000000,
    /* A share of a core: 0.1 %. */
    REST_PER_WORK = 1000,
    LIST_SIZE = 512,
    STATM_DATA = 5,
    /* Looks at the size alone: as much may have been committed as uncommitted. */
    BLIND_LOOKS = 8,
    RETRIES = 6,
    /* The pause doubles each time, up to the longest one. */
    LOOK_RETRIES = 16
};

enum state { NOTHING, WAITING, PLACED, FAILED };

static atomic_int state;
static struct heap_policy policy;

static struct {
    struct heap_stripes stripes;
    uintptr_t start;
    uint64_t bytes;
    uint64_t lead; /* of the first granule, before the heap */
    struct heap_mappings known;
    uint64_t data_pages;
    unsigned retries; /* of parts that had pages that stayed, one after the other */
    unsigned blind;   /* looks since the mappings were read */
    bool is_file;     /* ZGC */
} heap;

static const char *describe(char *buffer, size_t size) {
    return heap_policy_describe(&policy, buffer, size);
}

/* Whether another attempt is worth it; of several that fail one after the other, the first is told.
 */
static bool fail(int result, const char *what) {
    char text[LIST_SIZE];
    bool again = error_may_pass(result);
    if (!again || atomic_exchange(&state, FAILED) != FAILED) {
        message_print("cannot give the heap the policy %s (%s): %s; it is left as it is%s",
                describe(text, sizeof text), what,
                result == -ENOMEM ? "out of memory, or of mappings (vm.max_map_count)"
                                  : error_reason(-result),
                again ? " until a next attempt" : "");
    }
    atomic_store(&state, FAILED);
    return again;
}

static void sleep_nanos(uint64_t nanos) {
    nanosleep(&(struct timespec){(time_t)(nanos / 1000000000), (long)(nanos % 1000000000)}, NULL);
}

static uint64_t work_nanos(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Granules are those of addresses, as huge pages are; the heap may begin inside one. */
static void plan_stripes(uint64_t bytes) {
    uint64_t granule = heap_stripes_granule("");
    heap.bytes = bytes;
    heap.lead = heap.start % granule;
    heap.stripes = (struct heap_stripes){.policy = &policy, .bytes = bytes};
    if (heap_policy_has_stripes(&policy)) {
        heap_stripes_plan(&heap.stripes, &policy, bytes + heap.lead, granule, STRIPE_LIMIT);
    }
    heap.stripes.is_file = heap.is_file;
}

/* Policies of a file in memory belong to its parts, mapped or not: a mapping of our own reaches
 * them all, also before the JVM allocates them. 1 when pages stayed that the kernel had in use. */
static int place_file(int file) {
    char *mapping = mmap(NULL, heap.bytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, file, 0);
    struct heap_mappings theirs = {0};
    if (mapping == MAP_FAILED) {
        return -errno;
    }
    uintptr_t address = (uintptr_t)mapping;
    int result = heap_stripes_apply(&heap.stripes, address, 0, heap.bytes, false);
    /* Pages that came before. Without CAP_SYS_NICE mbind() moves those that one mapping alone has
     * in its tables, which is ours for those that the JVM has not touched, and then one of the
     * JVM's. */
    bool stayed = false;
    if (result == 0 && heap_stripes_touch_resident(address, heap.bytes)) {
        stayed = heap_stripes_apply(&heap.stripes, address, 0, heap.bytes, true) == 1;
    }
    munmap(mapping, heap.bytes);
    result = result == 0 ? heap_mappings_of_file(&theirs) : result;
    for (size_t i = 0; i < theirs.count && result == 0; i++) {
        const struct heap_mapping *part = &theirs.items[i];
        stayed |= heap_stripes_apply(&heap.stripes, part->start, part->offset,
                          part->end - part->start, true) == 1;
    }
    heap_mappings_free(&theirs);
    return result == 0 && stayed ? 1 : result;
}

/* The JVM's private pages of data, in /proc/self/statm: a commit or uncommit changes their number.
 */
static uint64_t data_pages(void) {
    char text[256];
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0) {
        close(file);
    }
    if (length <= 0) {
        return 0;
    }
    text[length] = '\0';
    char *at = text;
    for (int i = 0; i < STATM_DATA; i++) {
        strtoull(at, &at, 10);
    }
    return strtoull(at, NULL, 10);
}

/* Treats the stripes that are new; with `move` only those with pages that stayed remain new. */
static int apply_to_new(const struct heap_mappings *now, bool *is_new, bool move) {
    int result = 0;
    for (size_t i = 0; i < now->count && result == 0; i++) {
        const struct heap_mapping *part = &now->items[i];
        if (is_new[i]) {
            result = heap_stripes_apply(&heap.stripes, part->start, heap.lead + part->offset,
                    part->end - part->start, move);
            is_new[i] = !move || result == 1;
            /* The JVM may have changed it in the meantime; the next look finds that. */
            result = result == -EFAULT || result == 1 ? 0 : result;
        }
    }
    return result;
}

/* Takes the marked ones from the list, and returns whether there were any. */
static bool forget(struct heap_mappings *mappings, const bool *marked) {
    size_t count = 0;
    for (size_t i = 0; i < mappings->count; i++) {
        if (!marked[i]) {
            mappings->items[count++] = mappings->items[i];
        }
    }
    bool some = count < mappings->count;
    mappings->count = count;
    return some;
}

/* A part that was uncommitted and committed again between two looks has its former ends, and no
 * policy. Returns whether there are new ones. */
static bool find_new(const struct heap_mappings *now, bool *is_new) {
    size_t from = 0;
    bool some = false;
    for (size_t i = 0; i < now->count; i++) {
        const struct heap_mapping *part = &now->items[i];
        is_new[i] = !heap_mappings_have(&heap.known, part, &from) ||
                    !heap_stripes_hold(&heap.stripes, part->start, heap.lead + part->offset);
        some = some || is_new[i];
    }
    return some;
}

/* 1 when parts of the heap were new, 0 when not, or -errno. What is known is the list that was
 * worked on, and not one that is read afterwards, which could have parts that came meanwhile. So
 * stripes that were made are looked at once more, and only a list that has not changed ends it. */
static int look(void) {
    struct heap_mappings now = {0};
    uint64_t data = data_pages();
    if (data != 0 && data == heap.data_pages && ++heap.blind < BLIND_LOOKS) {
        return 0;
    }
    int result = heap_mappings_in(&now, heap.start, heap.bytes);
    bool *is_new = result < 0 || now.count == 0 ? NULL : calloc(now.count, sizeof *is_new);
    if (result < 0 || (now.count > 0 && is_new == NULL)) {
        heap_mappings_free(&now);
        return result < 0 ? result : -ENOMEM;
    }
    bool some = is_new != NULL && find_new(&now, is_new);
    bool stayed = false;
    if (some) {
        /* First the policies, so that pages that are touched meanwhile need not be moved. */
        result = apply_to_new(&now, is_new, false);
        result = result == 0 ? apply_to_new(&now, is_new, true) : result;
        /* A page that the kernel had in use moves the next time. */
        stayed = result == 0 && heap.retries < LOOK_RETRIES && forget(&now, is_new);
    }
    heap.retries = stayed ? heap.retries + 1 : 0;
    free(is_new);
    heap_mappings_free(&heap.known);
    if (result < 0) {
        /* All of it is new to the next look. */
        heap_mappings_free(&now);
    }
    heap.known = now;
    heap.data_pages = some ? 0 : data;
    heap.blind = 0;
    return result < 0 ? result : some ? 1 : 0;
}

/* The descriptor of ZGC's file; 0 when the heap is not a file. -EAGAIN while there is no heap. */
static int find_heap(bool zgc) {
    uint64_t bytes = 0;
    if (zgc) {
        int file = heap_file_find(&bytes);
        if (file >= 0) {
            heap.is_file = true;
            plan_stripes(bytes);
        }
        return file == -ENOENT ? -EAGAIN : file;
    }
    int result = vm_structs_heap_range(&heap.start, &bytes);
    if (result == 0) {
        plan_stripes(bytes);
    }
    return result;
}

static int wait_for_heap(void) {
    bool zgc = false;
    int result = vm_structs_bool_flag("UseZGC", &zgc);
    result = result == -EOPNOTSUPP ? 0 : result;
    if (result < 0) {
        return result;
    }
    result = find_heap(zgc);
    for (unsigned polls = 0; result == -EAGAIN || error_may_pass(result); polls++) {
        if (result != -EAGAIN) {
            fail(result, "the JVM does not tell where it is");
        }
        sleep_nanos(result == -EAGAIN && polls < START_POLLS ? START_NANOS : LATE_NANOS);
        result = find_heap(zgc);
    }
    return result;
}

static void tell(void) {
    char text[LIST_SIZE];
    atomic_store(&state, PLACED);
    if (atomic_load(&agent.verbose)) {
        message_print("heap %s: %llu MiB placed", describe(text, sizeof text),
                (unsigned long long)(heap.bytes >> 20));
    }
}

/* A policy is needed for what the JVM commits before it touches that; so at first, and while the
 * heap grows, looks are close together. Later each one costs at most a thousandth of the time
 * between. */
static void follow(void) {
    uint64_t pause = START_NANOS;
    bool told = false;
    for (;;) {
        uint64_t before = work_nanos();
        int result = look();
        if (result < 0 && !fail(result, "its mappings")) {
            return;
        }
        if (result >= 0 && atomic_load(&state) == FAILED) {
            atomic_store(&state, told ? PLACED : WAITING);
        }
        if (!told && heap.known.items != NULL) {
            told = true;
            tell();
        }
        uint64_t rest = (work_nanos() - before) * REST_PER_WORK;
        bool is_new = result > 0 && heap.retries == 0;
        pause = !told ? START_NANOS : is_new ? FIRST_NANOS : 2 * pause;
        pause = pause < AT_MOST_NANOS ? pause : AT_MOST_NANOS;
        pause = result < 0 ? AT_MOST_NANOS : pause;
        sleep_nanos(result > 0 || pause >= rest ? pause : rest);
    }
}

static void *run(void *unused) {
    (void)unused;
    prctl(PR_SET_NAME, "berth-heap");
    int result = wait_for_heap();
    if (result < 0) {
        fail(result, "the JVM does not tell where it is");
        return NULL;
    }
    if (!heap.is_file) {
        follow();
        return NULL;
    }
    int file = result;
    result = place_file(file);
    for (unsigned i = 0; (result == 1 && i < RETRIES) || error_may_pass(result);) {
        i += result == 1 ? 1 : 0;
        if (result < 0) {
            fail(result, "its file in memory");
        }
        sleep_nanos(result < 0 ? AT_MOST_NANOS : LATE_NANOS);
        result = place_file(file);
    }
    if (result < 0) {
        fail(result, "its file in memory");
    } else {
        tell();
    }
    return NULL;
}

/* On a page of our own, with the calls that the thread will make. */
static int try_policy(struct error_text *error) {
    char text[LIST_SIZE];
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    int64_t address = memory_map(page);
    int result = address < 0 ? (int)address : 0;
    if (result == 0) {
        struct heap_stripes one = {.policy = &policy, .bytes = page};
        if (heap_policy_has_stripes(&policy)) {
            heap_stripes_plan(&one, &policy, page, page, 1);
        }
        result = heap_stripes_apply(&one, (uintptr_t)address, 0, page, false);
        memory_unmap((uintptr_t)address, page);
    }
    return result == 0 ? 0
                       : error_set(error, -result, "cannot give the heap the policy %s: %s%s",
                                 describe(text, sizeof text), seccomp_reason(CALL_MBIND, -result),
                                 result == -EINVAL ? memory_mode_needs(policy.mode) : "");
}

static int find_policy(struct error_text *error) {
    struct index_set allowed = {0};
    struct index_set with_memory = {0};
    heap_policy_free(&policy);
    int result = heap_policy_copy(&policy, &agent.options.heap);
    result = result == 0 ? memory_allowed_nodes(&allowed) : result;
    if (result < 0) {
        error_set(error, -result, "cannot read the memory nodes of this process: %s",
                seccomp_reason(CALL_GET_MEMPOLICY, -result));
    } else if (nodes_with_memory("", &with_memory) == 0) {
        index_set_and(&allowed, &with_memory);
    }
    if (result == 0) {
        result = heap_policy_find(&policy, "", &allowed, &agent.process, error);
    }
    index_set_free(&allowed);
    index_set_free(&with_memory);
    return result;
}

int agent_heap_start(struct error_text *error) {
    bool numa = false;
    if (!agent.options.heap.given) {
        return 0;
    }
    if (atomic_load(&state) == WAITING || atomic_load(&state) == PLACED) {
        return error_set(
                error, EBUSY, "heap-memory=: the heap has the policy of the agent's first load");
    }
    int result = find_policy(error);
    if (result == 0 && vm_structs_bool_flag("UseNUMA", &numa) == 0 && numa) {
        result = error_set(error, EOPNOTSUPP,
                "heap-memory=: the JVM has UseNUMA and places its heap itself; give -XX:-UseNUMA");
    }
    result = result == 0 ? try_policy(error) : result;
    if (result == 0) {
        struct process_binding as_process = {.memory = policy.mode, .nodes = policy.nodes};
        heap_fit_tell(&as_process, agent.options.verbose);
        atomic_store(&state, WAITING);
        result = agent_thread_start(run, NULL);
        if (result < 0) {
            atomic_store(&state, NOTHING);
            error_set_system(error, -result, "cannot start the thread that places the heap");
        }
    }
    return result;
}

void agent_heap_describe(struct text_buffer *text) {
    static const char *const words[] = {"", "waits", "placed", "failed"};
    char policy_text[LIST_SIZE];
    int now = atomic_load(&state);
    if (now != NOTHING) {
        text_append(text, "heap %s %s\n", describe(policy_text, sizeof policy_text), words[now]);
    }
}

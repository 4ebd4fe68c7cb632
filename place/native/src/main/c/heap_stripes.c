#include "heap_stripes.h"

#include "file_text.h"
#include "memory_bind.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PATH_SIZE = 512, FILE_LIMIT = 4096, RESIDENCE_PAGES = 16384 };

#define USUAL_GRANULE (UINT64_C(2) << 20)
#define LARGEST_GRANULE (UINT64_C(32) << 20)

uint64_t heap_stripes_granule(const char *root) {
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    char path[PATH_SIZE];
    char *text;
    size_t length;
    uint64_t bytes = 0;
    snprintf(path, sizeof path, "%s/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", root);
    if (file_text_read(path, FILE_LIMIT, &text, &length) == 0) {
        bytes = strtoull(text, NULL, 10);
        free(text);
    }
    bool good = bytes >= page && bytes <= LARGEST_GRANULE && (bytes & (bytes - 1)) == 0;
    return good ? bytes : USUAL_GRANULE;
}

void heap_stripes_plan(struct heap_stripes *stripes, const struct heap_policy *policy,
        uint64_t bytes, uint64_t granule, unsigned limit) {
    uint64_t nodes = policy->weight_count;
    uint64_t granules = (bytes + granule - 1) / granule;
    /* Long enough for each node's share, rounded up, to leave something to the heaviest one. */
    uint64_t cycles = granules / (nodes * (nodes > 2 ? nodes : 2));
    cycles = cycles < limit / nodes ? cycles : limit / nodes;
    *stripes = (struct heap_stripes){.policy = policy,
            .bytes = bytes,
            .granule_bytes = granule,
            .granules = granules,
            .cycles = cycles == 0 ? 1 : cycles};
}

/* floor(a * b / c) without an overflow. */
static uint64_t scaled(uint64_t a, uint64_t b, uint64_t c) {
    return c == 0 ? 0 : (uint64_t)((unsigned __int128)a * b / c);
}

/* How many of the first granules a node has. The heaviest one has what the others leave, so that
 * each has at least as many of more granules: a difference of two rounded sums would not. */
static uint64_t share(const struct heap_policy *policy, uint64_t granules, size_t node) {
    uint64_t all = 0;
    uint64_t others = 0;
    size_t heaviest = 0;
    for (size_t i = 0; i < policy->weight_count; i++) {
        all += policy->weights[i];
        heaviest = policy->weights[i] > policy->weights[heaviest] ? i : heaviest;
    }
    if (node != heaviest) {
        return scaled(granules, policy->weights[node], all);
    }
    for (size_t i = 0; i < policy->weight_count; i++) {
        others += i == heaviest ? 0 : scaled(granules, policy->weights[i], all);
    }
    return granules - others;
}

/* The shares of the cycles before are taken into account, so that what is rounded off in one is
 * made up for in a later one. */
unsigned heap_stripes_at(const struct heap_stripes *stripes, uint64_t offset, uint64_t *end) {
    uint64_t granule = offset / stripes->granule_bytes;
    granule = granule < stripes->granules ? granule : stripes->granules - 1;
    /* The cycle c has the granules from floor(G*c/C) to floor(G*(c+1)/C). */
    uint64_t cycle = scaled(granule, stripes->cycles, stripes->granules);
    while (scaled(stripes->granules, cycle + 1, stripes->cycles) <= granule) {
        cycle++;
    }
    uint64_t first = scaled(stripes->granules, cycle, stripes->cycles);
    uint64_t last = scaled(stripes->granules, cycle + 1, stripes->cycles);
    uint64_t bound = first;
    unsigned node = 0;
    for (;; node++) {
        bound += share(stripes->policy, last, node) - share(stripes->policy, first, node);
        if (granule < bound || node + 1 == stripes->policy->weight_count) {
            break;
        }
    }
    *end = bound * stripes->granule_bytes;
    *end = *end < stripes->bytes ? *end : stripes->bytes;
    return node;
}

/* Calls `visit` for the pages of the range that are in memory until it returns false; whether there
 * was one. -errno when the kernel does not tell. */
static int visit_resident(uintptr_t address, uint64_t bytes, bool (*visit)(uintptr_t)) {
    unsigned char pages[RESIDENCE_PAGES];
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    int found = 0;
    for (uint64_t done = 0; done < bytes; done += RESIDENCE_PAGES * page) {
        uint64_t left = bytes - done;
        uint64_t part = left < RESIDENCE_PAGES * page ? left : RESIDENCE_PAGES * page;
        // NOLINTNEXTLINE(performance-no-int-to-ptr)
        if (mincore((void *)(address + done), part, pages) < 0) {
            return -errno;
        }
        for (uint64_t i = 0; i < (part + page - 1) / page; i++) {
            if ((pages[i] & 1) != 0) {
                found = 1;
                if (!visit(address + done + i * page)) {
                    return found;
                }
            }
        }
    }
    return found;
}

static bool stop(uintptr_t page) {
    (void)page;
    return false;
}

static bool touch(uintptr_t page) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    (void)*(const volatile char *)page;
    return true;
}

bool heap_stripes_touch_resident(uintptr_t address, uint64_t bytes) {
    return visit_resident(address, bytes, touch) == 1;
}

static int64_t bind_and_move(const struct heap_stripes *stripes, uintptr_t address, uint64_t bytes,
        int policy, const struct index_set *nodes) {
    int flags = RANGE_STRICT | RANGE_MOVE;
    int64_t result = -EPERM;
    if (stripes->is_file) {
        /* The JVM maps a part of its file up to three times (ZGC of JDK 17). */
        result = memory_bind_range(address, bytes, policy, nodes, flags | RANGE_MOVE_ALL);
    }
    return result == -EPERM ? memory_bind_range(address, bytes, policy, nodes, flags) : result;
}

static int bind_part(const struct heap_stripes *stripes, uintptr_t address, uint64_t bytes,
        int policy, const struct index_set *nodes, bool move) {
    /* A move stops the caches of all CPUs for each call: only where there is something. */
    if (move && visit_resident(address, bytes, stop) == 0) {
        return 0;
    }
    int64_t result = move ? bind_and_move(stripes, address, bytes, policy, nodes)
                          : memory_bind_range(address, bytes, policy, nodes, 0);
    bool stayed = result == -EIO && move;
    if (result >= 0 && move && !stripes->is_file) {
        /* What is left of a huge page over whose first part something else was mapped, such as G1's
         * class-data archive or a part that was uncommitted and committed again, mbind(2) leaves in
         * place without a word: it looks at that first part (Linux 6.1, migrate_page_add).
         * move_pages(2) looks at each page. */
        stayed = memory_move_strays(address, bytes, nodes) > 0;
    }
    return stayed ? 1 : result < 0 ? (int)result : 0;
}

static int apply_one(
        const struct heap_stripes *stripes, uintptr_t address, uint64_t bytes, bool move) {
    const struct heap_policy *policy = stripes->policy;
    return bind_part(
            stripes, address, bytes, memory_mode_policy(policy->mode), &policy->nodes, move);
}

static int apply_stripes(const struct heap_stripes *stripes, uintptr_t address, uint64_t offset,
        uint64_t bytes, bool move) {
    struct index_set nodes[HEAP_NODE_LIMIT] = {{0}};
    int result = 0;
    int number = -1;
    for (size_t i = 0; i < stripes->policy->weight_count && result == 0; i++) {
        number = index_set_next(&stripes->policy->nodes, (unsigned)(number + 1));
        result = index_set_add(&nodes[i], (unsigned)number);
    }
    uint64_t stop = offset + bytes;
    bool stayed = false;
    for (uint64_t at = offset; at < stop && result == 0;) {
        uint64_t end;
        unsigned node = heap_stripes_at(stripes, at, &end);
        end = end < stop && end > at ? end : stop;
        result = bind_part(
                stripes, address + (at - offset), end - at, POLICY_PREFERRED, &nodes[node], move);
        stayed = stayed || result == 1;
        result = result == 1 ? 0 : result;
        at = end;
    }
    for (size_t i = 0; i < stripes->policy->weight_count; i++) {
        index_set_free(&nodes[i]);
    }
    return result == 0 && stayed ? 1 : result;
}

int heap_stripes_apply(const struct heap_stripes *stripes, uintptr_t address, uint64_t offset,
        uint64_t bytes, bool move) {
    return heap_policy_has_stripes(stripes->policy)
                   ? apply_stripes(stripes, address, offset, bytes, move)
                   : apply_one(stripes, address, bytes, move);
}

bool heap_stripes_hold(const struct heap_stripes *stripes, uintptr_t address, uint64_t offset) {
    struct index_set nodes = {0};
    uint64_t end;
    int policy = memory_range_policy(address, 1, &nodes);
    bool holds;
    if (heap_policy_has_stripes(stripes->policy)) {
        int node = -1;
        for (unsigned i = heap_stripes_at(stripes, offset, &end) + 1; i > 0; i--) {
            node = index_set_next(&stripes->policy->nodes, (unsigned)(node + 1));
        }
        holds = policy == POLICY_PREFERRED && index_set_count(&nodes) == 1 && node >= 0 &&
                index_set_contains(&nodes, (unsigned)node);
    } else {
        holds = policy == memory_mode_policy(stripes->policy->mode) &&
                index_set_is_inside(&nodes, &stripes->policy->nodes);
    }
    index_set_free(&nodes);
    return holds;
}

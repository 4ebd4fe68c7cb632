#include "memory_bind.h"

#include "seccomp_probe.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* From the kernel's uapi/linux/mempolicy.h, which is not part of libc. */
enum {
    GET_OF_ADDRESS = 1 << 1,
    GET_ALLOWED_NODES = 1 << 2,
    /* MPOL_F_STATIC_NODES and MPOL_F_RELATIVE_NODES */
    POLICY_FLAG_BITS = 3 << 14,
    KERNEL_NODE_LIMIT = 1024
};

/* The kernel takes the number of bits plus one. */
static unsigned long bit_limit(const struct index_set *nodes) {
    return index_set_used_words(nodes) * 64 + 1;
}

static bool takes_nodes(int policy) {
    return policy != POLICY_DEFAULT && policy != POLICY_LOCAL;
}

static int set_policy(int policy, const struct index_set *nodes) {
    const uint64_t *words = takes_nodes(policy) ? nodes->words : NULL;
    unsigned long limit = takes_nodes(policy) ? bit_limit(nodes) : 0;
    int result = seccomp_probe(CALL_SET_MEMPOLICY);
    if (result < 0) {
        return result;
    }
    return syscall(SYS_set_mempolicy, policy, words, limit) < 0 ? -errno : 0;
}

static int keep_lowest(struct index_set *target, const struct index_set *nodes) {
    return index_set_add(target, (unsigned)index_set_next(nodes, 0));
}

int memory_policy_set(int policy, const struct index_set *nodes) {
    if (takes_nodes(policy) && index_set_is_empty(nodes)) {
        return -EINVAL;
    }
    if (policy != POLICY_PREFERRED || index_set_count(nodes) == 1) {
        return set_policy(policy, nodes);
    }
    int result = set_policy(POLICY_PREFERRED_MANY, nodes);
    if (result == -EINVAL) {
        struct index_set lowest = {0};
        result = keep_lowest(&lowest, nodes);
        if (result == 0) {
            result = set_policy(POLICY_PREFERRED, &lowest);
        }
        index_set_free(&lowest);
    }
    return result;
}

static int get_nodes(int *policy, struct index_set *nodes, uintptr_t address, unsigned long flags) {
    int result = index_set_reserve(nodes, KERNEL_NODE_LIMIT / 64);
    result = result < 0 ? result : seccomp_probe(CALL_GET_MEMPOLICY);
    if (result < 0) {
        return result;
    }
    index_set_clear(nodes);
    unsigned long limit = nodes->word_count * 64 + 1;
    return syscall(SYS_get_mempolicy, policy, nodes->words, limit, address, flags) < 0 ? -errno : 0;
}

static int get_policy(struct index_set *nodes, uintptr_t address, unsigned long flags) {
    int policy = POLICY_DEFAULT;
    int result = get_nodes(&policy, nodes, address, flags);
    if (result < 0) {
        return result;
    }
    policy &= ~POLICY_FLAG_BITS;
    return policy == POLICY_PREFERRED_MANY ? POLICY_PREFERRED : policy;
}

int memory_policy_get(struct index_set *nodes) {
    return get_policy(nodes, 0, 0);
}

int memory_allowed_nodes(struct index_set *nodes) {
    return get_nodes(NULL, nodes, 0, GET_ALLOWED_NODES);
}

static int bind_pages(
        uintptr_t start, uint64_t bytes, int policy, const struct index_set *nodes, int flags) {
    const uint64_t *words = takes_nodes(policy) ? nodes->words : NULL;
    unsigned long limit = takes_nodes(policy) ? bit_limit(nodes) : 0;
    int result = seccomp_probe(CALL_MBIND);
    if (result < 0) {
        return result;
    }
    /* The call takes a word, and in an int's register the upper half has no defined value. */
    unsigned long mode = (unsigned long)policy;
    return syscall(SYS_mbind, start, bytes, mode, words, limit, flags) < 0 ? -errno : 0;
}

int64_t memory_bind_range(
        uintptr_t address, uint64_t length, int policy, const struct index_set *nodes, int flags) {
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t end;
    if ((takes_nodes(policy) && index_set_is_empty(nodes)) ||
            (flags & ~(RANGE_STRICT | RANGE_MOVE | RANGE_MOVE_ALL)) != 0 ||
            __builtin_add_overflow(address, length, &end) || address > UINT64_MAX - page) {
        return -EINVAL;
    }
    uint64_t start = (address + page - 1) / page * page;
    end = end / page * page;
    if (start >= end) {
        return 0;
    }
    int result = -EINVAL;
    if (policy == POLICY_PREFERRED && index_set_count(nodes) > 1) {
        result = bind_pages(start, end - start, POLICY_PREFERRED_MANY, nodes, flags);
    }
    if (result == -EINVAL) {
        struct index_set used = {0};
        result = policy == POLICY_PREFERRED ? keep_lowest(&used, nodes)
                                            : index_set_copy(&used, nodes);
        if (result == 0) {
            result = bind_pages(start, end - start, policy, &used, flags);
        }
        index_set_free(&used);
    }
    return result < 0 ? result : (int64_t)((end - start) / page);
}

int64_t memory_range_nodes(uintptr_t address, uint64_t length, int32_t *nodes, size_t capacity) {
    enum { CHUNK = 512 };
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t end;
    if (__builtin_add_overflow(address, length, &end)) {
        return -EINVAL;
    }
    uint64_t first = address / page;
    uint64_t count = length == 0 ? 0 : (end - 1) / page - first + 1;
    if (count > capacity) {
        return -ENOBUFS;
    }
    int result = seccomp_probe(CALL_MOVE_PAGES);
    if (result < 0) {
        return result;
    }
    for (uint64_t done = 0; done < count;) {
        uintptr_t pages[CHUNK];
        int32_t status[CHUNK];
        uint64_t chunk = count - done < CHUNK ? count - done : CHUNK;
        for (uint64_t i = 0; i < chunk; i++) {
            pages[i] = (first + done + i) * page;
        }
        if (syscall(SYS_move_pages, 0, chunk, pages, NULL, status, 0) < 0) {
            return -errno;
        }
        for (uint64_t i = 0; i < chunk; i++) {
            nodes[done + i] = status[i];
        }
        done += chunk;
    }
    return (int64_t)count;
}

/* Whether the page is in memory, and on none of the nodes. */
static bool is_stray(int32_t status, const struct index_set *nodes) {
    return status >= 0 && !index_set_contains(nodes, (unsigned)status);
}

int64_t memory_move_strays(uintptr_t address, uint64_t length, const struct index_set *nodes) {
    enum { CHUNK = 512, MOVE = 2 };
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t bytes = CHUNK * page;
    int64_t stayed = 0;
    if (index_set_is_empty(nodes)) {
        return -EINVAL;
    }
    for (uint64_t done = 0; done < length; done += bytes) {
        int32_t status[CHUNK + 1] = {0};
        uintptr_t pages[CHUNK + 1] = {0};
        int32_t targets[CHUNK + 1] = {0};
        uint64_t strays = 0;
        uint64_t part = length - done < bytes ? length - done : bytes;
        int64_t count = memory_range_nodes(address + done, part, status, CHUNK + 1);
        for (int64_t i = 0; i < count; i++) {
            if (is_stray(status[i], nodes)) {
                pages[strays] = (address + done) / page * page + (uint64_t)i * page;
                targets[strays++] = index_set_next(nodes, 0);
            }
        }
        if (count < 0 || (strays > 0 && syscall(SYS_move_pages, 0, strays, pages, targets, status,
                                                MOVE) < 0)) {
            return count < 0 ? count : -errno;
        }
        /* The status of a page that moved with the huge page that it belongs to is EBUSY. */
        count = strays == 0 ? 0 : memory_range_nodes(address + done, part, status, CHUNK + 1);
        for (int64_t i = 0; i < count; i++) {
            stayed += is_stray(status[i], nodes) ? 1 : 0;
        }
    }
    return stayed;
}

int memory_range_policy(uintptr_t address, uint64_t length, struct index_set *nodes) {
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t end;
    if (length == 0 || __builtin_add_overflow(address, length, &end)) {
        return -EINVAL;
    }
    struct index_set other = {0};
    int policy = get_policy(nodes, address, GET_OF_ADDRESS);
    for (uint64_t at = address / page * page + page; policy >= 0 && at < end; at += page) {
        int next = get_policy(&other, at, GET_OF_ADDRESS);
        bool same = next == policy && index_set_equals(&other, nodes);
        policy = next < 0 ? next : same ? policy : -EXDEV;
    }
    index_set_free(&other);
    return policy;
}

/* The length of a mapping: its own whole pages, and one on each side. 0 when that is no length. */
static uint64_t guarded_length(uint64_t length, uint64_t page) {
    return length == 0 || length > UINT64_MAX - 3 * page
                   ? 0
                   : (length + page - 1) / page * page + 2 * page;
}

int64_t memory_map(uint64_t length) {
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t whole = guarded_length(length, page);
    if (whole == 0) {
        return -EINVAL;
    }
    char *memory = mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return -errno;
    }
    if (mprotect(memory + page, whole - 2 * page, PROT_READ | PROT_WRITE) < 0) {
        int error = errno;
        munmap(memory, whole);
        return -error;
    }
    return (int64_t)(intptr_t)(memory + page);
}

int memory_unmap(uintptr_t address, uint64_t length) {
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t whole = guarded_length(length, page);
    if (whole == 0 || address < page) {
        return -EINVAL;
    }
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    return munmap((void *)(address - page), whole) < 0 ? -errno : 0;
}

int memory_use_huge_pages(uintptr_t address, uint64_t length) {
    return madvise((void *)address, length, MADV_HUGEPAGE) < 0 ? -errno : 0;
}

int memory_discard(uintptr_t address, uint64_t length) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    void *start = (void *)address;
    /* Locked pages, as of a program that calls mlockall, would stay. */
    return munlock(start, length) < 0 || madvise(start, length, MADV_DONTNEED) < 0 ? -errno : 0;
}

int memory_migrate(int pid, const struct index_set *from, const struct index_set *to) {
    struct index_set wide = {0};
    /* Both masks are read with one length. */
    int result = index_set_copy(&wide, to);
    if (result == 0) {
        result = index_set_reserve(&wide, from->word_count);
    }
    struct index_set source = {0};
    if (result == 0) {
        result = index_set_copy(&source, from);
    }
    if (result == 0) {
        result = index_set_reserve(&source, wide.word_count);
    }
    result = result < 0 ? result : seccomp_probe(CALL_MIGRATE_PAGES);
    if (result == 0) {
        long left = syscall(
                SYS_migrate_pages, pid, source.word_count * 64 + 1, source.words, wide.words);
        result = left < 0 ? -errno : (int)left;
    }
    index_set_free(&source);
    index_set_free(&wide);
    return result;
}

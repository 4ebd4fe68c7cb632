#include "memory_bind.h"

#include "proc_status.h"
#include "runner.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t page;

static char *map_pages(size_t count) {
    void *memory =
            mmap(NULL, count * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        perror("mmap");
        exit(EXIT_FAILURE);
    }
    return memory;
}

/*
 * The policy column of the mapping in numa_maps, such as "bind:0". The line is the last one that
 * begins at or below the address, for the kernel may have merged the mapping with the one before
 * it.
 */
static void kernel_policy(const void *address, char *policy, size_t size) {
    static char line[4096];
    policy[0] = '\0';
    FILE *file = fopen("/proc/thread-self/numa_maps", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *rest;
        if (strtoul(line, &rest, 16) <= (unsigned long)address) {
            rest[1 + strcspn(rest + 1, " \n")] = '\0';
            snprintf(policy, size, "%s", rest + 1);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

TEST(allowed_nodes_are_those_in_proc) {
    char text[256];
    char expected[256];
    struct index_set nodes = {0};
    CHECK_INT(memory_allowed_nodes(&nodes), 0);
    proc_status_field(0, "Mems_allowed_list", expected, sizeof expected);
    CHECK_TEXT(index_set_format(&nodes, text, sizeof text), expected);
    index_set_free(&nodes);
}

TEST(thread_policy_is_seen_in_numa_maps) {
    static const char *const names[] = {"default", "prefer", "bind", "interleave"};
    struct index_set nodes = {0};
    struct index_set read_back = {0};
    memory_allowed_nodes(&nodes);
    for (int policy = POLICY_BIND; policy <= POLICY_INTERLEAVE; policy++) {
        char text[256];
        char *memory = map_pages(1);
        CHECK_INT(memory_policy_set(policy, &nodes), 0);
        kernel_policy(memory, text, sizeof text);
        CHECK_INT(strncmp(text, names[policy], strlen(names[policy])), 0);
        CHECK_INT(memory_policy_get(&read_back), policy);
        CHECK(index_set_equals(&read_back, &nodes));
        munmap(memory, page);
    }
    CHECK_INT(memory_policy_set(POLICY_PREFERRED, &nodes), 0);
    CHECK_INT(memory_policy_get(&read_back), POLICY_PREFERRED);
    /* Each kernel has more of them than the one before it, and refuses the others. */
    static const int newer[] = {POLICY_BIND_BALANCE, POLICY_WEIGHTED, POLICY_PREFER_BALANCE};
    static const char *const shown[] = {
            "bind=balancing:", "weighted interleave:", "prefer (many)=balancing:"};
    for (int i = 0; i < 3; i++) {
        int result = memory_policy_set(newer[i], &nodes);
        CHECK(result == 0 || result == -EINVAL);
        if (result == 0) {
            char text[256];
            char *memory = map_pages(1);
            kernel_policy(memory, text, sizeof text);
            CHECK_INT(strncmp(text, shown[i], strcspn(shown[i], " :")), 0);
            CHECK_INT(memory_policy_get(&read_back), newer[i]);
            CHECK(index_set_equals(&read_back, &nodes));
            munmap(memory, page);
        }
    }
    CHECK_INT(memory_policy_set(POLICY_LOCAL, &nodes), 0);
    CHECK_INT(memory_policy_get(&read_back), POLICY_LOCAL);
    CHECK_INT(memory_policy_set(POLICY_DEFAULT, &nodes), 0);
    CHECK_INT(memory_policy_get(&read_back), POLICY_DEFAULT);
    CHECK(index_set_is_empty(&read_back));
    index_set_free(&nodes);
    index_set_free(&read_back);
}

TEST(preferring_several_nodes_uses_one_that_exists) {
    struct index_set nodes = {0};
    struct index_set read_back = {0};
    memory_allowed_nodes(&nodes);
    index_set_add(&nodes, 900);
    CHECK_INT(memory_policy_set(POLICY_PREFERRED, &nodes), 0);
    CHECK_INT(memory_policy_get(&read_back), POLICY_PREFERRED);
    CHECK(!index_set_is_empty(&read_back));
    CHECK_INT(memory_policy_set(POLICY_DEFAULT, &nodes), 0);
    index_set_free(&nodes);
    index_set_free(&read_back);
}

TEST(only_whole_pages_inside_a_range_are_bound) {
    char text[256];
    struct index_set nodes = {0};
    char *memory = map_pages(4);
    memory_allowed_nodes(&nodes);
    CHECK_INT(memory_bind_range((uintptr_t)memory + 1, page - 2, POLICY_BIND, &nodes, 0), 0);
    CHECK_INT(memory_bind_range((uintptr_t)memory + 1, 3 * page, POLICY_BIND, &nodes, 0), 2);
    kernel_policy(memory, text, sizeof text);
    CHECK_TEXT(text, "default");
    kernel_policy(memory + page, text, sizeof text);
    CHECK_INT(strncmp(text, "bind:", 5), 0);
    kernel_policy(memory + 3 * page, text, sizeof text);
    CHECK_TEXT(text, "default");
    munmap(memory, 4 * page);
    index_set_free(&nodes);
}

TEST(pages_tell_their_node_once_they_are_there) {
    int32_t found[700];
    struct index_set nodes = {0};
    char *memory = map_pages(700);
    memory_allowed_nodes(&nodes);
    memory[2 * page] = 1;
    memory[699 * page] = 1;
    CHECK_INT(memory_range_nodes((uintptr_t)memory, 700 * page, found, 700), 700);
    CHECK_INT(found[0], -ENOENT);
    CHECK(found[2] >= 0 && index_set_contains(&nodes, (unsigned)found[2]));
    CHECK(found[699] >= 0 && index_set_contains(&nodes, (unsigned)found[699]));
    /* The last byte of one page and the first of the next: two pages. */
    CHECK_INT(memory_range_nodes((uintptr_t)memory + page - 1, 2, found, 700), 2);
    CHECK_INT(memory_range_nodes((uintptr_t)memory, 0, found, 700), 0);
    CHECK_INT(memory_range_nodes((uintptr_t)memory, 3 * page, found, 2), -ENOBUFS);
    munmap(memory, 700 * page);
    index_set_free(&nodes);
}

/* The protection of the mapping that /proc shows with exactly these ends; empty when there is none.
 */
TEST(strays_are_pages_in_memory_at_another_node) {
    struct index_set here = {0};
    struct index_set nowhere = {0};
    char *memory = map_pages(4);
    int32_t at = -1;
    memory[page] = 1;
    CHECK_INT(memory_range_nodes((uintptr_t)memory + page, page, &at, 1), 1);
    CHECK_INT(index_set_add(&here, (unsigned)at), 0);
    CHECK_INT(index_set_add(&nowhere, 1000), 0);
    CHECK_INT(memory_move_strays((uintptr_t)memory, 4 * page, &here), 0);
    CHECK_INT(memory_move_strays((uintptr_t)memory + 2 * page, 2 * page, &nowhere), 0);
    CHECK_INT(memory_move_strays((uintptr_t)memory, 4 * page, &nowhere), -ENODEV);
    munmap(memory, 4 * page);
    index_set_free(&here);
    index_set_free(&nowhere);
}

static void mapping_protection(uintptr_t start, uintptr_t end, char protection[5]) {
    FILE *file = fopen("/proc/self/maps", "r");
    char line[4096];
    protection[0] = '\0';
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        unsigned long from;
        unsigned long to;
        char found[5];
        if (sscanf(line, "%lx-%lx %4s", &from, &to, found) == 3 && from == start && to == end) {
            snprintf(protection, 5, "%s", found);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

/* Even when there are several, which the kernel puts side by side, each is a mapping of its own. */
TEST(mapped_memory_is_merged_with_nothing) {
    enum { COUNT = 5 };
    uintptr_t starts[COUNT];
    char protection[5];
    for (size_t i = 0; i < COUNT; i++) {
        int64_t address = memory_map(3 * page - 7);
        CHECK(address > 0);
        starts[i] = (uintptr_t)address;
    }
    for (size_t i = 0; i < COUNT; i++) {
        mapping_protection(starts[i], starts[i] + 3 * page, protection);
        CHECK_TEXT(protection, "rw-p");
        memset((char *)starts[i], 1, 3 * page - 7);
    }
    (void)mlock((char *)starts[0], page); /* where the limit allows it */
    CHECK_INT(memory_discard(starts[0], 3 * page), 0);
    unsigned char resident[3];
    CHECK_INT(mincore((char *)starts[0], 3 * page, resident), 0);
    CHECK_INT((resident[0] | resident[1] | resident[2]) & 1, 0);
    CHECK_INT(*(volatile char *)starts[0], 0);
    for (size_t i = 0; i < COUNT; i++) {
        CHECK_INT(memory_unmap(starts[i], 3 * page - 7), 0);
        mapping_protection(starts[i], starts[i] + 3 * page, protection);
        CHECK_TEXT(protection, "");
    }
    CHECK_INT(memory_map(UINT64_MAX), -EINVAL);
    CHECK_INT(memory_map(UINT64_MAX / 4), -ENOMEM);
    CHECK_INT(memory_unmap(0, page), -EINVAL);
    CHECK_INT(memory_unmap(starts[0], 0), -EINVAL);
}

TEST(a_range_tells_its_policy_and_whether_it_has_one) {
    struct index_set nodes = {0};
    struct index_set read_back = {0};
    memory_allowed_nodes(&nodes);
    int64_t address = memory_map(8 * page);
    CHECK(address > 0);
    CHECK_INT(address % (int64_t)page, 0);
    uintptr_t start = (uintptr_t)address;
    CHECK_INT(memory_range_policy(start, 8 * page, &read_back), POLICY_DEFAULT);
    CHECK(index_set_is_empty(&read_back));
    CHECK_INT(memory_bind_range(start, 8 * page, POLICY_BIND, &nodes, 0), 8);
    CHECK_INT(memory_range_policy(start + 5, 8 * page - 5, &read_back), POLICY_BIND);
    CHECK(index_set_equals(&read_back, &nodes));
    CHECK_INT(memory_bind_range(start + 7 * page, page, POLICY_INTERLEAVE, &nodes, 0), 1);
    CHECK_INT(memory_range_policy(start, 8 * page, &read_back), -EXDEV);
    CHECK_INT(memory_range_policy(start, 7 * page, &read_back), POLICY_BIND);
    CHECK_INT(memory_range_policy(start, 0, &read_back), -EINVAL);
    CHECK_INT(memory_range_policy(start, UINT64_MAX, &read_back), -EINVAL);
    CHECK_INT(memory_unmap(start, 8 * page), 0);
    CHECK_INT(memory_range_policy(start, page, &read_back), -EFAULT);
    CHECK_INT(memory_map(0), -EINVAL);
    index_set_free(&nodes);
    index_set_free(&read_back);
}

TEST(pages_move_where_they_are_already) {
    struct index_set nodes = {0};
    memory_allowed_nodes(&nodes);
    CHECK_INT(memory_migrate(0, &nodes, &nodes), 0);
    CHECK_INT(memory_migrate(0x7ffffff0, &nodes, &nodes), -ESRCH);
    index_set_free(&nodes);
}

TEST(impossible_requests_give_the_kernels_reason) {
    struct index_set nodes = {0};
    char *memory = map_pages(1);
    uintptr_t address = (uintptr_t)memory;
    CHECK_INT(memory_policy_set(POLICY_BIND, &nodes), -EINVAL);
    CHECK_INT(memory_bind_range(address, page, POLICY_BIND, &nodes, 0), -EINVAL);
    index_set_add(&nodes, 900);
    CHECK_INT(memory_policy_set(POLICY_BIND, &nodes), -EINVAL);
    CHECK_INT(memory_policy_set(77, &nodes), -EINVAL);
    CHECK_INT(memory_bind_range(address, page, POLICY_BIND, &nodes, 0), -EINVAL);
    CHECK_INT(memory_bind_range(address, page, POLICY_DEFAULT, &nodes, 64), -EINVAL);
    CHECK_INT(memory_bind_range(UINT64_MAX - 5, 3, POLICY_DEFAULT, &nodes, 0), -EINVAL);
    CHECK_INT(memory_bind_range(address, UINT64_MAX, POLICY_DEFAULT, &nodes, 0), -EINVAL);
    munmap(memory, page);
    CHECK_INT(memory_bind_range(address, page, POLICY_DEFAULT, &nodes, 0), -EFAULT);
    index_set_free(&nodes);
}

int main(void) {
    page = (uint64_t)sysconf(_SC_PAGESIZE);
    struct index_set nodes = {0};
    int result = memory_allowed_nodes(&nodes);
    index_set_free(&nodes);
    if (result == -ENOSYS || result == -EPERM) {
        /* A kernel without NUMA, or a container whose seccomp filter forbids the calls. */
        printf("skipped: get_mempolicy is not available here: %s\n", strerror(-result));
        return 77;
    }
    RUN(allowed_nodes_are_those_in_proc);
    RUN(mapped_memory_is_merged_with_nothing);
    RUN(thread_policy_is_seen_in_numa_maps);
    RUN(preferring_several_nodes_uses_one_that_exists);
    RUN(only_whole_pages_inside_a_range_are_bound);
    RUN(pages_tell_their_node_once_they_are_there);
    RUN(a_range_tells_its_policy_and_whether_it_has_one);
    RUN(pages_move_where_they_are_already);
    RUN(strays_are_pages_in_memory_at_another_node);
    RUN(impossible_requests_give_the_kernels_reason);
    return runner_result();
}

#include "heap_maps.h"
#include "heap_policy.h"
#include "heap_stripes.h"
#include "memory_bind.h"

#include "machine_tree.h"
#include "runner.h"

#include <errno.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MIB = 1 << 20 };

static struct heap_policy parsed(const char *text) {
    struct heap_policy policy = {0};
    struct error_text error;
    CHECK_INT(heap_policy_parse(&policy, text, &error), 0);
    return policy;
}

static const char *refusal(const char *text) {
    static struct error_text error;
    struct heap_policy policy = {0};
    CHECK_INT(heap_policy_parse(&policy, text, &error), -EINVAL);
    heap_policy_free(&policy);
    return error.text;
}

static const char *round_trip(const char *text) {
    static char buffer[256];
    struct heap_policy policy = parsed(text);
    heap_policy_describe(&policy, buffer, sizeof buffer);
    heap_policy_free(&policy);
    return buffer;
}

TEST(a_policy_is_read_as_it_is_written) {
    CHECK_TEXT(round_trip("weighted"), "weighted");
    CHECK_TEXT(round_trip("weighted:3,1"), "weighted:3,1");
    CHECK_TEXT(round_trip("weighted:85,40,1@0,2-3"), "weighted:85,40,1@0,2-3");
    CHECK_TEXT(round_trip("bind-balance@1"), "bind-balance@1");
    CHECK_TEXT(round_trip("interleave@0-1"), "interleave@0-1");
    CHECK_TEXT(round_trip("preferred-many@0"), "prefer@0");
}

TEST(a_wrong_policy_is_refused_with_what_is_right) {
    CHECK(strstr(refusal("near"), "heap-memory=near: the mode is not one of bind,") != NULL);
    CHECK(strstr(refusal("local"), "the mode is not one of") != NULL);
    CHECK(strstr(refusal(""), "the mode is not one of") != NULL);
    CHECK(strstr(refusal("bind:0"), "nodes stand behind an @, as in heap-memory=bind@0-1") != NULL);
    static const char *const weights[] = {"weighted:", "weighted:0,1", "weighted:3,", "weighted:,3",
            "weighted:3;1", "weighted:-1", "weighted:1000000", "weighted:99999999999999999999",
            "weighted: 3,1", "weighted:3,1x@0-1"};
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++) {
        CHECK(strstr(refusal(weights[i]), "are not numbers from 1 to 999999") != NULL);
    }
    CHECK_TEXT(refusal("weighted:3,1@0-2"), "heap-memory=weighted:3,1@0-2: 2 weights for 3 nodes");
    CHECK(strstr(refusal("bind@"), "no node stands behind the @") != NULL);
    CHECK(strstr(refusal("bind@x"), "heap-memory=bind@x: ") != NULL);
}

static const char *found(const char *text, const char *allowed_nodes, const char *cpus) {
    static char buffer[512];
    struct heap_policy policy = parsed(text);
    struct process_binding process = {0};
    struct index_set allowed = {0};
    struct error_text error;
    CHECK_INT(index_set_parse(&allowed, allowed_nodes, strlen(allowed_nodes), &error), 0);
    CHECK_INT(index_set_parse(&process.cpus, cpus, strlen(cpus), &error), 0);
    int result = heap_policy_find(&policy, root, &allowed, &process, &error);
    if (result < 0) {
        snprintf(buffer, sizeof buffer, "%s", error.text);
    } else {
        heap_policy_describe(&policy, buffer, sizeof buffer);
    }
    heap_policy_free(&policy);
    process_binding_free(&process);
    index_set_free(&allowed);
    return buffer;
}

TEST(nodes_and_weights_that_are_left_out_are_found) {
    unpack("memorysidecaches");
    CHECK_TEXT(found("weighted:6,2", "0-1", "0"), "weighted:3,1@0-1");
    CHECK_TEXT(found("weighted:5@1", "0-1", "0"), "weighted:1@1");
    CHECK_TEXT(found("bind@1", "0-1", "0"), "bind@1");
    CHECK(strstr(found("bind@7", "0-1", "0"), "this process may use only those inside 0-1") !=
            NULL);
    CHECK(strstr(found("weighted:3,1", "0", "0"), "heap-memory=weighted has 2 weights, and this "
                                                  "process may use memory of 1 node, 0: "
                                                  "name the nodes") != NULL);
    CHECK(strstr(found("weighted@0-1", "0-1", "0"),
                  "give weights, as in heap-memory=weighted:3,1") != NULL);
    clear();
}

/* Nodes 0 and 1 are of DRAM, 2 and 4 of HBM, 9 of NVM; its kernel has access1 alone. */
TEST(weights_that_are_left_out_are_the_bandwidths_of_the_firmware) {
    unpack("fakeheteromemtiers");
    CHECK_TEXT(found("weighted@0-1", "0-2,4,6,8-9", "0"), "weighted:1,1@0-1");
    CHECK_TEXT(found("weighted@1,4", "0-2,4,6,8-9", "0"), "weighted:1,10@1,4");
    CHECK_TEXT(found("weighted@0,2,9", "0-2,4,6,8-9", "0"), "weighted:10,100,1@0,2,9");
    clear();
}

/* Bytes that a node has in the whole range, counted stripe by stripe. */
static uint64_t bytes_of(const struct heap_stripes *stripes, unsigned node, unsigned *count) {
    uint64_t sum = 0;
    *count = 0;
    for (uint64_t at = 0, end; at < stripes->bytes; at = end) {
        unsigned owner = heap_stripes_at(stripes, at, &end);
        CHECK(end > at && end <= stripes->bytes);
        CHECK(owner < stripes->policy->weight_count);
        if (end <= at) {
            return 0;
        }
        /* The middle and the end of a stripe are of the same one. */
        uint64_t same;
        CHECK_INT(heap_stripes_at(stripes, at + (end - at) / 2, &same), owner);
        CHECK(same == end);
        sum += owner == node ? end - at : 0;
        ++*count;
    }
    return sum;
}

static void check_shares(const char *text, uint64_t bytes) {
    struct heap_policy policy = parsed(text);
    struct heap_stripes stripes;
    uint64_t all = 0;
    uint64_t sum = 0;
    unsigned count;
    for (size_t i = 0; i < policy.weight_count; i++) {
        sum += policy.weights[i];
    }
    heap_stripes_plan(&stripes, &policy, bytes, 2 * MIB, STRIPE_LIMIT);
    for (unsigned node = 0; node < policy.weight_count; node++) {
        double share = (double)bytes_of(&stripes, node, &count) / (double)bytes;
        double wanted = (double)policy.weights[node] / (double)sum;
        /* The others have less than a granule too little. */
        double most = (double)(policy.weight_count - 1) / (double)stripes.granules;
        CHECK(share > wanted - most - 1e-9 && share < wanted + most + 1e-9);
        all += bytes_of(&stripes, node, &count);
        CHECK(count <= STRIPE_LIMIT);
    }
    CHECK(all == bytes);
    heap_policy_free(&policy);
}

TEST(each_node_has_its_share_of_every_heap) {
    static const char *const policies[] = {"weighted:3,1", "weighted:1,1", "weighted:85,40",
            "weighted:1,99", "weighted:7,2,1", "weighted:1,1000,1,50", "weighted:1"};
    static const uint64_t mib[] = {64, 96, 100, 1000, 1024, 4096, 65536, 1048576};
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        for (size_t j = 0; j < sizeof mib / sizeof *mib; j++) {
            check_shares(policies[i], mib[j] * MIB);
        }
    }
}

/* "bytes of each part": one of the parts that a collector uses alone, such as an old generation,
 * has the proportion too. */
TEST(a_part_of_a_heap_has_its_share_too) {
    struct heap_policy policy = parsed("weighted:3,1");
    struct heap_stripes stripes;
    heap_stripes_plan(&stripes, &policy, (uint64_t)1024 * MIB, 2 * MIB, STRIPE_LIMIT);
    uint64_t first = 0;
    for (uint64_t at = 400 * MIB, end; at < 800 * MIB; at = end) {
        unsigned owner = heap_stripes_at(&stripes, at, &end);
        end = end < 800 * MIB ? end : 800 * MIB;
        first += owner == 0 ? end - at : 0;
    }
    CHECK(first > 296 * MIB && first < 304 * MIB);
    heap_policy_free(&policy);
}

TEST(stripes_keep_huge_pages) {
    struct heap_policy policy = parsed("weighted:3,1");
    struct heap_stripes stripes;
    heap_stripes_plan(&stripes, &policy, (uint64_t)65536 * MIB, 2 * MIB, STRIPE_LIMIT);
    CHECK(stripes.cycles * 2 <= STRIPE_LIMIT);
    for (uint64_t at = 0, end; at < stripes.bytes; at = end) {
        heap_stripes_at(&stripes, at, &end);
        CHECK(end % (2 * MIB) == 0);
    }
    heap_policy_free(&policy);
}

static void count_policies(uintptr_t start, uint64_t bytes, unsigned *count, bool *all_prefer) {
    static char line[4096];
    FILE *file = fopen("/proc/thread-self/numa_maps", "r");
    *count = 0;
    *all_prefer = true;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *rest;
        unsigned long at = strtoul(line, &rest, 16);
        if (at >= start && at < start + bytes) {
            ++*count;
            *all_prefer = *all_prefer && strncmp(rest, " prefer:", 8) == 0;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

/* One node is enough: each stripe is given its policy by a call of its own. */
TEST(the_kernel_has_a_policy_for_each_part_of_a_mapping) {
    uint64_t bytes = 64 * MIB;
    struct index_set allowed = {0};
    char text[64];
    int64_t address = memory_map(bytes);
    CHECK(address > 0);
    CHECK_INT(memory_allowed_nodes(&allowed), 0);
    snprintf(text, sizeof text, "weighted:1@%d", index_set_next(&allowed, 0));
    struct heap_policy policy = parsed(text);
    struct heap_stripes stripes;
    heap_stripes_plan(&stripes, &policy, bytes, 2 * MIB, STRIPE_LIMIT);
    unsigned count;
    bool prefer;
    CHECK_INT(heap_stripes_apply(&stripes, (uintptr_t)address, 0, bytes, false), 0);
    ((char *)(uintptr_t)address)[5 * MIB] = 1;
    CHECK_INT(heap_stripes_apply(&stripes, (uintptr_t)address, 0, bytes, true), 0);
    count_policies((uintptr_t)address, bytes, &count, &prefer);
    CHECK(count > 0 && prefer);
    memory_unmap((uintptr_t)address, bytes);
    heap_policy_free(&policy);
    index_set_free(&allowed);
}

TEST(mappings_are_cut_to_the_heap) {
    char text[] = "1000-3000 rw-p 00000000 00:00 0 \n"
                  "3000-4000 ---p 00000000 00:00 0 \n"
                  "4000-9000 rw-p 00000000 00:00 0 [heap]\n"
                  "broken\n";
    struct heap_mappings mappings = {0};
    CHECK_INT(heap_mappings_parse(&mappings, text, false, 0x2000, 0x3000), 0);
    CHECK_INT((int)mappings.count, 2);
    CHECK_INT((int)mappings.items[0].start, 0x2000);
    CHECK_INT((int)mappings.items[0].end, 0x3000);
    CHECK_INT((int)mappings.items[1].offset, 0x2000);
    CHECK_INT((int)mappings.items[1].end, 0x5000);
    size_t from = 0;
    CHECK(heap_mappings_have(&mappings, &mappings.items[1], &from));
    struct heap_mapping other = {.start = 0x4000, .end = 0x4800};
    from = 0;
    CHECK(!heap_mappings_have(&mappings, &other, &from));
    heap_mappings_free(&mappings);
}

TEST(mappings_of_the_file_have_its_offsets) {
    char text[] = "1000-3000 rw-s 00200000 00:01 77 /memfd:java_heap (deleted)\n"
                  "5000-6000 ---s 00000000 00:01 77 /memfd:java_heap (deleted)\n"
                  "7000-8000 rw-s 00000000 00:01 77 /memfd:other (deleted)\n"
                  "8000-9000 rw-p 00000000 00:00 0 \n";
    struct heap_mappings mappings = {0};
    CHECK_INT(heap_mappings_parse(&mappings, text, true, 0, 0), 0);
    CHECK_INT((int)mappings.count, 2);
    CHECK_INT((int)mappings.items[0].offset, 0x200000);
    CHECK_INT((int)mappings.items[1].start, 0x5000);
    heap_mappings_free(&mappings);
}

int main(void) {
    RUN(a_policy_is_read_as_it_is_written);
    RUN(a_wrong_policy_is_refused_with_what_is_right);
    RUN(nodes_and_weights_that_are_left_out_are_found);
    RUN(weights_that_are_left_out_are_the_bandwidths_of_the_firmware);
    RUN(each_node_has_its_share_of_every_heap);
    RUN(a_part_of_a_heap_has_its_share_too);
    RUN(stripes_keep_huge_pages);
    RUN(mappings_are_cut_to_the_heap);
    RUN(mappings_of_the_file_have_its_offsets);
    struct index_set nodes = {0};
    if (memory_allowed_nodes(&nodes) == 0) {
        RUN(the_kernel_has_a_policy_for_each_part_of_a_mapping);
    }
    index_set_free(&nodes);
    return runner_result();
}

/*
 * What stripes of a heap cost, by hand: `test-heap_costs [GiB]` (64 by default; the memory is
 * reserved and never touched). On a machine with one node the two policies of a cycle are "prefer"
 * and "bind" of that node, so that the kernel makes as many mappings as with two.
 */
#include "heap_maps.h"
#include "heap_stripes.h"
#include "memory_bind.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 21 };

static double millis(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int compare(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return difference < 0 ? -1 : difference > 0 ? 1 : 0;
}

static void print(const char *what, double *times) {
    qsort(times, ROUNDS, sizeof *times, compare);
    printf("%-52s %9.3f ms (min %.3f, max %.3f, %d rounds)\n", what, times[ROUNDS / 2], times[0],
            times[ROUNDS - 1], ROUNDS);
}

static uintptr_t reserve(uint64_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        perror("mmap");
        exit(EXIT_FAILURE);
    }
    return (uintptr_t)memory;
}

static void require(int64_t result) {
    if (result < 0) {
        fprintf(stderr, "mbind: %s\n", strerror((int)-result));
        exit(EXIT_FAILURE);
    }
}

int main(int count, char **arguments) {
    uint64_t bytes = (count > 1 ? strtoull(arguments[1], NULL, 10) : 64) << 30;
    struct index_set allowed = {0};
    struct index_set nodes[2] = {{0}};
    struct heap_policy policy = {0};
    struct heap_stripes stripes;
    struct error_text error;
    double whole[ROUNDS];
    double parts[ROUNDS];
    double again[ROUNDS];
    double reads[ROUNDS];
    double statm[ROUNDS];
    unsigned made = 0;
    require(memory_allowed_nodes(&allowed));
    int first = index_set_next(&allowed, 0);
    int second = index_set_next(&allowed, (unsigned)first + 1);
    require(index_set_add(&nodes[0], (unsigned)first));
    require(index_set_add(&nodes[1], (unsigned)(second < 0 ? first : second)));
    require(heap_policy_parse(&policy, "weighted:3,1", &error));
    heap_stripes_plan(&stripes, &policy, bytes, heap_stripes_granule(""), STRIPE_LIMIT);
    for (int round = 0; round < ROUNDS; round++) {
        uintptr_t memory = reserve(bytes);
        double begin = millis();
        require(memory_bind_range(memory, bytes, POLICY_INTERLEAVE, &allowed, 0));
        whole[round] = millis() - begin;
        munmap((void *)memory, bytes);

        memory = reserve(bytes);
        for (int pass = 0; pass < 2; pass++) {
            made = 0;
            begin = millis();
            for (uint64_t at = 0, end; at < bytes; at = end, made++) {
                unsigned node = heap_stripes_at(&stripes, at, &end);
                require(memory_bind_range(memory + at, end - at,
                        second < 0 && node == 1 ? POLICY_BIND : POLICY_PREFERRED, &nodes[node], 0));
            }
            (pass == 0 ? parts : again)[round] = millis() - begin;
        }
        struct heap_mappings mappings = {0};
        begin = millis();
        require(heap_mappings_in(&mappings, memory, bytes));
        reads[round] = millis() - begin;
        if (mappings.count < made) {
            fprintf(stderr, "only %zu mappings of %u stripes\n", mappings.count, made);
            return EXIT_FAILURE;
        }
        heap_mappings_free(&mappings);
        begin = millis();
        FILE *file = fopen("/proc/self/statm", "r");
        char line[256];
        if (file == NULL || fgets(line, sizeof line, file) == NULL) {
            return EXIT_FAILURE;
        }
        fclose(file);
        statm[round] = millis() - begin;
        munmap((void *)memory, bytes);
    }
    printf("%llu GiB, %u stripes, %llu KiB granules\n", (unsigned long long)(bytes >> 30), made,
            (unsigned long long)(stripes.granule_bytes >> 10));
    print("one policy over all of it (as numactl --interleave)", whole);
    print("stripes for the first time", parts);
    print("stripes that are there already", again);
    print("a look when something was committed (maps)", reads);
    print("a look when nothing was (statm)", statm);
    heap_policy_free(&policy);
    return EXIT_SUCCESS;
}

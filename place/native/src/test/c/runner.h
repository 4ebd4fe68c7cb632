/*
 * A unit test runner in one header: no dependency, one process per test file.
 *
 *     TEST(parses_ranges) { CHECK(count == 3); }
 *     int main(void) { RUN(parses_ranges); return runner_result(); }
 */
#ifndef BERTH_TEST_RUNNER_H
#define BERTH_TEST_RUNNER_H

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Atomic: some tests check in several threads. */
static atomic_int runner_failures;
static atomic_int runner_checks;

#define TEST(name) static void name(void)

#define CHECK(condition) runner_check((condition), #condition, __FILE__, __LINE__)

#define CHECK_INT(actual, expected)                                                                \
    runner_check_int((long)(actual), (long)(expected), #actual, __FILE__, __LINE__)

#define CHECK_TEXT(actual, expected)                                                               \
    runner_check_text((actual), (expected), #actual, __FILE__, __LINE__)

#define RUN(name)                                                                                  \
    do {                                                                                           \
        int failures_before = runner_failures;                                                     \
        name();                                                                                    \
        printf("%s %s\n", runner_failures == failures_before ? "pass" : "FAIL", #name);            \
    } while (0)

static inline void runner_check(int holds, const char *text, const char *file, int line) {
    runner_checks++;
    if (!holds) {
        runner_failures++;
        printf("%s:%d: does not hold: %s\n", file, line, text);
    }
}

static inline void runner_check_int(
        long actual, long expected, const char *text, const char *file, int line) {
    runner_checks++;
    if (actual != expected) {
        runner_failures++;
        printf("%s:%d: %s is %ld, expected %ld\n", file, line, text, actual, expected);
    }
}

static inline void runner_check_text(
        const char *actual, const char *expected, const char *text, const char *file, int line) {
    runner_checks++;
    if (strcmp(actual, expected) != 0) {
        runner_failures++;
        printf("%s:%d: %s is '%s', expected '%s'\n", file, line, text, actual, expected);
    }
}

/* A test of what the kernel answers, where QEMU's user emulation answers in another way. */
#define RUN_ON_KERNEL(name, reason)                                                                \
    do {                                                                                           \
        if (getenv("BERTH_TEST_EMULATED") != NULL) {                                               \
            printf("skip %s: %s\n", #name, reason);                                                \
            (void)name;                                                                            \
        } else {                                                                                   \
            RUN(name);                                                                             \
        }                                                                                          \
    } while (0)

/* BERTH_TEST_SEED repeats a run of a random test; the seed is always printed. */
static inline unsigned runner_seed(void) {
    const char *given = getenv("BERTH_TEST_SEED");
    unsigned seed = given != NULL ? (unsigned)atol(given) : (unsigned)time(NULL);
    printf("seed %u\n", seed);
    return seed;
}

/* A file that checks nothing has failed. */
static inline int runner_result(void) {
    printf("%d checks, %d failures\n", runner_checks, runner_failures);
    return runner_failures == 0 && runner_checks > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif

#include "index_set.h"

#include "runner.h"

#include <errno.h>

static struct error_text error;

static int parse(struct index_set *set, const char *text) {
    return index_set_parse(set, text, strlen(text), &error);
}

/* Parses and formats again. */
static const char *round_trip(const char *text) {
    static char buffer[256];
    struct index_set set = {0};
    if (parse(&set, text) < 0) {
        index_set_free(&set);
        return "refused";
    }
    index_set_format(&set, buffer, sizeof buffer);
    index_set_free(&set);
    return buffer;
}

TEST(lists_round_trip) {
    CHECK_TEXT(round_trip(""), "");
    CHECK_TEXT(round_trip("0"), "0");
    CHECK_TEXT(round_trip("0-3,8"), "0-3,8");
    CHECK_TEXT(round_trip("8,0-3"), "0-3,8");
    CHECK_TEXT(round_trip("0,1,2,3"), "0-3");
    CHECK_TEXT(round_trip("5-5,5"), "5");
    CHECK_TEXT(round_trip("62-65,127-128"), "62-65,127-128");
    CHECK_TEXT(round_trip("1023-1025,4096"), "1023-1025,4096");
    CHECK_TEXT(round_trip("131071"), "131071");
}

TEST(malformed_lists_are_refused_and_leave_an_empty_set) {
    static const char *const lists[] = {",", "0,", ",0", "0,,1", "-", "-1", "1-", "3-1", "0--1",
            " 0", "0 ", "0x1", "a", "0-3:2", "131072", "99999999999999999999", "0-131072", "1;2",
            "0\n"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct index_set set = {0};
        parse(&set, "7");
        CHECK_INT(parse(&set, lists[i]), -EINVAL);
        CHECK(index_set_is_empty(&set));
        CHECK(strstr(error.text, "is not a list of numbers") != NULL);
        CHECK(strchr(error.text, '\n') == NULL);
        index_set_free(&set);
    }
}

TEST(set_operations_on_different_lengths) {
    struct index_set small = {0};
    struct index_set large = {0};
    parse(&small, "1-3");
    parse(&large, "3,2000");
    CHECK_INT(index_set_count(&large), 2);
    CHECK_INT(index_set_used_words(&large), 2000 / 64 + 1);
    index_set_and(&large, &small);
    CHECK_INT(index_set_next(&large, 0), 3);
    CHECK_INT(index_set_next(&large, 4), -1);
    CHECK_INT(index_set_used_words(&large), 1);
    CHECK_INT(index_set_or(&small, &large), 0);
    CHECK_INT(index_set_count(&small), 3);
    CHECK(!index_set_equals(&small, &large));
    CHECK_INT(index_set_copy(&small, &large), 0);
    CHECK(index_set_equals(&small, &large));
    CHECK(!index_set_contains(&small, 1u << 30));
    CHECK_INT(index_set_add(&small, INDEX_LIMIT), -ERANGE);
    index_set_free(&small);
    index_set_free(&large);
}

TEST(a_list_that_does_not_fit_is_cut_visibly) {
    char buffer[12];
    struct index_set set = {0};
    parse(&set, "1,3,5,7,9,11,13");
    CHECK_TEXT(index_set_format(&set, buffer, sizeof buffer), "1,3,5,7...");
    index_set_free(&set);
}

/* Against the plainest possible model: an array of flags. */
TEST(random_sets_agree_with_a_flag_array) {
    srand(runner_seed());
    for (int round = 0; round < 300; round++) {
        unsigned limit = 1 + (unsigned)rand() % 3000;
        char *flags = calloc(limit, 1);
        struct index_set set = {0};
        struct index_set again = {0};
        for (int i = rand() % 200; i > 0; i--) {
            unsigned index = (unsigned)rand() % limit;
            flags[index] = 1;
            CHECK_INT(index_set_add(&set, index), 0);
        }
        unsigned count = 0;
        int agrees = 1;
        for (unsigned i = 0; i < limit; i++) {
            count += (unsigned)flags[i];
            agrees &= index_set_contains(&set, i) == (flags[i] != 0);
        }
        CHECK(agrees);
        CHECK_INT(index_set_count(&set), count);
        static char text[16384];
        CHECK_INT(parse(&again, index_set_format(&set, text, sizeof text)), 0);
        CHECK(index_set_equals(&set, &again));
        index_set_free(&set);
        index_set_free(&again);
        free(flags);
    }
}

/* Every range by itself is fine; their cost together is bounded. */
TEST(a_list_that_repeats_itself_is_refused) {
    enum { RANGES = 100000 };
    static const char range[] = "0-131071,";
    struct index_set set = {0};
    size_t width = sizeof range - 1;
    char *text = malloc(RANGES * width);
    for (size_t i = 0; i < RANGES; i++) {
        memcpy(text + i * width, range, width);
    }
    CHECK_INT(index_set_parse(&set, text, RANGES * width - 1, &error), -EINVAL);
    CHECK_INT(index_set_count(&set), 0);
    CHECK_INT(index_set_parse(&set, text, 100 * width - 1, &error), 0);
    CHECK_INT(index_set_count(&set), INDEX_LIMIT);
    CHECK_INT(index_set_parse_below(&set, 64, "0-63", 4, &error), 0);
    CHECK_INT(index_set_count(&set), 64);
    CHECK_INT(index_set_parse_below(&set, 64, "0-64", 4, &error), -EINVAL);
    free(text);
    index_set_free(&set);
}

int main(void) {
    RUN(lists_round_trip);
    RUN(malformed_lists_are_refused_and_leave_an_empty_set);
    RUN(set_operations_on_different_lengths);
    RUN(a_list_that_does_not_fit_is_cut_visibly);
    RUN(random_sets_agree_with_a_flag_array);
    RUN(a_list_that_repeats_itself_is_refused);
    return runner_result();
}

#include "glob.h"

#include "runner.h"

#include <stdbool.h>

TEST(literal_text_matches_itself_only) {
    CHECK(glob_matches("main", "main"));
    CHECK(!glob_matches("main", "mai"));
    CHECK(!glob_matches("main", "main2"));
    CHECK(!glob_matches("main", "Main"));
    CHECK(glob_matches("", ""));
    CHECK(!glob_matches("", "a"));
    /* What other matchers treat specially is a character like any other here. */
    CHECK(glob_matches("[a]\\", "[a]\\"));
    CHECK(!glob_matches("[a]", "a"));
}

TEST(a_star_is_any_text) {
    CHECK(glob_matches("*", ""));
    CHECK(glob_matches("**", "x"));
    CHECK(glob_matches("Executor task launch worker*", "Executor task launch worker for task 3.0"));
    CHECK(glob_matches("*worker-?", "pool-1-worker-7"));
    CHECK(!glob_matches("*worker-?", "pool-1-worker-77"));
    CHECK(glob_matches("a*b*c", "a-b-b-c"));
    CHECK(!glob_matches("a*b*c", "a-c-b"));
    CHECK(glob_matches("*aab", "aaaaab"));
}

TEST(a_question_mark_is_one_character_of_utf_8) {
    CHECK(glob_matches("?", "\xc3\xa9"));
    CHECK(glob_matches("a?c", "a\xe2\x82\xac"
                              "c"));
    CHECK(!glob_matches("??", "\xc3\xa9"));
    CHECK(!glob_matches("?", ""));
}

/* Exponential matchers hang here. */
TEST(many_stars_take_no_time) {
    char name[2001];
    memset(name, 'a', 2000);
    name[2000] = '\0';
    CHECK(!glob_matches("*a*a*a*a*a*a*a*a*a*a*a*a*b", name));
}

static bool simple(const char *glob, const char *name) {
    if (*glob == '\0') {
        return *name == '\0';
    }
    if (*glob == '*') {
        return simple(glob + 1, name) || (*name != '\0' && simple(glob, name + 1));
    }
    return *name != '\0' && (*glob == '?' || *glob == *name) && simple(glob + 1, name + 1);
}

TEST(random_patterns_agree_with_the_definition) {
    srand(runner_seed());
    int matched = 0;
    for (int round = 0; round < 20000; round++) {
        char glob[9] = {0};
        char name[11] = {0};
        for (int i = rand() % 8; i > 0; i--) {
            glob[strlen(glob)] = "ab*?"[rand() % 4];
        }
        for (int i = rand() % 10; i > 0; i--) {
            name[strlen(name)] = "ab"[rand() % 2];
        }
        bool expected = simple(glob, name);
        matched += expected;
        if (glob_matches(glob, name) != expected) {
            printf("glob '%s' name '%s'\n", glob, name);
            CHECK(false);
        }
    }
    CHECK(matched > 1000);
}

int main(void) {
    RUN(literal_text_matches_itself_only);
    RUN(a_star_is_any_text);
    RUN(a_question_mark_is_one_character_of_utf_8);
    RUN(many_stars_take_no_time);
    RUN(random_patterns_agree_with_the_definition);
    return runner_result();
}

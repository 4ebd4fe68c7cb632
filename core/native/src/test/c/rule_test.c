#include "rule.h"

#include "presets.h"
#include "runner.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

static struct error_text error;

static void add(struct rules *rules, const char *text) {
    CHECK_INT(rules_add_text(rules, text, strlen(text), &error), 0);
}

static const char *target(const struct rules *rules, size_t i) {
    static char text[200];
    return rule_describe_target(&rules->items[i], text, sizeof text);
}

static const char *refusal(const char *text) {
    struct rules rules = {0};
    int result = rules_add_text(&rules, text, strlen(text), &error);
    CHECK_INT(rules.count, result == 0 ? 1 : 0);
    rules_free(&rules);
    return result == -EINVAL ? error.text : "accepted";
}

TEST(every_kind_of_place_is_read) {
    struct rules rules = {0};
    static const char *const texts[][3] = {
            {"worker-*", "worker-*", "slot"},
            {"worker-* -> slot", "worker-*", "slot"},
            {"a -> b->slot exclusive", "a -> b", "slot exclusive"},
            {"  io * \t->  slots 2-5 ", "io *", "slots 2-5"},
            {"io->slots 3 exclusive", "io", "slots 3-3 exclusive"},
            {"rpc-* -> cpus 0,8-9", "rpc-*", "cpus 0,8-9"},
            {"* -> process", "*", "process"},
            {"@gc -> slots 0-1", "@gc", "slots 0-1"},
            {"@jit -> process", "@jit", "process"},
            {"@carriers -> slot", "@carriers", "slot"},
            {"x=y,z", "x=y,z", "slot"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        add(&rules, texts[i][0]);
        CHECK_TEXT(rules.items[i].glob, texts[i][1]);
        CHECK_TEXT(target(&rules, i), texts[i][2]);
        CHECK_TEXT(rules.items[i].role, ROLE_TASK);
    }
    struct rules copy = {0};
    CHECK_INT(rules_add_all(&copy, &rules), 0);
    CHECK_INT(copy.count, rules.count);
    CHECK_TEXT(target(&copy, 5), "cpus 0,8-9");
    rules_free(&rules);
    CHECK_TEXT(copy.items[3].glob, "io *");
    rules_free(&copy);
}

TEST(what_is_no_rule_is_told) {
    CHECK_TEXT(refusal(""), "a thread rule is written GLOB -> PLACE, as worker-* -> slot");
    CHECK_TEXT(refusal(" -> slot"), "a thread rule is written GLOB -> PLACE, as worker-* -> slot");
    CHECK_TEXT(refusal("a -> "),
            "the thread rule 'a': '' is no target: write slot, slots A-B (both "
            "may be followed by exclusive), cpus LIST, or process");
    CHECK(strstr(refusal("a -> slotted"), "'slotted' is no target") != NULL);
    CHECK(strstr(refusal("a -> slot twice"), "'slot twice' is no target") != NULL);
    CHECK(strstr(refusal("a -> process exclusive"), "is no target") != NULL);
    CHECK(strstr(refusal("a -> slots 1,3"), "'1,3' is not one range of slots") != NULL);
    CHECK(strstr(refusal("a -> slots"), "is not one range of slots") != NULL);
    CHECK(strstr(refusal("a -> cpus"), "cpus: none given") != NULL);
    CHECK(strstr(refusal("a -> cpus x"), "cpus: 'x' is not a list") != NULL);
    CHECK_TEXT(refusal("@vm -> slot"),
            "the thread rule '@vm': only @gc, @jit and @carriers are known");
}

TEST(a_file_is_read_by_lines) {
    struct rules rules = {0};
    static const char good[] = "# a comment\n\n  a* -> slot\r\n@gc -> cpus 0\nb";
    static const char bad[] = "a\n\nb -> nowhere\n";
    CHECK_INT(rules_add_lines(&rules, "my.rules", good, strlen(good), &error), 0);
    CHECK_INT(rules.count, 3);
    CHECK_TEXT(rules.items[2].glob, "b");
    CHECK_INT(rules_add_lines(&rules, "my.rules", bad, strlen(bad), &error), -EINVAL);
    CHECK(strncmp(error.text, "my.rules, line 3: the thread rule 'b': 'nowhere'", 48) == 0);
    CHECK_INT(rules_add_file(&rules, "/nowhere/my.rules", &error), -ENOENT);
    CHECK_TEXT(error.text,
            "cannot read the thread rules /nowhere/my.rules: No such file or directory");
    rules_free(&rules);
}

TEST(every_preset_can_be_read) {
    unsigned count = 0;
    for (const struct preset *preset = presets; preset->name != NULL; preset++, count++) {
        struct rules rules = {0};
        CHECK_INT(rules_add_preset(&rules, preset->name, &error), 0);
        CHECK(rules.count > 0);
        rules_free(&rules);
    }
    CHECK_INT(count, 9);
    struct rules rules = {0};
    CHECK_INT(rules_add_preset(&rules, "hive", &error), -EINVAL);
    CHECK_TEXT(error.text, "preset=hive is none of flink, hdfs, kafka, mapreduce, namenode, netty, "
                           "spark, storm, yarn");
}

TEST(random_lines_never_harm) {
    static const char *const pieces[] = {"a", "*", "->", " ", "slot", "slots ", "exclusive",
            "cpus ", "0-3", "process", "@gc", "@", "\n", "#", "\xff", "99999999999"};
    enum { PIECES = sizeof pieces / sizeof *pieces };
    srand(runner_seed());
    int refused = 0;
    for (int round = 0; round < 20000; round++) {
        char text[512] = "";
        struct rules rules = {0};
        for (int i = rand() % 12; i > 0; i--) {
            strcat(text, pieces[rand() % PIECES]);
        }
        /* Not terminated: read no further than told. */
        size_t length = strlen(text);
        char *exact = malloc(length + 1);
        memcpy(exact, text, length);
        int result = rules_add_lines(&rules, "x", exact, length, &error);
        refused += result < 0 ? 1 : 0;
        CHECK(result == 0 || (result == -EINVAL && strchr(error.text, '\n') == NULL));
        free(exact);
        rules_free(&rules);
    }
    CHECK(refused > 5000 && refused < 20000);
}

int main(void) {
    RUN(every_kind_of_place_is_read);
    RUN(what_is_no_rule_is_told);
    RUN(a_file_is_read_by_lines);
    RUN(every_preset_can_be_read);
    RUN(random_lines_never_harm);
    return runner_result();
}

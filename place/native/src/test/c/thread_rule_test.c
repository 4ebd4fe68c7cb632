#include "thread_rule.h"

#include "presets.h"
#include "runner.h"
#include "thread_name_pattern.h"

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

/* What a file with these bytes gives: the glob of its only rule, or the reason from `refused` on.
 */
static const char *of_file(const char *bytes, size_t length, const char *refused) {
    static char result[sizeof error.text];
    char path[] = "/tmp/berth-rules-XXXXXX";
    int file = mkstemp(path);
    CHECK_INT(write(file, bytes, length), (long)length);
    close(file);
    struct rules rules = {0};
    bool accepted = rules_add_file(&rules, path, &error) == 0;
    unlink(path);
    const char *reason = accepted ? NULL : strstr(error.text, refused);
    snprintf(result, sizeof result, "%s",
            accepted         ? rules.items[0].glob
            : reason != NULL ? reason
                             : error.text);
    CHECK(accepted || strstr(error.text, path) != NULL);
    rules_free(&rules);
    return result;
}

TEST(a_file_is_utf8_and_has_a_rule) {
    static const char marked[] = "\xEF\xBB\xBFworker-*\n";
    static const char umlaut[] = "gr\xC3\xBC\xC3\x9F* -> slot\n";
    static const char latin[] = "# fine\ngr\xFC\xDF* -> slot\n";
    static const char wide[] = "a\0*\0\n\0";
    static const char half[] = "a\xED\xA0\x80";
    static const char cut[] = "worker-\xC3";
    CHECK_TEXT(of_file(marked, sizeof marked - 1, ""), "worker-*");
    CHECK_TEXT(of_file(umlaut, sizeof umlaut - 1, ""), "gr\xC3\xBC\xC3\x9F*");
    CHECK_TEXT(of_file(latin, sizeof latin - 1, "are not"),
            "are not UTF-8 from byte 9 on; save the file as UTF-8");
    CHECK_TEXT(of_file(wide, sizeof wide - 1, "byte"), "byte 1 on; save the file as UTF-8");
    CHECK_TEXT(of_file(half, sizeof half - 1, "byte"), "byte 1 on; save the file as UTF-8");
    CHECK_TEXT(of_file(cut, sizeof cut - 1, "byte"), "byte 7 on; save the file as UTF-8");
    CHECK_TEXT(of_file("# none\n\n", 8, "; write"), "; write one per line, as worker-* -> slot");
    CHECK_TEXT(of_file("", 0, "; write"), "; write one per line, as worker-* -> slot");
    CHECK_TEXT(of_file("\xEF\xBB\xBF", 3, "; write"), "; write one per line, as worker-* -> slot");
}

TEST(every_preset_can_be_read) {
    unsigned count = 0;
    for (const struct preset *preset = presets; preset->name != NULL; preset++, count++) {
        struct rules rules = {0};
        CHECK_INT(rules_add_preset(&rules, preset->name, &error), 0);
        CHECK(rules.count > 0);
        rules_free(&rules);
    }
    CHECK_INT(count, 16);
    struct rules rules = {0};
    CHECK_INT(rules_add_preset(&rules, "hive", &error), -EINVAL);
    CHECK_TEXT(error.text,
            "preset=hive is not one of cassandra, celeborn, druid, elasticsearch, flink, "
            "hbase, hdfs, kafka, mapreduce, namenode, netty, pinot, spark, storm, "
            "trino, yarn");
}

/* The target of the first rule that matches, or -1. */
static int target_of(const struct rules *rules, const char *name) {
    for (size_t i = 0; i < rules->count; i++) {
        if (glob_matches(rules->items[i].glob, name)) {
            return (int)rules->items[i].target;
        }
    }
    return -1;
}

/* Names that the engines' sources make (docs/guide/thread-rules.md). */
TEST(presets_know_the_threads_that_work) {
    static const struct {
        const char *preset;
        const char *name;
        bool slot;
    } threads[] = {
            {"trino", "SplitRunner-7", true},
            {"trino", "SplitRunner-20261125_101500_00042_abcde.1.0.0-12", true},
            {"trino", "20261125_101500_00042_abcde.1.0.0-12", true},
            {"trino", "http-worker-33", false},
            {"cassandra", "ReadStage-1", true},
            {"cassandra", "MutationStage-12", true},
            {"cassandra", "Native-Transport-Requests-2", true},
            {"cassandra", "CompactionExecutor:1", false},
            {"cassandra", "SharedPool-Worker-3", false},
            {"elasticsearch", "elasticsearch[host-1][search][T#3]", true},
            {"elasticsearch", "elasticsearch[host-1][write][T#1]", true},
            {"elasticsearch", "elasticsearch[host-1][snapshot][T#1]", false},
            {"elasticsearch", "opensearch[host-1][index_searcher][T#3]", true},
            {"hbase", "RpcServer.default.FPBQ.Fifo.handler=29,queue=2,port=16020", true},
            {"hbase", "RpcServer.priority.RWQ.Fifo.read.handler=1,queue=1,port=16020", false},
            {"hbase", "RS-EventLoopGroup-1-3", true},
            {"celeborn", "push-server-6-1", true},
            {"celeborn", "LocalFlusher@1234-/mnt/disk1-0", true},
            {"celeborn", "worker-rpc-async-replier", false},
            {"druid", "processing-3", true},
            {"druid", "qtp1234-56", false},
            {"pinot", "pqr-1", true},
            {"pinot", "pqw-12", true},
            {"pinot", "HelixTaskExecutor-message_handle_thread_1", false},
    };
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct rules rules = {0};
        CHECK_INT(rules_add_preset(&rules, threads[i].preset, &error), 0);
        int target = target_of(&rules, threads[i].name);
        printf("%s: %s\n", threads[i].preset, threads[i].name);
        CHECK_INT(target, threads[i].slot ? (int)TARGET_SLOT : -1);
        rules_free(&rules);
    }
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
    RUN(a_file_is_utf8_and_has_a_rule);
    RUN(every_preset_can_be_read);
    RUN(presets_know_the_threads_that_work);
    RUN(random_lines_never_harm);
    return runner_result();
}

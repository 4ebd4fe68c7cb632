#include "plan_parser.h"

#include "runner.h"

#include <errno.h>
#include <unistd.h>

#define HEAD "berth-plan 1\nlevel core\nmemory bind\nallowed 0-15\noversubscribed no\n"
#define SLOT "slot index=0 worker=0 thread=0 role=task cpus=0,8 nodes=0 reason=core L#0 (PUs 0,8)\n"

static struct error_text error;

static int parse(struct plan *plan, const char *text) {
    error.text[0] = '\0';
    *plan = (struct plan){0};
    return plan_parse(plan, text, strlen(text), &error);
}

/* Parses a text that must be refused, and returns the reason. */
static const char *refusal(const char *text) {
    struct plan plan;
    int result = parse(&plan, text);
    if (result == 0) {
        plan_free(&plan);
        return "accepted";
    }
    CHECK_INT(result, -EINVAL);
    CHECK(plan.slots == NULL && plan.rules.items == NULL);
    return error.text;
}

TEST(a_whole_plan_is_read) {
    struct plan plan;
    char cpus[32];
    CHECK_INT(parse(&plan, "# made by hand\n\n" HEAD "note 2 threads share = 1 core\n"
                           "rule role=task glob=Executor task launch worker*\n"
                           "rule role=io.read glob=\n" SLOT
                           "slot index=1 worker=2 thread=3 role=io.read cpus=1100 nodes= reason="),
            0);
    CHECK_INT(plan.memory, MEMORY_BIND);
    CHECK_INT(plan.rules.count, 2);
    CHECK_TEXT(plan.rules.items[0].glob, "Executor task launch worker*");
    CHECK_TEXT(plan.rules.items[1].role, "io.read");
    CHECK_TEXT(plan.rules.items[1].glob, "");
    CHECK_INT(plan.slot_count, 2);
    CHECK_TEXT(plan.slots[0].role, "task");
    CHECK_TEXT(index_set_format(&plan.slots[0].cpus, cpus, sizeof cpus), "0,8");
    CHECK_INT(plan.slots[1].index, 1);
    CHECK_INT(plan.slots[1].worker, 2);
    CHECK_INT(plan.slots[1].thread, 3);
    CHECK(index_set_contains(&plan.slots[1].cpus, 1100));
    CHECK(index_set_is_empty(&plan.slots[1].nodes));
    plan_free(&plan);
}

TEST(every_memory_mode_has_a_word) {
    for (int mode = MEMORY_LOCAL; mode <= MEMORY_INTERLEAVE; mode++) {
        const char *word = memory_mode_word((enum memory_mode)mode);
        CHECK_INT(memory_mode_parse(word, strlen(word)), mode);
    }
    CHECK_INT(memory_mode_parse("BIND", 4), -EINVAL);
    CHECK_INT(memory_mode_parse("", 0), -EINVAL);
}

TEST(a_refused_plan_names_the_line_and_the_cause) {
    CHECK_TEXT(refusal(""), "it ends where 'berth-plan' is expected");
    CHECK_TEXT(refusal("hello\n"), "line 1: 'berth-plan' is expected here, not 'hello'");
    CHECK_TEXT(refusal("berth-plan 2\n"),
            "line 1: plan version '2' is not 1, the one this library reads: use one version of "
            "Berth to write and to read the plan");
    CHECK_TEXT(refusal("berth-plan 1\nmemory local\n"),
            "line 2: 'level' is expected here, not 'memory'");
    CHECK_TEXT(refusal("berth-plan 1\nlevel pu\nmemory near\n"),
            "line 3: memory must be one of local, bind, prefer, interleave, weighted, "
            "bind-balance, prefer-balance");
    CHECK_TEXT(refusal(HEAD), "it has no slots");
    CHECK_TEXT(refusal(HEAD SLOT "seat index=1\n"), "line 7: 'seat' is unknown or out of order");
    CHECK_TEXT(refusal(HEAD "rule glob=x\n"),
            "line 6: a rule is written 'rule role=WORD glob=PATTERN'");
    CHECK_TEXT(refusal(HEAD "rule role=a/b glob=x\n"),
            "line 6: a rule is written 'rule role=WORD glob=PATTERN'");
    CHECK_TEXT(refusal(HEAD "slot index=0 thread=0\n"),
            "line 6: 'worker=' is missing or out of order");
    CHECK_TEXT(refusal(HEAD "slot index=0 worker=0 thread=0 role=task cpus= nodes= reason=\n"),
            "line 6: a slot needs at least one CPU");
    CHECK_TEXT(refusal(HEAD "slot index=0 worker=-1 thread=0 role=task cpus=1 nodes= reason=\n"),
            "line 6: index, worker and thread must be plain numbers");
    CHECK_TEXT(refusal(HEAD "slot index=4294967296 worker=0 thread=0 role=task cpus=1 nodes= "
                            "reason=\n"),
            "line 6: index, worker and thread must be plain numbers");
    CHECK_TEXT(refusal(HEAD "slot index=0 worker=0 thread=0 role=task cpus=1 nodes=0\n"),
            "line 6: 'reason=' is missing, or the role is not a word");
    CHECK(strstr(refusal(HEAD "slot index=0 worker=0 thread=0 role=task cpus=1- nodes= reason=\n"),
                  "line 6: '1-' is not a list") != NULL);
    CHECK_TEXT(refusal(HEAD "note a\rb\n" SLOT), "line 6: control character");
}

TEST(a_plan_file_that_cannot_be_read_is_named) {
    struct plan plan = {0};
    CHECK_INT(plan_read(&plan, "/nowhere/at all", &error), -ENOENT);
    CHECK_TEXT(error.text, "cannot read the plan /nowhere/at all: No such file or directory");
    CHECK_INT(plan_read(&plan, "/proc/self/status", &error), -EINVAL);
    CHECK_INT(strncmp(error.text, "the plan /proc/self/status: line 1: ", 36), 0);
    CHECK_INT(plan_read(&plan, "/dev/zero", &error), -EFBIG);
}

/* Each position of a good plan cut off, and each byte replaced by each of a few nasty ones. */
TEST(damaged_plans_never_harm) {
    static const char good[] = HEAD "note n\nrule role=task glob=a*\n" SLOT SLOT;
    static const char bytes[] = {'\0', '\n', ' ', '=', ',', '-', '9', '#', (char)0xFF, '\x7f'};
    size_t length = sizeof good - 1;
    int accepted = 0;
    for (size_t cut = 0; cut <= length; cut++) {
        char *text = malloc(cut + 1); /* ASan finds a read behind it. */
        memcpy(text, good, cut);
        struct plan plan = {0};
        accepted += plan_parse(&plan, text, cut, &error) == 0;
        plan_free(&plan);
        free(text);
    }
    for (size_t position = 0; position < length; position++) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            char *text = malloc(length);
            memcpy(text, good, length);
            text[position] = bytes[i];
            struct plan plan = {0};
            accepted += plan_parse(&plan, text, length, &error) == 0;
            plan_free(&plan);
            free(text);
        }
    }
    CHECK(accepted > 100);
}

/* Random pieces in a random order come nearer to the corners than random bytes do. */
TEST(random_texts_never_harm) {
    static const char *const pieces[] = {HEAD, SLOT, "slot ", "rule ",
            "index=", "worker=", "thread=", "role=task ",
            "cpus=", "nodes=", "reason=", "glob=", "\n", " ", "0-", "1,", "131071",
            "99999999999999", "*", "berth-plan 1\n", "note ", "\xff\xfe", "#"};
    enum { PIECES = sizeof pieces / sizeof *pieces };
    srand(runner_seed());
    int refused = 0;
    for (int round = 0; round < 20000; round++) {
        char text[2048];
        size_t length = 0;
        for (int i = rand() % 24; i > 0; i--) {
            const char *piece = pieces[rand() % PIECES];
            size_t size = strlen(piece);
            if (rand() % 10 == 0) {
                text[length++] = (char)rand();
            } else if (length + size < sizeof text) {
                memcpy(text + length, piece, size);
                length += size;
            }
        }
        char *exact = malloc(length + 1);
        memcpy(exact, text, length);
        struct plan plan = {0};
        int result = plan_parse(&plan, exact, length, &error);
        refused += result < 0;
        if (result < 0 && (strlen(error.text) == 0 || strchr(error.text, '\n') != NULL)) {
            CHECK(!"a refusal gives a reason of one line");
        }
        plan_free(&plan);
        free(exact);
    }
    CHECK(refused > 10000);
}

int main(void) {
    RUN(a_whole_plan_is_read);
    RUN(every_memory_mode_has_a_word);
    RUN(a_refused_plan_names_the_line_and_the_cause);
    RUN(a_plan_file_that_cannot_be_read_is_named);
    RUN(damaged_plans_never_harm);
    RUN(random_texts_never_harm);
    return runner_result();
}

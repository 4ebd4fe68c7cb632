#include "agent_options.h"

#include "runner.h"

#include <errno.h>

static struct error_text error;

static const char *list(const struct index_set *set) {
    static char text[256];
    return index_set_format(set, text, sizeof text);
}

static const char *refusal(const char *text) {
    struct options options;
    int result = options_parse(&options, text, &error);
    options_free(&options);
    return result == -EINVAL ? error.text : "accepted";
}

TEST(a_plan_and_its_worker) {
    struct options options;
    CHECK_INT(options_parse(&options, "plan=/tmp/a,b c.plan,worker=3,strict", &error), 0);
    CHECK_TEXT(options.plan_file, "/tmp/a,b c.plan");
    CHECK_INT(options.worker, 3);
    CHECK(options.strict);
    CHECK(!options.verbose);
    options_free(&options);
}

TEST(a_set_given_directly) {
    struct options options;
    CHECK_INT(options_parse(&options,
                      "verbose,cpus=0-3,8,nodes=0,2,memory=interleave,rule=a,b*,rule=x=y", &error),
            0);
    CHECK_TEXT(list(&options.cpus), "0-3,8");
    CHECK_TEXT(list(&options.nodes), "0,2");
    CHECK_INT(options.memory, MEMORY_INTERLEAVE);
    CHECK_INT(options.rules.count, 2);
    CHECK_TEXT(options.rules.items[0].glob, "a,b*");
    CHECK_TEXT(options.rules.items[1].glob, "x=y");
    CHECK_INT(options.worker, -1);
    CHECK(options.verbose);
    options_free(&options);
}

TEST(nothing_is_allowed_too) {
    struct options options;
    CHECK_INT(options_parse(&options, NULL, &error), 0);
    options_free(&options);
    CHECK_INT(options_parse(&options, "", &error), 0);
    CHECK(index_set_is_empty(&options.cpus));
    options_free(&options);
}

TEST(wrong_options_are_named) {
    CHECK_INT(strncmp(refusal("cpu=1"), "option 'cpu' is unknown", 23), 0);
    CHECK_INT(strncmp(refusal("plan="), "option 'plan' is unknown or empty", 33), 0);
    CHECK_TEXT(refusal("fast"), "option 'fast' has no value");
    CHECK_TEXT(refusal("cpus="), "cpus= names none");
    CHECK_INT(strncmp(refusal("cpus=0-"), "cpus: '0-' is not a list", 24), 0);
    CHECK_INT(strncmp(refusal("cpus=0,fast"), "cpus: '0,fast' is not a list", 28), 0);
    CHECK(strstr(refusal("heap-memory=near"), "heap-memory=near: the mode is not one of") != NULL);
    CHECK_TEXT(refusal("memory=near"), "memory=near is not one of local, bind, prefer, interleave, "
                                       "weighted, bind-balance, prefer-balance");
    CHECK(strstr(refusal("memory=tier:hbm"),
                  "prefer-balance; 'berth run --memory' finds the nodes of a memory tier, or name "
                  "them by nodes=") != NULL);
    CHECK_TEXT(refusal("plan=a,worker=1x"), "worker=1x is not a number from 0, free or exclusive");
    CHECK_TEXT(refusal("plan=a,worker=-1"), "worker=-1 is not a number from 0, free or exclusive");
    CHECK_TEXT(refusal("worker=1"), "worker= needs plan=");
    CHECK_TEXT(refusal("plan=a,cpus=1"),
            "plan= cannot be given together with domain=, cpus=, nodes= or memory=");
    CHECK_TEXT(refusal("domain=numa,cpus=1"), "domain= cannot be given together with cpus=");
    CHECK_TEXT(refusal("domain=numa,nodes=1"),
            "nodes= and a memory= other than local need each other");
    CHECK_TEXT(refusal("memory=bind"), "nodes= and a memory= other than local need each other");
    CHECK_TEXT(refusal("nodes=0"), "nodes= and a memory= other than local need each other");
}

/* The last one would hold, and nothing be said. */
TEST(what_holds_once_is_not_given_twice) {
    static const char *const values[] = {"plan=a", "worker=0", "domain=numa", "select=0",
            "leases=/tmp/a", "name=a", "cpus=0", "nodes=0", "memory=bind", "heap-memory=bind@0",
            "gc=cpus 0", "jit=cpus 0", "level=core", "smt=never", "guard=off", "unmatched=5"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[128];
        char expected[64];
        snprintf(text, sizeof text, "%s,rule=a,%s", values[i], values[i]);
        snprintf(expected, sizeof expected, "%.*s= is given twice; give it once",
                (int)strcspn(values[i], "="), values[i]);
        CHECK_TEXT(refusal(text), expected);
    }
    CHECK_TEXT(
            refusal("cpus=0,rule=a,rule=b,preset=spark,preset=kafka,strict,strict,verbose,verbose"),
            "accepted");
}

TEST(strict_holds_even_when_the_rest_is_wrong) {
    struct options options;
    CHECK_INT(options_parse(&options, "cpus=x,nonsense=1,strict", &error), -EINVAL);
    CHECK(options.strict);
    options_free(&options);
}

TEST(values_that_would_be_several_options_are_known) {
    CHECK(options_is_one_value(""));
    CHECK(options_is_one_value("a name"));
    CHECK(options_is_one_value("0-3,8"));
    CHECK(options_is_one_value("a,b,"));
    CHECK(options_is_one_value("a=b,c"));
    CHECK(!options_is_one_value("x,leases=/tmp"));
    CHECK(!options_is_one_value("x,y,strict"));
    CHECK(!options_is_one_value("x,verbose"));
}

TEST(random_options_never_harm) {
    static const char *const pieces[] = {"plan=", "cpus=", "nodes=", "memory=", "bind",
            "rule=", "worker=", "verbose", "strict", ",", "=", "0-3", "7", "-", "*", "/a b", "\xff",
            "\n"};
    enum { PIECES = sizeof pieces / sizeof *pieces };
    srand(runner_seed());
    int refused = 0;
    for (int round = 0; round < 20000; round++) {
        char text[512] = "";
        for (int i = rand() % 20; i > 0; i--) {
            strcat(text, pieces[rand() % PIECES]);
        }
        struct options options;
        char *exact = strdup(text);
        int result = options_parse(&options, exact, &error);
        free(exact);
        refused += result < 0;
        if (result < 0 && (strlen(error.text) == 0 || strchr(error.text, '\n') != NULL)) {
            printf("options '%s'\n", text);
            CHECK(!"a refusal gives a reason of one line");
        }
        options_free(&options);
    }
    CHECK(refused > 10000 && refused < 20000);
}

int main(void) {
    RUN(a_plan_and_its_worker);
    RUN(a_set_given_directly);
    RUN(nothing_is_allowed_too);
    RUN(wrong_options_are_named);
    RUN(what_holds_once_is_not_given_twice);
    RUN(strict_holds_even_when_the_rest_is_wrong);
    RUN(values_that_would_be_several_options_are_known);
    RUN(random_options_never_harm);
    return runner_result();
}

/*
 * Every parser of text in C under mutated input: valid texts in which bytes, words, numbers and
 * lines are changed, left out, doubled and mixed, at random. Built with the sanitizers, so that
 * what reads one byte too far ends the test; each input lies in memory of exactly its size.
 *
 * BERTH_FUZZ_SECONDS says for how long, 2 by default; BERTH_TEST_SEED repeats a run: input N is a
 * function of the seed and of N alone.
 */
#include "agent_options.h"
#include "domains.h"
#include "file_text.h"
#include "heap_maps.h"
#include "heap_policy.h"
#include "launch_words.h"
#include "lease.h"
#include "plan_parser.h"
#include "reexec.h"
#include "thread_name_pattern.h"

#include "runner.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    LONGEST = 16384,
    SEEDS = 6,
    /* Even a busy machine does not take that long for 16 KiB. */
    HANG_SECONDS = 60,
    MEMORY_LIMIT_KIB = 1 << 20
};

/* False when what the parser did with the text is wrong. The text ends with a zero byte that
 * `length` does not count, and belongs to the target. */
typedef bool target_function(char *text, size_t length);

struct target {
    const char *name;
    target_function *run;
    const char *seeds[SEEDS];
};

static struct error_text error;

/* A refusal is one line for a user, and no other kind of failure. */
static bool is_refusal(int result) {
    size_t length = strnlen(error.text, sizeof error.text);
    if (length == 0 || length == sizeof error.text || strchr(error.text, '\n') != NULL) {
        return false;
    }
    return result == -EINVAL || result == -ERANGE || result == -ENOENT;
}

static bool list_below(unsigned limit, const char *text, size_t length) {
    static char printed[1 << 20];
    struct index_set set = {0};
    struct index_set again = {0};
    int result = index_set_parse_below(&set, limit, text, length, &error);
    bool good;
    if (result < 0) {
        good = is_refusal(result) && index_set_is_empty(&set);
    } else {
        index_set_format(&set, printed, sizeof printed);
        good = index_set_parse_below(&again, limit, printed, strlen(printed), &error) == 0 &&
               index_set_equals(&set, &again) && index_set_next(&set, limit) < 0;
    }
    index_set_free(&set);
    index_set_free(&again);
    return good;
}

static bool list(char *text, size_t length) {
    return list_below(INDEX_LIMIT, text, length) && list_below(1024, text, length);
}

/* A fault that only a search finds: in one of the lists that the parser takes. */
static bool planted(char *text, size_t length) {
    struct index_set set = {0};
    bool fault = index_set_parse(&set, text, length, &error) == 0 && index_set_count(&set) == 3 &&
                 index_set_next(&set, 1000) >= 0;
    index_set_free(&set);
    return !fault;
}

/* It is printed to the terminals of other users. */
static bool is_clean(const char *text) {
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7f) {
            return false;
        }
    }
    return true;
}

static bool lease(char *text, size_t length) {
    static char printed[2][LEASE_TEXT_SIZE + 1024];
    struct lease read;
    (void)length;
    int result = lease_read(&read, text);
    if (result < 0) {
        return result == -EINVAL && read.cpus.words == NULL && read.nodes.words == NULL;
    }
    bool good = is_clean(read.domain) && is_clean(read.name);
    for (int i = 0; i < 2; i++) {
        struct text_buffer buffer = {.data = printed[i], .capacity = sizeof printed[i]};
        good = good && lease_write(&read, &buffer) == 0 && text_result(&buffer) > 0;
        lease_free(&read);
        good = good && lease_read(&read, printed[i]) == 0;
    }
    lease_free(&read);
    return good && strcmp(printed[0], printed[1]) == 0;
}

static bool rules_are_sane(const struct rules *rules) {
    char described[256];
    for (size_t i = 0; i < rules->count; i++) {
        const struct rule *rule = &rules->items[i];
        if (rule->glob == NULL || rule->role == NULL || strlen(rule->role) >= ROLE_SIZE ||
                rule->first > rule->last) {
            return false;
        }
        rule_describe_target(rule, described, sizeof described);
        glob_matches(rule->glob, "Executor task launch worker-1");
        if (!rule_gives_same(rule, rule)) {
            return false;
        }
    }
    return true;
}

static bool plan(char *text, size_t length) {
    struct plan read = {0};
    int result = plan_parse(&read, text, length, &error);
    if (result < 0) {
        return is_refusal(result) && read.slots == NULL && read.rules.items == NULL;
    }
    bool good = read.slot_count > 0 && read.slot_count <= PLAN_ITEM_LIMIT &&
                rules_are_sane(&read.rules);
    for (size_t i = 0; i < read.slot_count; i++) {
        good = good && read.slots[i].role != NULL && !index_set_is_empty(&read.slots[i].cpus);
    }
    plan_free(&read);
    return good;
}

static bool rules(char *text, size_t length) {
    struct rules read = {0};
    int result = rules_add_lines(&read, "a test", text, length, &error);
    bool good = result == 0 ? rules_are_sane(&read) : is_refusal(result);
    rules_free(&read);
    return good;
}

static bool options(char *text, size_t length) {
    struct options read;
    (void)length;
    int result = options_parse(&read, text, &error);
    bool good = result == 0 ? rules_are_sane(&read.rules) && read.worker >= -1 : result < 0;
    options_free(&read);
    return good;
}

static bool heap(char *text, size_t length) {
    struct heap_policy read = {0};
    struct heap_policy again = {0};
    char printed[LONGEST];
    (void)length;
    int result = heap_policy_parse(&read, text, &error);
    bool good =
            result == 0 ? read.given && read.weight_count <= HEAP_NODE_LIMIT : is_refusal(result);
    if (result == 0) {
        heap_policy_describe(&read, printed, sizeof printed);
        good = good && heap_policy_parse(&again, printed, &error) == 0 && again.mode == read.mode &&
               index_set_equals(&again.nodes, &read.nodes);
    }
    heap_policy_free(&read);
    heap_policy_free(&again);
    return good;
}

static bool maps(char *text, size_t length) {
    const uintptr_t start = 0x7f0000000000;
    const uint64_t bytes = UINT64_C(1) << 30;
    struct heap_mappings found = {0};
    bool file = length % 2 == 0;
    bool good = heap_mappings_parse(&found, text, file, start, bytes) == 0;
    for (size_t i = 0; i < found.count; i++) {
        const struct heap_mapping *one = &found.items[i];
        good = good && (file || (one->start >= start && one->start < one->end &&
                                        one->end <= start + bytes));
    }
    heap_mappings_free(&found);
    return good;
}

static bool words(char *text, size_t length) {
    size_t together = 0;
    for (char *word; (word = launch_word_next(&text)) != NULL;) {
        together += strlen(word);
        launch_word_reads_once(word);
    }
    return together <= length;
}

/* What `*` and `?` mean, in a table: the slow way. */
static bool matches_slowly(const char *glob, const char *name) {
    bool reached[256] = {true};
    size_t size = strlen(name);
    for (; *glob != '\0'; glob++) {
        bool next[256] = {false};
        for (size_t i = 0; i <= size; i++) {
            if (*glob == '*') {
                next[i] = reached[i] || (i > 0 && next[i - 1]);
            } else if (i < size && (*glob == '?' || *glob == name[i])) {
                next[i + 1] = reached[i];
            }
        }
        memcpy(reached, next, sizeof reached);
    }
    return reached[size];
}

static bool glob(char *text, size_t length) {
    char *name = strchr(text, '\n');
    bool plain = length < 256;
    for (size_t i = 0; i < length; i++) {
        plain = plain && ((unsigned char)text[i] & 0x80) == 0;
    }
    if (name == NULL) {
        return glob_matches("*", text);
    }
    *name++ = '\0';
    bool matches = glob_matches(text, name);
    return !plain || matches == matches_slowly(text, name);
}

static bool process(char *text, size_t length) {
    char path[64];
    char small[8];
    char *list_of_words = malloc(length + 1);
    for (int number = 3; number < 60; number += 19) {
        const char *field = process_stat_field(text, number);
        if (field != NULL && (field < text || field > text + length)) {
            free(list_of_words);
            return false;
        }
    }
    reexec_blocked_signals(text);
    reexec_modules_of(text, path, sizeof path);
    reexec_modules_of(text, small, sizeof small);
    memcpy(list_of_words, text, length + 1);
    char **parts = reexec_split(list_of_words, length);
    size_t together = 0;
    for (char **part = parts; part != NULL && *part != NULL; part++) {
        together += strlen(*part);
    }
    free(parts);
    free(list_of_words);
    return together <= length;
}

static bool domain(char *text, size_t length) {
    enum domain_kind kind;
    unsigned cores = 0;
    (void)length;
    int result = domain_kind_parse(text, &kind, &cores, &error);
    return result == 0 ? kind != DOMAIN_CORES || cores > 0 : is_refusal(result);
}

#define PLAN_HEAD "berth-plan 1\nlevel core\nmemory bind\nallowed 0-15\noversubscribed no\n"

static const struct target targets[] = {
        {"list", list, {"0-3,8", "0-131071", "1,3,5,7-9,1023", "0-3:2/4", ""}},
        {"lease", lease,
                {"berth-lease 1\npid 123\nstart 4567\npid-namespace 4026531836\nuser 0\ncpus 0-3\n"
                 "nodes 0\nexclusive no\nsince 1767225600\ndomain NUMA node 0\nname executor\n",
                        "berth-lease 1\npid 2147483647\nstart 1\npid-namespace 1\nuser 65534\n"
                        "cpus 0,2,4,8191\nnodes \nexclusive yes\nsince 0\ndomain d\nname \n"}},
        {"plan", plan,
                {"# by hand\n\n" PLAN_HEAD "note 2 threads\nrule role=task glob=Executor*\n"
                 "slot index=0 worker=0 thread=0 role=task cpus=0,8 nodes=0 reason=core L#0\n",
                        PLAN_HEAD "rule role=io.read glob=\nslot index=1 worker=2 "
                                  "thread=3 role=io.read cpus=1100 nodes= reason=\n"}},
        {"rules", rules,
                {"worker-* -> slot\n# no\n@gc -> cpus 8-9\n", "a -> slots 0-3 exclusive\n*",
                        "@carriers -> process\n\nx -> slot", "a -> b -> slot exclusive"}},
        {"options", options,
                {"plan=/tmp/a,b c.plan,worker=3,strict",
                        "verbose,cpus=0-3,8,nodes=0,2,memory=interleave,rule=a,b*,rule=x=y",
                        "domain=core:2,select=exclusive,leases=/none,name=n,preset=kafka",
                        "cpus=0,heap-memory=weighted:3,1@0-1,smt=never,level=core,unmatched=9,"
                        "guard=off",
                        "domain=cpus:0-3,memory=bind,nodes=0,gc=cpus 1,jit=process",
                        "domain=numa,select=1,rules=/none/rules"}},
        {"heap-memory", heap,
                {"weighted:3,1@0-1", "interleave", "bind@0", "prefer@0,2", "weighted"}},
        {"maps", maps,
                {"7f0000000000-7f0000200000 rw-p 00000000 00:00 0    [name]\n"
                 "7f0000400000-7f0000600000 ---p 00000000 00:00 0\n",
                        "7f0000000000-7f0000200000 rw-s 00200000 00:01 1  /memfd:java_heap "
                        "(deleted)\n",
                        "0-ffffffffffffffff rw-p 0 0:0 0"}},
        {"words", words,
                {"-Xmx1g \"-Da=b c\" '-XX:Flags=x'\t@argfile",
                        "-agentpath:/a/libberth.so=cpus=0 -jar x", "--module-path=a 'open",
                        "\"\""}},
        {"glob", glob,
                {"a*b?c\naxxbyc", "***\n", "?\n\xc3\xa9", "*a*a*a*b\naaaaaaaaaaaaaaaaaaaaaaaa",
                        "worker-?*\nworker-12"}},
        {"process", process,
                {"1 (a b) c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24",
                        "Name:\tx\nSigBlk:\t0000000000000000\nSigIgn:\t1\n", "/jdk/bin/java", "("}},
        {"domain", domain, {"numa", "package", "l3", "core", "core:2", "core:4294967296"}},
};

enum { TARGETS = sizeof targets / sizeof *targets };

static const struct target planted_target = {"planted", planted, {"0-3,8", "1,3", ""}};

static const char *const pieces[] = {"0", "-1", "1", "131071", "131072", "2147483647", "2147483648",
        "4294967295", "4294967296", "9223372036854775807", "18446744073709551616",
        "00000000000000000001", "0-131071", "0-", "-", ",", ",,", ":", "/", "=", "@", "*", "?", " ",
        "\n", "\t", "\x1b[2J", "\xff", "\xe2\x80\xae", "->", "slot", "exclusive", "yes", "%s%n",
        "(", ")", "'", "\"", "#"};

/* A generator of its own: the same on every system. */
static uint64_t state;

static size_t below(size_t limit) {
    state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t mixed = state;
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return limit == 0 ? 0 : (size_t)((mixed ^ (mixed >> 31)) % limit);
}

static char input[LONGEST + 1];
static size_t input_length;
static const char *input_target = "none";
static unsigned long input_number;

static void replace(size_t at, size_t removed, const char *with, size_t length) {
    if (input_length - removed + length > LONGEST) {
        return;
    }
    memmove(input + at + length, input + at + removed, input_length - at - removed);
    memcpy(input + at, with, length);
    input_length = input_length - removed + length;
}

static void mutate_once(const struct target *target, size_t seeds) {
    size_t at = below(input_length + 1);
    size_t rest = input_length - at;
    size_t digits = strspn(input + at, "0123456789");
    const char *piece = pieces[below(sizeof pieces / sizeof *pieces)];
    char copy[512];
    size_t length;
    switch (below(8)) {
    case 0:
        copy[0] = (char)below(256);
        replace(at, rest > 0 ? 1 : 0, copy, 1);
        break;
    case 1:
        replace(at, 0, piece, strlen(piece));
        break;
    case 2:
        replace(at, digits, piece, strlen(piece));
        break;
    case 3:
        replace(at, below(rest < 40 ? rest + 1 : 40), "", 0);
        break;
    case 4:
        input_length = at;
        break;
    case 5: /* a part of it once more, up to some hundred times */
        length = 1 + below(rest < 40 ? rest + 1 : 40);
        length = length > rest ? rest : length;
        memcpy(copy, input + at, length);
        for (size_t times = below(8) == 0 ? below(600) : below(4); times > 0; times--) {
            replace(at, 0, copy, length);
        }
        break;
    case 6: /* the end of another one */
        piece = target->seeds[below(seeds)];
        length = below(strlen(piece) + 1);
        replace(at, rest, piece + length, strlen(piece) - length);
        break;
    default: /* a bit */
        if (rest > 0) {
            input[at] = (char)(input[at] ^ (1 << below(8)));
        }
    }
    input[input_length] = '\0';
}

static void print_input(void) {
    printf("target %s, input %lu: \"", input_target, input_number);
    for (size_t i = 0; i < input_length; i++) {
        unsigned char c = (unsigned char)input[i];
        printf(c < 0x20 || c >= 0x7f || c == '"' || c == '\\' ? "\\x%02x" : "%c", c);
    }
    printf("\"\n");
    fflush(stdout);
}

static bool try_input(const struct target *target, unsigned seed, unsigned long number) {
    size_t seeds = 0;
    while (seeds < SEEDS && target->seeds[seeds] != NULL) {
        seeds++;
    }
    state = ((uint64_t)seed << 32) ^ number;
    input_target = target->name;
    input_number = number;
    input_length = 0;
    const char *first = target->seeds[below(seeds)];
    replace(0, 0, first, strlen(first));
    input[input_length] = '\0';
    for (size_t changes = below(8); changes > 0; changes--) {
        mutate_once(target, seeds);
    }
    /* A text in C ends at its first zero byte, and a plan is a number of bytes. */
    char *exact = malloc(input_length + 1);
    if (exact == NULL) {
        return false;
    }
    memcpy(exact, input, input_length + 1);
    bool good = target->run(exact, input_length);
    free(exact);
    return good;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static unsigned seed;

/* The process ends here, so it does no harm that printf may have been interrupted. */
_Noreturn static void hang(int signal_number) {
    (void)signal_number;
    printf("a parser hangs\n");
    print_input();
    _exit(EXIT_FAILURE);
}

TEST(a_planted_fault_is_found) {
    unsigned long number = 0;
    while (number < 200000 && try_input(&planted_target, seed, number)) {
        number++;
    }
    printf("found by input %lu\n", number);
    CHECK(number < 200000);
}

/* Not getrusage(2): its peak includes that of the process that started this one, a large JVM,
 * before exec. */
static long peak_kib(void) {
    char *text;
    size_t length;
    if (file_text_read("/proc/self/status", 65536, &text, &length) < 0) {
        return -1;
    }
    const char *peak = strstr(text, "VmHWM:");
    long kib = peak == NULL ? -1 : atol(peak + strlen("VmHWM:"));
    free(text);
    return kib;
}

TEST(no_text_harms_a_parser) {
    const char *told = getenv("BERTH_FUZZ_SECONDS");
    double end = now() + (told == NULL ? 2 : atof(told));
    unsigned long number = 0;
    bool good = true;
    while (good && now() < end) {
        alarm(HANG_SECONDS);
        for (int i = 0; i < TARGETS && good; i++) {
            good = try_input(&targets[i], seed, number);
        }
        number++;
    }
    alarm(0);
    if (!good) {
        print_input();
    }
    CHECK(good);
    long most = peak_kib();
    printf("%lu inputs for each of %d parsers, %ld KiB\n", number, (int)TARGETS, most);
    CHECK(most > 0 && most < MEMORY_LIMIT_KIB);
}

/* What the sanitizers found is of no use without the input. */
__attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)(void));

const char *__asan_default_options(void);

/* Freed memory is kept for a while; here it is short. */
__attribute__((visibility("default"), used)) const char *__asan_default_options(void) {
    return "quarantine_size_mb=16";
}

int main(void) {
    seed = runner_seed();
    if (__sanitizer_set_death_callback != NULL) {
        __sanitizer_set_death_callback(print_input);
    }
    signal(SIGALRM, hang);
    RUN(a_planted_fault_is_found);
    RUN(no_text_harms_a_parser);
    return runner_result();
}

#include "thread_rule.h"

#include "file_text.h"
#include "foreign_text.h"
#include "presets.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RULES_LIMIT = 65536, FILE_LIMIT = 1 << 20, NAMES_SIZE = 200 };

#define ARROW "->"
#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

static void free_rule(struct rule *rule) {
    free(rule->glob);
    free(rule->role);
    index_set_free(&rule->cpus);
}

void rules_free(struct rules *rules) {
    for (size_t i = 0; i < rules->count; i++) {
        free_rule(&rules->items[i]);
    }
    free(rules->items);
    *rules = (struct rules){0};
}

bool rule_is_group(const struct rule *rule) {
    return strcmp(rule->glob, GLOB_GC) == 0 || strcmp(rule->glob, GLOB_JIT) == 0;
}

bool rule_is_for_carriers(const struct rule *rule) {
    return strcmp(rule->glob, GLOB_CARRIERS) == 0;
}

bool rule_gives_same(const struct rule *one, const struct rule *other) {
    return one->target == other->target && strcmp(one->role, other->role) == 0 &&
           one->first == other->first && one->last == other->last &&
           one->exclusive == other->exclusive && index_set_equals(&one->cpus, &other->cpus);
}

/* Takes what the rule owns, also when it fails. */
static int append(struct rules *rules, struct rule *rule) {
    /* The capacity is the next power of two. */
    bool full = (rules->count & (rules->count - 1)) == 0;
    size_t capacity = rules->count == 0 ? 1 : rules->count * 2;
    struct rule *larger = full ? realloc(rules->items, capacity * sizeof *larger) : rules->items;
    if (larger == NULL || rule->glob == NULL || rule->role == NULL) {
        rules->items = larger == NULL ? rules->items : larger;
        free_rule(rule);
        return -ENOMEM;
    }
    rules->items = larger;
    rules->items[rules->count++] = *rule;
    return 0;
}

int rules_add(struct rules *rules, const char *role, size_t role_length, const char *glob,
        size_t glob_length) {
    struct rule rule = {.glob = strndup(glob, glob_length),
            .role = strndup(role, role_length),
            .last = UINT_MAX};
    return append(rules, &rule);
}

int rules_add_all(struct rules *rules, const struct rules *others) {
    int result = 0;
    for (size_t i = 0; i < others->count && result == 0; i++) {
        const struct rule *from = &others->items[i];
        struct rule rule = *from;
        rule.glob = strdup(from->glob);
        rule.role = strdup(from->role);
        rule.cpus = (struct index_set){0};
        if (index_set_copy(&rule.cpus, &from->cpus) < 0) {
            free_rule(&rule);
            return -ENOMEM;
        }
        result = append(rules, &rule);
    }
    return result;
}

struct words {
    const char *start;
    size_t length;
};

static bool is_blank(char character) {
    return character == ' ' || character == '\t' || character == '\r';
}

static struct words trimmed(const char *start, size_t length) {
    while (length > 0 && is_blank(*start)) {
        start++;
        length--;
    }
    while (length > 0 && is_blank(start[length - 1])) {
        length--;
    }
    return (struct words){start, length};
}

static bool take_word(struct words *words, const char *word) {
    size_t length = strlen(word);
    if (words->length < length || memcmp(words->start, word, length) != 0 ||
            (words->length > length && !is_blank(words->start[length]))) {
        return false;
    }
    *words = trimmed(words->start + length, words->length - length);
    return true;
}

static int parse_slots(struct rule *rule, struct words *words, struct error_text *error) {
    struct index_set slots = {0};
    struct error_text cause;
    size_t length = 0;
    while (length < words->length && !is_blank(words->start[length])) {
        length++;
    }
    int result = index_set_parse(&slots, words->start, length, &cause);
    if (result == 0) {
        rule->first = (unsigned)index_set_next(&slots, 0);
        rule->last = rule->first + index_set_count(&slots) - 1;
        if (index_set_is_empty(&slots) || !index_set_contains(&slots, rule->last)) {
            result = error_set(
                    error, EINVAL, "'%.*s' is not one range of slots", (int)length, words->start);
        }
        *words = trimmed(words->start + length, words->length - length);
    } else {
        error_set(error, EINVAL, "slots: %.300s", cause.text);
    }
    index_set_free(&slots);
    return result;
}

static int parse_target(struct rule *rule, struct words words, struct error_text *error) {
    struct words all = words;
    struct error_text cause;
    int result = 0;
    if (take_word(&words, "process")) {
        rule->target = TARGET_PROCESS;
    } else if (take_word(&words, "cpus")) {
        rule->target = TARGET_CPUS;
        result = index_set_parse(&rule->cpus, words.start, words.length, &cause);
        words.length = 0;
        if (result < 0 || index_set_is_empty(&rule->cpus)) {
            return error_set(error, EINVAL, "cpus: %.300s", result < 0 ? cause.text : "none given");
        }
    } else if (take_word(&words, "slots")) {
        result = parse_slots(rule, &words, error);
        rule->exclusive = result == 0 && take_word(&words, "exclusive");
    } else if (take_word(&words, "slot")) {
        rule->exclusive = take_word(&words, "exclusive");
    } else {
        words.length = SIZE_MAX;
    }
    if (result == 0 && words.length > 0) {
        return error_set(error, EINVAL,
                "'%.*s' is no target: write slot, slots A-B (both may be followed by exclusive), "
                "cpus LIST, or process",
                all.length > 60 ? 60 : (int)all.length, all.start);
    }
    return result;
}

/* The last arrow: a thread's name may hold one. */
static const char *find_arrow(const char *text, size_t length) {
    for (size_t i = length; i >= 2; i--) {
        if (memcmp(text + i - 2, ARROW, 2) == 0) {
            return text + i - 2;
        }
    }
    return NULL;
}

int rules_add_text(struct rules *rules, const char *text, size_t length, struct error_text *error) {
    const char *arrow = find_arrow(text, length);
    struct words glob = trimmed(text, arrow == NULL ? length : (size_t)(arrow - text));
    if (glob.length == 0 || memchr(glob.start, '\n', glob.length) != NULL) {
        return error_set(
                error, EINVAL, "a thread rule is written GLOB -> PLACE, as worker-* -> slot");
    }
    if (rules->count >= RULES_LIMIT) {
        return error_set(error, EINVAL, "more than %d thread rules", RULES_LIMIT);
    }
    struct rule rule = {
            .glob = strndup(glob.start, glob.length), .role = strdup(ROLE_TASK), .last = UINT_MAX};
    int result = 0;
    if (arrow != NULL) {
        struct error_text cause;
        result = parse_target(
                &rule, trimmed(arrow + 2, (size_t)(text + length - arrow) - 2), &cause);
        if (result < 0) {
            free_rule(&rule);
            return error_set(error, -result, "the thread rule '%.*s': %.300s",
                    glob.length > 60 ? 60 : (int)glob.length, glob.start, cause.text);
        }
    }
    if (glob.start[0] == '@' && rule.glob != NULL && !rule_is_group(&rule) &&
            !rule_is_for_carriers(&rule)) {
        free_rule(&rule);
        return error_set(error, EINVAL,
                "the thread rule '%.*s': only @gc, @jit and @carriers are known",
                glob.length > 60 ? 60 : (int)glob.length, glob.start);
    }
    result = append(rules, &rule);
    return result < 0 ? error_set_system(error, ENOMEM, "a thread rule") : 0;
}

int rules_add_lines(struct rules *rules, const char *source, const char *text, size_t length,
        struct error_text *error) {
    int result = 0;
    unsigned number = 1;
    for (size_t start = 0; start < length && result == 0; number++) {
        const char *end = memchr(text + start, '\n', length - start);
        size_t size = end == NULL ? length - start : (size_t)(end - text) - start;
        struct words line = trimmed(text + start, size);
        struct error_text cause;
        if (line.length > 0 && line.start[0] != '#') {
            result = rules_add_text(rules, line.start, line.length, &cause);
        }
        if (result < 0) {
            error_set(error, -result, "%.200s, line %u: %.280s", source, number, cause.text);
        }
        start += size + 1;
    }
    return result;
}

int rules_add_file(struct rules *rules, const char *path, struct error_text *error) {
    char *text;
    size_t length;
    int result = file_text_read(path, FILE_LIMIT, &text, &length);
    if (result < 0) {
        return error_set_system(error, -result, "cannot read the thread rules %.300s", path);
    }
    /* Editors of other systems put it before the text. */
    size_t mark = strncmp(text, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) == 0
                          ? strlen(BYTE_ORDER_MARK)
                          : 0;
    size_t valid = foreign_text_utf8(text, length);
    size_t before = rules->count;
    if (valid < length) {
        result = error_set(error, EINVAL,
                "the thread rules %.300s are not UTF-8 from byte %zu on; save the file as UTF-8",
                path, valid);
    } else {
        result = rules_add_lines(rules, path, text + mark, length - mark, error);
    }
    if (result == 0 && rules->count == before) {
        result = error_set(error, EINVAL,
                "no rule in the thread rules %.300s; write one per line, as worker-* -> slot",
                path);
    }
    free(text);
    return result;
}

int rules_add_preset(struct rules *rules, const char *name, struct error_text *error) {
    char names[NAMES_SIZE] = "";
    for (const struct preset *preset = presets; preset->name != NULL; preset++) {
        if (strcmp(preset->name, name) == 0) {
            size_t before = rules->count;
            int result = rules_add_lines(rules, name, preset->text, strlen(preset->text), error);
            for (size_t i = before; i < rules->count; i++) {
                rules->items[i].optional = true;
            }
            return result;
        }
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used == 0 ? "" : ", ", preset->name);
    }
    return error_set(error, EINVAL, "preset=%.40s is not one of %s", name, names);
}

const char *rule_describe_target(const struct rule *rule, char *buffer, size_t size) {
    char list[120];
    switch (rule->target) {
    case TARGET_CPUS:
        snprintf(buffer, size, "cpus %s", index_set_format(&rule->cpus, list, sizeof list));
        return buffer;
    case TARGET_PROCESS:
        snprintf(buffer, size, "process");
        return buffer;
    case TARGET_SLOT:
        break;
    }
    const char *exclusive = rule->exclusive ? " exclusive" : "";
    if (strcmp(rule->role, ROLE_TASK) != 0) {
        snprintf(buffer, size, "role %.60s", rule->role);
    } else if (rule->last == UINT_MAX) {
        snprintf(buffer, size, "slot%s", exclusive);
    } else {
        snprintf(buffer, size, "slots %u-%u%s", rule->first, rule->last, exclusive);
    }
    return buffer;
}

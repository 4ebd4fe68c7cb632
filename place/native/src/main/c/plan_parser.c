#include "plan_parser.h"

#include "file_text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A piece of the text; not terminated. */
struct span {
    const char *start;
    size_t length;
};

static bool span_is(struct span text, const char *word) {
    return text.length == strlen(word) && memcmp(text.start, word, text.length) == 0;
}

void plan_free(struct plan *plan) {
    rules_free(&plan->rules);
    for (size_t i = 0; i < plan->slot_count; i++) {
        free(plan->slots[i].role);
        index_set_free(&plan->slots[i].cpus);
        index_set_free(&plan->slots[i].nodes);
    }
    free(plan->slots);
    *plan = (struct plan){0};
}

/* Room for one more item: the capacity is the next power of two of the count. */
static void *grow(void *items, size_t count, size_t item_size) {
    if ((count & (count - 1)) != 0) {
        return items;
    }
    return realloc(items, (count == 0 ? 1 : 2 * count) * item_size);
}

static char *copy(struct span text) {
    char *result = malloc(text.length + 1);
    if (result != NULL) {
        memcpy(result, text.start, text.length);
        result[text.length] = '\0';
    }
    return result;
}

static struct plan_slot *add_slot(struct plan *plan, struct span role) {
    struct plan_slot *slots = grow(plan->slots, plan->slot_count, sizeof *slots);
    if (slots == NULL) {
        return NULL;
    }
    plan->slots = slots;
    struct plan_slot *slot = &slots[plan->slot_count++];
    *slot = (struct plan_slot){.role = copy(role)};
    return slot->role == NULL ? NULL : slot;
}

struct plan_slot *plan_add_slot(struct plan *plan, const char *role) {
    return add_slot(plan, (struct span){role, strlen(role)});
}

/* Takes the text up to the separator (or all of it) off the front of `rest`. */
static struct span take_until(struct span *rest, char separator) {
    const char *found = rest->length == 0 ? NULL : memchr(rest->start, separator, rest->length);
    struct span taken = {rest->start, found == NULL ? rest->length : (size_t)(found - rest->start)};
    size_t skipped = taken.length + (found == NULL ? 0 : 1);
    rest->start += skipped;
    rest->length -= skipped;
    return taken;
}

/* Takes "key=" off the front of `rest`. */
static bool take_key(struct span *rest, const char *key) {
    size_t length = strlen(key);
    if (rest->length <= length || memcmp(rest->start, key, length) != 0 ||
            rest->start[length] != '=') {
        return false;
    }
    rest->start += length + 1;
    rest->length -= length + 1;
    return true;
}

static bool parse_number(struct span text, unsigned *number) {
    *number = 0;
    if (text.length == 0 || text.length > 9) {
        return false;
    }
    for (size_t i = 0; i < text.length; i++) {
        if (text.start[i] < '0' || text.start[i] > '9') {
            return false;
        }
        *number = *number * 10 + (unsigned)(text.start[i] - '0');
    }
    return true;
}

static bool is_role(struct span text) {
    static const char allowed[] =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    for (size_t i = 0; i < text.length; i++) {
        if (memchr(allowed, text.start[i], sizeof allowed - 1) == NULL) {
            return false;
        }
    }
    return text.length > 0 && text.length <= 64;
}

static int parse_rule(struct plan *plan, struct span rest, struct error_text *error) {
    struct span role = {0};
    if (take_key(&rest, "role")) {
        role = take_until(&rest, ' ');
    }
    if (!is_role(role) || !take_key(&rest, "glob")) {
        return error_set(error, EINVAL, "a rule is written 'rule role=WORD glob=PATTERN'");
    }
    return rules_add(&plan->rules, role.start, role.length, rest.start, rest.length);
}

static int parse_slot(struct plan *plan, struct span rest, struct error_text *error) {
    static const char *const keys[] = {"index", "worker", "thread", "role", "cpus", "nodes"};
    struct span values[6];
    for (int i = 0; i < 6; i++) {
        if (!take_key(&rest, keys[i])) {
            return error_set(error, EINVAL, "'%s=' is missing or out of order", keys[i]);
        }
        values[i] = take_until(&rest, ' ');
    }
    if (!take_key(&rest, "reason") || !is_role(values[3])) {
        return error_set(error, EINVAL, "'reason=' is missing, or the role is not a word");
    }
    struct plan_slot *slot = add_slot(plan, values[3]);
    if (slot == NULL) {
        return -ENOMEM;
    }
    if (!parse_number(values[0], &slot->index) || !parse_number(values[1], &slot->worker) ||
            !parse_number(values[2], &slot->thread)) {
        return error_set(error, EINVAL, "index, worker and thread must be plain numbers");
    }
    int result = index_set_parse(&slot->cpus, values[4].start, values[4].length, error);
    if (result == 0 && index_set_is_empty(&slot->cpus)) {
        result = error_set(error, EINVAL, "a slot needs at least one CPU");
    }
    if (result == 0) {
        result = index_set_parse(&slot->nodes, values[5].start, values[5].length, error);
    }
    return result;
}

/* What stands once, in this order, before the notes, rules and slots. */
static const char *const head[] = {"berth-plan", "level", "memory", "allowed", "oversubscribed"};
enum { HEAD_COUNT = sizeof head / sizeof *head };

static int parse_head(struct plan *plan, size_t item, struct span value, struct error_text *error) {
    struct index_set allowed = {0};
    int result = 0;
    switch (item) {
    case 0:
        if (!span_is(value, "1")) {
            result = error_set(error, EINVAL,
                    "plan version '%.*s' is not 1, the one this library reads: use one version of "
                    "Berth to write and to read the plan",
                    (int)(value.length < 20 ? value.length : 20), value.start);
        }
        break;
    case 2:
        result = memory_mode_parse(value.start, value.length);
        if (result < 0) {
            return error_set(error, EINVAL, "memory must be one of " MEMORY_WORDS);
        }
        plan->memory = (enum memory_mode)result;
        result = 0;
        break;
    case 3:
        result = index_set_parse(&allowed, value.start, value.length, error);
        index_set_free(&allowed);
        break;
    default: /* The level and the oversubscription are for people. */
        break;
    }
    return result;
}

static int parse_line(
        struct plan *plan, size_t *head_seen, struct span line, struct error_text *error) {
    struct span word = take_until(&line, ' ');
    if (*head_seen < HEAD_COUNT) {
        if (!span_is(word, head[*head_seen])) {
            return error_set(error, EINVAL, "'%s' is expected here, not '%.*s'", head[*head_seen],
                    (int)(word.length < 20 ? word.length : 20), word.start);
        }
        return parse_head(plan, (*head_seen)++, line, error);
    }
    if (span_is(word, "note")) {
        return 0;
    }
    if (plan->rules.count >= PLAN_ITEM_LIMIT || plan->slot_count >= PLAN_ITEM_LIMIT) {
        return error_set(error, EINVAL, "more than %u rules or slots", PLAN_ITEM_LIMIT);
    }
    if (span_is(word, "rule")) {
        return parse_rule(plan, line, error);
    }
    if (span_is(word, "slot")) {
        return parse_slot(plan, line, error);
    }
    return error_set(error, EINVAL, "'%.*s' is unknown or out of order",
            (int)(word.length < 20 ? word.length : 20), word.start);
}

static bool has_control_character(struct span line) {
    for (size_t i = 0; i < line.length; i++) {
        if ((unsigned char)line.start[i] < 0x20 || line.start[i] == 0x7F) {
            return true;
        }
    }
    return false;
}

static int parse_lines(struct plan *plan, struct span text, struct error_text *error) {
    size_t head_seen = 0;
    for (unsigned number = 1; text.length > 0; number++) {
        struct span line = take_until(&text, '\n');
        if (line.length == 0 || line.start[0] == '#') {
            continue;
        }
        struct error_text cause = {"out of memory"};
        int result = has_control_character(line) ? error_set(&cause, EINVAL, "control character")
                                                 : parse_line(plan, &head_seen, line, &cause);
        if (result < 0) {
            return error_set(error, -result, "line %u: %.400s", number, cause.text);
        }
    }
    if (head_seen < HEAD_COUNT) {
        return error_set(error, EINVAL, "it ends where '%s' is expected", head[head_seen]);
    }
    return plan->slot_count == 0 ? error_set(error, EINVAL, "it has no slots") : 0;
}

int plan_parse(struct plan *plan, const char *text, size_t length, struct error_text *error) {
    int result = parse_lines(plan, (struct span){text, length}, error);
    if (result < 0) {
        plan_free(plan);
    }
    return result;
}

int plan_read(struct plan *plan, const char *path, struct error_text *error) {
    char *text;
    size_t length;
    int result = file_text_read(path, PLAN_FILE_LIMIT, &text, &length);
    if (result < 0) {
        return error_set_system(error, -result, "cannot read the plan %.300s", path);
    }
    struct error_text cause;
    result = plan_parse(plan, text, length, &cause);
    free(text);
    if (result < 0) {
        return error_set(error, -result, "the plan %.200s: %.250s", path, cause.text);
    }
    return 0;
}

#include "index_set.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void index_set_free(struct index_set *set) {
    free(set->words);
    set->words = NULL;
    set->word_count = 0;
}

int index_set_reserve(struct index_set *set, size_t word_count) {
    if (word_count <= set->word_count) {
        return 0;
    }
    uint64_t *words = realloc(set->words, word_count * sizeof *words);
    if (words == NULL) {
        return -ENOMEM;
    }
    memset(words + set->word_count, 0, (word_count - set->word_count) * sizeof *words);
    set->words = words;
    set->word_count = word_count;
    return 0;
}

int index_set_add(struct index_set *set, unsigned index) {
    if (index >= INDEX_LIMIT) {
        return -ERANGE;
    }
    int result = index_set_reserve(set, index / 64 + 1);
    if (result == 0) {
        set->words[index / 64] |= UINT64_C(1) << (index % 64);
    }
    return result;
}

void index_set_clear(struct index_set *set) {
    if (set->word_count > 0) {
        memset(set->words, 0, set->word_count * sizeof *set->words);
    }
}

int index_set_or(struct index_set *target, const struct index_set *source) {
    size_t used = index_set_used_words(source);
    int result = index_set_reserve(target, used);
    if (result == 0) {
        for (size_t i = 0; i < used; i++) {
            target->words[i] |= source->words[i];
        }
    }
    return result;
}

int index_set_copy(struct index_set *target, const struct index_set *source) {
    index_set_clear(target);
    return index_set_or(target, source);
}

void index_set_and(struct index_set *target, const struct index_set *source) {
    for (size_t i = 0; i < target->word_count; i++) {
        target->words[i] &= i < source->word_count ? source->words[i] : 0;
    }
}

void index_set_subtract(struct index_set *target, const struct index_set *source) {
    for (size_t i = 0; i < target->word_count && i < source->word_count; i++) {
        target->words[i] &= ~source->words[i];
    }
}

unsigned index_set_common(const struct index_set *left, const struct index_set *right) {
    unsigned count = 0;
    for (size_t i = 0; i < left->word_count && i < right->word_count; i++) {
        count += (unsigned)__builtin_popcountll(left->words[i] & right->words[i]);
    }
    return count;
}

bool index_set_is_inside(const struct index_set *inner, const struct index_set *outer) {
    return index_set_common(inner, outer) == index_set_count(inner);
}

bool index_set_contains(const struct index_set *set, unsigned index) {
    return index / 64 < set->word_count && (set->words[index / 64] >> (index % 64) & 1) != 0;
}

size_t index_set_used_words(const struct index_set *set) {
    size_t used = set->word_count;
    while (used > 0 && set->words[used - 1] == 0) {
        used--;
    }
    return used;
}

bool index_set_is_empty(const struct index_set *set) {
    return index_set_used_words(set) == 0;
}

bool index_set_equals(const struct index_set *left, const struct index_set *right) {
    size_t used = index_set_used_words(left);
    return used == index_set_used_words(right) &&
           (used == 0 || memcmp(left->words, right->words, used * sizeof *left->words) == 0);
}

unsigned index_set_count(const struct index_set *set) {
    unsigned count = 0;
    for (size_t i = 0; i < set->word_count; i++) {
        count += (unsigned)__builtin_popcountll(set->words[i]);
    }
    return count;
}

int index_set_next(const struct index_set *set, unsigned from) {
    for (size_t i = from / 64; i < set->word_count; i++) {
        uint64_t word = set->words[i];
        if (i == from / 64) {
            word &= ~UINT64_C(0) << (from % 64);
        }
        if (word != 0) {
            return (int)(i * 64) + __builtin_ctzll(word);
        }
    }
    return -1;
}

/* A list of which all ranges together are wider than this names its numbers again and again. */
enum { PARSED_WORD_LIMIT = 1 << 22 };

struct parsing {
    const char *end;
    unsigned limit;
    size_t words; /* that were written so far */
};

/* Reads a decimal number; returns the position behind it, or NULL when there is none or it is
 * out of range. */
static const char *parse_index(
        const struct parsing *parsing, const char *position, unsigned *index) {
    unsigned value = 0;
    const char *start = position;
    while (position < parsing->end && *position >= '0' && *position <= '9') {
        value = value * 10 + (unsigned)(*position - '0');
        if (value >= parsing->limit) {
            return NULL;
        }
        position++;
    }
    *index = value;
    return position == start ? NULL : position;
}

static void add_range(struct index_set *set, unsigned first, unsigned last) {
    for (size_t i = first / 64; i <= last / 64; i++) {
        uint64_t word = UINT64_MAX;
        if (i == first / 64) {
            word &= UINT64_MAX << (first % 64);
        }
        if (i == last / 64) {
            word &= UINT64_MAX >> (63 - last % 64);
        }
        set->words[i] |= word;
    }
}

static const char *parse_range(
        struct parsing *parsing, struct index_set *set, const char *position) {
    unsigned first;
    unsigned last;
    position = parse_index(parsing, position, &first);
    if (position == NULL) {
        return NULL;
    }
    last = first;
    if (position < parsing->end && *position == '-') {
        position = parse_index(parsing, position + 1, &last);
        if (position == NULL || last < first) {
            return NULL;
        }
    }
    parsing->words += last / 64 - first / 64 + 1;
    if (parsing->words > PARSED_WORD_LIMIT || index_set_reserve(set, last / 64 + 1) < 0) {
        return NULL;
    }
    add_range(set, first, last);
    return position;
}

int index_set_parse_below(struct index_set *set, unsigned limit, const char *text, size_t length,
        struct error_text *error) {
    struct parsing parsing = {.end = text + length, .limit = limit};
    const char *position = text;
    index_set_clear(set);
    while (length > 0) {
        const char *range = position;
        position = parse_range(&parsing, set, position);
        if (position == parsing.end) {
            return 0;
        }
        if (position == NULL || *position != ',') {
            index_set_clear(set);
            return error_set(error, EINVAL,
                    "'%.*s' is not a list of numbers below %u such as 0-3,8 (at '%.*s')",
                    (int)(length < 80 ? length : 80), text, limit,
                    (int)(parsing.end - range < 20 ? parsing.end - range : 20), range);
        }
        position++;
    }
    return 0;
}

int index_set_parse(
        struct index_set *set, const char *text, size_t length, struct error_text *error) {
    return index_set_parse_below(set, INDEX_LIMIT, text, length, error);
}

const char *index_set_format(const struct index_set *set, char *buffer, size_t size) {
    size_t length = 0;
    buffer[0] = '\0';
    for (int first = index_set_next(set, 0); first >= 0;) {
        int last = first;
        while (index_set_contains(set, (unsigned)last + 1)) {
            last++;
        }
        char range[32];
        int range_length = snprintf(range, sizeof range, first == last ? "%s%d" : "%s%d-%d",
                length == 0 ? "" : ",", first, last);
        /* Four bytes stay free for the "..." of a list that is cut. */
        if (length + (size_t)range_length + 4 > size) {
            snprintf(buffer + length, size - length, "...");
            break;
        }
        memcpy(buffer + length, range, (size_t)range_length + 1);
        length += (size_t)range_length;
        first = index_set_next(set, (unsigned)last + 1);
    }
    return buffer;
}

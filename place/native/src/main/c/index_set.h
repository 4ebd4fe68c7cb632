/*
 * A set of CPU or memory-node numbers, of any size up to INDEX_LIMIT.
 *
 * The words are what the kernel's affinity and memory policy calls take: bit i of word i/64.
 * glibc's cpu_set_t stops at 1024 CPUs, so it is not used.
 * List form, as in /sys/devices/system/cpu/online: "0-3,8"; the empty text is the empty set.
 * See https://docs.kernel.org/core-api/kernel-api.html#bitmap-operations (bitmap_parselist).
 */
#ifndef BERTH_INDEX_SET_H
#define BERTH_INDEX_SET_H

#include "error_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Above any kernel (8192 CPUs, 1024 nodes) and any plan (five digits); keeps a hostile list from
 * taking memory. */
#define INDEX_LIMIT 131072u
#define INDEX_WORD_LIMIT (INDEX_LIMIT / 64)

/* All zero bytes is a valid empty set. Owned by its holder, who calls index_set_free. */
struct index_set {
    uint64_t *words;
    size_t word_count;
};

void index_set_free(struct index_set *set);

/* Makes room for at least word_count words (zero where new). 0 or -ENOMEM. */
int index_set_reserve(struct index_set *set, size_t word_count);

/* 0, -ERANGE when index >= INDEX_LIMIT, -ENOMEM. */
int index_set_add(struct index_set *set, unsigned index);

void index_set_clear(struct index_set *set);
int index_set_copy(struct index_set *target, const struct index_set *source);
int index_set_or(struct index_set *target, const struct index_set *source);
void index_set_and(struct index_set *target, const struct index_set *source);
void index_set_subtract(struct index_set *target, const struct index_set *source);

/* How many indexes are in both. */
unsigned index_set_common(const struct index_set *left, const struct index_set *right);

/* Whether all of the first set is in the second one. */
bool index_set_is_inside(const struct index_set *inner, const struct index_set *outer);

bool index_set_contains(const struct index_set *set, unsigned index);
bool index_set_is_empty(const struct index_set *set);
bool index_set_equals(const struct index_set *left, const struct index_set *right);
unsigned index_set_count(const struct index_set *set);

/* The lowest index that is >= from, or -1. */
int index_set_next(const struct index_set *set, unsigned from);

/* Words up to the last one that is not zero. */
size_t index_set_used_words(const struct index_set *set);

/* Replaces the set's content. On failure (-EINVAL, -ENOMEM) the set is empty. A list that names the
 * same numbers again and again is refused, for its cost is that of all its ranges together. */
int index_set_parse(
        struct index_set *set, const char *text, size_t length, struct error_text *error);

/* The same, for numbers below another limit. */
int index_set_parse_below(struct index_set *set, unsigned limit, const char *text, size_t length,
        struct error_text *error);

/* Writes the list form, always terminated; cut with "..." when the buffer is too small. */
const char *index_set_format(const struct index_set *set, char *buffer, size_t size);

#endif

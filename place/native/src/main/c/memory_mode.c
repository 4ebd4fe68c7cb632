#include "memory_mode.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static const char *const memory_words[] = {
        "local", "bind", "prefer", "interleave", "weighted", "bind-balance", "prefer-balance"};

static bool is(const char *text, size_t length, const char *word) {
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

int memory_mode_parse(const char *word, size_t length) {
    for (size_t i = 0; i < sizeof memory_words / sizeof *memory_words; i++) {
        if (is(word, length, memory_words[i])) {
            return (int)i;
        }
    }
    return is(word, length, "preferred-many") ? MEMORY_PREFER : -EINVAL;
}

const char *memory_mode_word(enum memory_mode mode) {
    return memory_words[mode];
}

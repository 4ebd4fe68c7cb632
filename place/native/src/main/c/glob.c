#include "glob.h"

#include <stddef.h>

static const char *next_character(const char *text) {
    text++;
    while (((unsigned char)*text & 0xC0) == 0x80) {
        text++;
    }
    return text;
}

bool glob_matches(const char *glob, const char *name) {
    const char *star = NULL;
    const char *star_name = NULL;
    /* Only the last star need be taken back: an earlier one that took more could not match more.
     * So the time is at most |glob| * |name|. */
    while (*name != '\0') {
        if (*glob == '*') {
            star = ++glob;
            star_name = name;
        } else if (*glob == '?') {
            glob++;
            name = next_character(name);
        } else if (*glob == *name) {
            glob++;
            name++;
        } else if (star != NULL) {
            glob = star;
            star_name = next_character(star_name);
            name = star_name;
        } else {
            return false;
        }
    }
    while (*glob == '*') {
        glob++;
    }
    return *glob == '\0';
}

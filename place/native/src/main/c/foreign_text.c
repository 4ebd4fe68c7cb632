#include "foreign_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static bool is_between(uint32_t point, uint32_t first, uint32_t last) {
    return point >= first && point <= last;
}

static bool is_obeyed(uint32_t point) {
    return point < 0x20 || is_between(point, 0x7F, 0x9F) || point == 0x61C ||
           is_between(point, 0x200E, 0x200F) || is_between(point, 0x2028, 0x202E) ||
           is_between(point, 0x2066, 0x2069) || is_between(point, 0xD800, 0xDFFF);
}

/* The bytes of the character that begins here, also of a half of a pair; 0 when it is none. The
 * terminator ends each character that is cut. */
static unsigned decode(const unsigned char *text, uint32_t *point) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned length = text[0] < 0x80                    ? 1
                      : is_between(text[0], 0xC0, 0xDF) ? 2
                      : is_between(text[0], 0xE0, 0xEF) ? 3
                      : is_between(text[0], 0xF0, 0xF7) ? 4
                                                        : 0;
    *point = length < 2 ? text[0] : text[0] & (0x7Fu >> length);
    for (unsigned i = 1; i < length; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            return 0;
        }
        *point = *point << 6 | (text[i] & 0x3Fu);
    }
    return length > 0 && *point >= least[length] && *point <= 0x10FFFF ? length : 0;
}

size_t foreign_text_utf8(const char *text, size_t length) {
    size_t valid = 0;
    while (valid < length) {
        uint32_t point;
        unsigned bytes = decode((const unsigned char *)text + valid, &point);
        if (bytes == 0 || bytes > length - valid || point == 0 ||
                is_between(point, 0xD800, 0xDFFF)) {
            break;
        }
        valid += bytes;
    }
    return valid;
}

/* What a JVM makes of a character beyond U+FFFF: the bytes of both halves, or 0. */
static unsigned decode_pair(const unsigned char *text, uint32_t *point) {
    uint32_t high;
    uint32_t low;
    if (decode(text, &high) != 3 || !is_between(high, 0xD800, 0xDBFF) ||
            decode(text + 3, &low) != 3 || !is_between(low, 0xDC00, 0xDFFF)) {
        return 0;
    }
    *point = 0x10000 + ((high & 0x3FF) << 10 | (low & 0x3FF));
    return 6;
}

char *foreign_text_clean(char *text) {
    const unsigned char *from = (const unsigned char *)text;
    char *to = text;
    while (*from != '\0') {
        uint32_t point;
        unsigned length = decode_pair(from, &point);
        if (length > 0) {
            *to++ = (char)(0xF0 | point >> 18);
            *to++ = (char)(0x80 | (point >> 12 & 0x3F));
            *to++ = (char)(0x80 | (point >> 6 & 0x3F));
            *to++ = (char)(0x80 | (point & 0x3F));
        } else {
            length = decode(from, &point);
            if (length == 0 || is_obeyed(point)) {
                *to++ = '?';
                length = length == 0 ? 1 : length;
            } else {
                memmove(to, from, length);
                to += length;
            }
        }
        from += length;
    }
    *to = '\0';
    return text;
}

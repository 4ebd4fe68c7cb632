/*
 * Text of other users and programs: names of threads and leases, paths, command lines. The same as
 * org.berth.text.ForeignText does for Java, for bytes that should be UTF-8.
 */
#ifndef BERTH_FOREIGN_TEXT_H
#define BERTH_FOREIGN_TEXT_H

#include <stddef.h>

/*
 * Leaves one line, in place, without what a terminal, a log or a page would obey: control
 * characters (also those of eight bits), separators of lines, characters that turn the direction of
 * text, and halves of pairs each become a question mark, as does each byte that is no UTF-8. A JVM
 * gives a character beyond U+FFFF as a pair of three bytes each, which becomes its four bytes.
 * Never longer than before. Returns the text.
 */
char *foreign_text_clean(char *text);

/* Number of bytes at the beginning that are UTF-8 without a zero byte. The text ends with a zero
 * byte behind its length. */
size_t foreign_text_utf8(const char *text, size_t length);

#endif

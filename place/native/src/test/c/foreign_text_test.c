/* The cases of ForeignTextTest, all characters, and bytes at random. */
#include "error_text.h"
#include "foreign_text.h"
#include "lease.h"
#include "runner.h"

#include <locale.h>
#include <stdint.h>
#include <unistd.h>
#include <wchar.h>

enum { RANDOM_TEXTS = 20000, LONGEST = 40 };

static void check(const char *hostile, const char *expected) {
    /* Of its own size, so that a read beyond it is found. */
    char *text = strdup(hostile);
    CHECK_TEXT(foreign_text_clean(text), expected);
    free(text);
}

TEST(nothing_that_a_terminal_obeys_is_left) {
    check("\033]0;title\007", "?]0;title?");
    check("\033]52;c;eA==\007", "?]52;c;eA==?");
    check("\xC2\x9B"
          "2J",
            "?2J");
    check("a\nb", "a?b");
    check("a\rb", "a?b");
    check("a\xE2\x80\xA8"
          "b",
            "a?b");
    check("a\xE2\x80\xA9"
          "b",
            "a?b");
    check("\xE2\x80\xAEgpj.exe", "?gpj.exe");
    check("\xE2\x81\xA6x", "?x");
    check("\xD8\x9C\xE2\x80\x8E\xE2\x80\x8F", "???");
    check("x\xED\xA0\x80", "x?");
    check("\x7F", "?");
}

TEST(other_text_stays) {
    check("", "");
    check("worker-1", "worker-1");
    check("Gr\xC3\xBC\xC3\x9F"
          "e",
            "Gr\xC3\xBC\xC3\x9F"
            "e");
    check("\xF0\x9F\x9A\x80", "\xF0\x9F\x9A\x80");
    check("[G1] #3 %d", "[G1] #3 %d");
}

/* As JVMTI gives it. */
TEST(a_pair_of_a_jvm_is_one_character) {
    check("a\xED\xA0\xBD\xED\xBA\x80 b", "a\xF0\x9F\x9A\x80 b");
    check("\xED\xBA\x80\xED\xA0\xBD", "??");
    check("\xED\xA0\xBD\xED\xA0\xBD\xED\xBA\x80", "?\xF0\x9F\x9A\x80");
}

TEST(bytes_that_are_no_characters_are_marked) {
    check("\x9B"
          "31m",
            "?31m");
    check("\xC0\x80", "??");
    check("\xC0\xAF", "??");
    check("\xE0\x80\x8A", "???");
    check("\xF0\x80\x80\x8A", "????");
    check("\xF4\x90\x80\x80", "????");
    check("\xF8\x88\x80\x80\x80", "?????");
    check("\xFF\xFE", "??");
    /* Cut, as by a buffer. */
    check("ab\xE2\x80", "ab??");
    check("ab\xF0\x9F\x9A", "ab???");
    check("\xC3", "?");
    check("\xC3(", "?(");
    check("\xED\xA0\xBD\xED\xBA", "???");
}

/* By the C library, which knows the characters by itself. */
TEST(each_character_stays_or_is_marked) {
    static const uint32_t obeyed[][2] = {{1, 0x1F}, {0x7F, 0x9F}, {0x61C, 0x61C}, {0x200E, 0x200F},
            {0x2028, 0x202E}, {0x2066, 0x2069}};
    mbstate_t state = {0};
    if (setlocale(LC_CTYPE, "C.UTF-8") == NULL) {
        printf("skip: no locale C.UTF-8\n");
        return;
    }
    for (uint32_t point = 1; point <= 0x10FFFF; point++) {
        char text[16];
        char expected[16];
        size_t length = wcrtomb(text, (wchar_t)point, &state);
        if (length == (size_t)-1) {
            /* Halves of pairs. */
            CHECK(point >= 0xD800 && point <= 0xDFFF);
            memset(&state, 0, sizeof state);
            continue;
        }
        text[length] = '\0';
        memcpy(expected, text, length + 1);
        for (size_t i = 0; i < sizeof obeyed / sizeof *obeyed; i++) {
            if (point >= obeyed[i][0] && point <= obeyed[i][1]) {
                memcpy(expected, "?", 2);
            }
        }
        CHECK_TEXT(foreign_text_clean(text), expected);
    }
}

TEST(bytes_at_random_become_text) {
    wchar_t wide[LONGEST + 1];
    srand(runner_seed());
    if (setlocale(LC_CTYPE, "C.UTF-8") == NULL) {
        printf("skip: no locale C.UTF-8\n");
        return;
    }
    for (int i = 0; i < RANDOM_TEXTS; i++) {
        size_t length = (size_t)rand() % LONGEST;
        char *text = malloc(length + 1);
        for (size_t k = 0; k < length; k++) {
            /* Mostly the beginnings and middles of characters. */
            text[k] = (char)(rand() % 4 == 0 ? 1 + rand() % 255 : 0x80 + rand() % 0x80);
        }
        text[length] = '\0';
        CHECK(strlen(foreign_text_clean(text)) <= length);
        size_t count = mbstowcs(wide, text, LONGEST + 1);
        CHECK(count <= length);
        for (size_t k = 0; k < count && count <= length; k++) {
            CHECK(wide[k] >= 0x20 && !(wide[k] >= 0x7F && wide[k] <= 0x9F));
        }
        char *once = strdup(text);
        CHECK_TEXT(foreign_text_clean(text), once);
        free(once);
        free(text);
    }
}

TEST(messages_are_clean) {
    struct error_text error;
    char line[256] = "";
    int ends[2];
    CHECK_INT(error_set(&error, 5, "%s", "a\xC2\x9B\n\xE2\x80\xAE"), -5);
    CHECK_TEXT(error.text, "a???");
    CHECK_INT(error_set_system(&error, 2, "%s", "a\xC2\x9B"), -2);
    CHECK_TEXT(error.text, "a?: No such file or directory");
    int former = dup(STDERR_FILENO);
    CHECK_INT(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    message_print("%s", "a\xC2\x9B\xE2\x80\xAE\nb");
    dup2(former, STDERR_FILENO);
    CHECK(read(ends[0], line, sizeof line - 1) > 0);
    CHECK_TEXT(line, "berth: a???b\n");
    close(ends[0]);
    close(ends[1]);
    close(former);
}

TEST(names_in_leases_are_clean) {
    struct lease lease;
    CHECK_INT(lease_read(&lease, "berth-lease 1\npid 1\nstart 1\npid-namespace 1\nuser 0\ncpus 0\n"
                                 "nodes 0\nexclusive no\nsince 1\ndomain d\xC2\x9B\n"
                                 "name \xE2\x80\xAEn\n"),
            0);
    CHECK_TEXT(lease.domain, "d?");
    CHECK_TEXT(lease.name, "?n");
    lease_free(&lease);
}

int main(void) {
    RUN(nothing_that_a_terminal_obeys_is_left);
    RUN(other_text_stays);
    RUN(a_pair_of_a_jvm_is_one_character);
    RUN(bytes_that_are_no_characters_are_marked);
    RUN(each_character_stays_or_is_marked);
    RUN(bytes_at_random_become_text);
    RUN(messages_are_clean);
    RUN(names_in_leases_are_clean);
    return runner_result();
}

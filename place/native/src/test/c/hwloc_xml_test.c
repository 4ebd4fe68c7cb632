#include "hwloc_xml.h"

#include "runner.h"

/* The copy that the library is packed with; argument of this program. */
static const char *library;

static struct hwloc_answer ask(const char *description, const char *filters, const char *without) {
    struct hwloc_wish wish = {
            .library = library,
            .filters = filters,
            .without = without,
            .hidden = "HWLOC_XMLFILE\nHWLOC_SYNTHETIC",
            .description = description,
    };
    struct hwloc_answer answer;
    hwloc_xml_read(&wish, &answer);
    return answer;
}

TEST(a_missing_library_is_told_and_a_later_one_serves) {
    struct hwloc_wish wish = {
            .library = "/nonexistent/libhwloc.so", .filters = "", .without = "", .hidden = ""};
    struct hwloc_answer answer;
    hwloc_xml_read(&wish, &answer);
    CHECK_INT(answer.outcome, HWLOC_NO_LIBRARY);
    CHECK(answer.text != NULL && strstr(answer.text, "/nonexistent/libhwloc.so") != NULL);
    free(answer.text);
    char reason[64];
    CHECK(hwloc_xml_version("/nonexistent", reason, sizeof reason) < 0);
    CHECK(hwloc_xml_version(library, reason, sizeof reason) >= 0x20800);
}

TEST(a_description_becomes_xml) {
    struct hwloc_answer answer = ask("pack:2 core:3 pu:1", "", "");
    CHECK_INT(answer.outcome, HWLOC_OTHER_MACHINE);
    CHECK_INT(strlen(answer.text), answer.length);
    CHECK(strstr(answer.text, "type=\"Package\"") != NULL);
    free(answer.text);
}

TEST(filters_go_by_the_names_of_types) {
    struct hwloc_answer answer = ask("pack:2 core:3 pu:1", "Core 1\nNone 3\nnonsense", "");
    CHECK_INT(answer.outcome, HWLOC_OTHER_MACHINE);
    CHECK(strstr(answer.text, "type=\"Core\"") == NULL);
    CHECK(strstr(answer.text, "type=\"PU\"") != NULL);
    free(answer.text);
}

TEST(what_hwloc_does_not_know_has_its_own_outcome) {
    struct hwloc_answer answer = ask("no machine", "", "");
    CHECK_INT(answer.outcome, HWLOC_NOT_UNDERSTOOD);
    free(answer.text);
    answer = ask(NULL, "", "x86\nno-component");
    CHECK_INT(answer.outcome, HWLOC_NO_COMPONENT);
    CHECK_TEXT(answer.text, "no-component");
    free(answer.text);
}

TEST(hidden_variables_are_hidden_and_come_back) {
    setenv("HWLOC_SYNTHETIC", "pack:7 core:1 pu:1", 1);
    struct hwloc_answer answer = ask(NULL, "", "");
    CHECK_INT(answer.outcome, HWLOC_THIS_MACHINE);
    CHECK_TEXT(getenv("HWLOC_SYNTHETIC"), "pack:7 core:1 pu:1");
    free(answer.text);
    unsetenv("HWLOC_SYNTHETIC");
}

int main(int count, char **arguments) {
    if (count < 2) {
        printf("skipped: no library of hwloc is named\n");
        return 77;
    }
    library = arguments[1];
    RUN(a_missing_library_is_told_and_a_later_one_serves);
    RUN(a_description_becomes_xml);
    RUN(filters_go_by_the_names_of_types);
    RUN(what_hwloc_does_not_know_has_its_own_outcome);
    RUN(hidden_variables_are_hidden_and_come_back);
    return runner_result();
}

#include "launch_words.h"

#include "runner.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

TEST(arguments_that_vanish_when_read_are_found) {
    char pipe_argument[64];
    char file_argument[64];
    int ends[2];
    CHECK_INT(pipe(ends), 0);
    FILE *file = tmpfile();
    snprintf(pipe_argument, sizeof pipe_argument, "@/dev/fd/%d", ends[0]);
    snprintf(file_argument, sizeof file_argument, "@/proc/self/fd/%d", fileno(file));
    CHECK(launch_word_reads_once(pipe_argument));
    CHECK(!launch_word_reads_once(file_argument));
    close(ends[0]);
    close(ends[1]);
    fclose(file);
    /* The launcher has closed it: gone for good. */
    CHECK(launch_word_reads_once(pipe_argument));
    CHECK(launch_word_reads_once("-XX:VMOptionsFile=/dev/fd/63"));
    CHECK(launch_word_reads_once("-agentpath:/x/libberth.so=plan=/proc/self/fd/63,worker=1"));
    CHECK(launch_word_reads_once("@/dev/null"));
    CHECK(!launch_word_reads_once("@/etc/passwd"));
    CHECK(!launch_word_reads_once("@no such file"));
    CHECK(!launch_word_reads_once("@@/dev/fd/63"));
    CHECK(!launch_word_reads_once("@"));
    CHECK(!launch_word_reads_once("/dev/fd/63"));
    CHECK(!launch_word_reads_once("-Dx=/dev/fdx"));
    CHECK(!launch_word_reads_once(""));
}

TEST(a_fifo_as_argument_file_is_found) {
    char directory[] = "/tmp/berth-test-XXXXXX";
    char argument[64];
    CHECK(mkdtemp(directory) != NULL);
    snprintf(argument, sizeof argument, "@%s/fifo", directory);
    CHECK_INT(mkfifo(argument + 1, 0600), 0);
    CHECK(launch_word_reads_once(argument));
    unlink(argument + 1);
    rmdir(directory);
}

static int check(char *tool_options, char *java_options, char *const *arguments) {
    struct error_text reason = {""};
    setenv("JAVA_TOOL_OPTIONS", tool_options, 1);
    setenv("JDK_JAVA_OPTIONS", java_options, 1);
    unsetenv("_JAVA_OPTIONS");
    int result = launch_words_check(arguments, &reason);
    unsetenv("JAVA_TOOL_OPTIONS");
    unsetenv("JDK_JAVA_OPTIONS");
    return result;
}

#define COMMAND(...) ((char *[]){"java", __VA_ARGS__, NULL})

TEST(words_of_variables_are_split_as_the_jvm_does) {
    char text[] = "  -Da=b  \"-Dx=a b\"c '@\"/p q\"'\t\"\" last";
    char *rest = text;
    CHECK_TEXT(launch_word_next(&rest), "-Da=b");
    CHECK_TEXT(launch_word_next(&rest), "-Dx=a bc");
    CHECK_TEXT(launch_word_next(&rest), "@\"/p q\"");
    CHECK_TEXT(launch_word_next(&rest), "");
    CHECK_TEXT(launch_word_next(&rest), "last");
    CHECK(launch_word_next(&rest) == NULL);
    CHECK(launch_word_next(&rest) == NULL);
}

TEST(quotes_do_not_hide_a_pipe) {
    char directory[] = "/tmp/berth-test-XXXXXX";
    char word[64];
    CHECK(mkdtemp(directory) != NULL);
    snprintf(word, sizeof word, "@\"%s/fifo\"", directory);
    char path[64];
    snprintf(path, sizeof path, "%s/fifo", directory);
    CHECK_INT(mkfifo(path, 0600), 0);
    CHECK_INT(check("", word, COMMAND("Main")), -ESPIPE);
    unlink(path);
    rmdir(directory);
}

TEST(an_argument_file_that_is_gone_was_read_once) {
    CHECK_INT(check("", "", COMMAND("-Xmx1g", "@/nowhere/x", "Main")), -ESPIPE);
    CHECK_INT(check("", "", COMMAND("-cp", "x", "@/nowhere/x")), -ESPIPE);
    CHECK_INT(check("", "-Da=b @/nowhere/x", COMMAND("Main")), -ESPIPE);
    /* A word of the program, or of the variable that knows no argument files. */
    CHECK_INT(check("", "", COMMAND("-cp", "x", "Main", "@/nowhere/x")), 0);
    CHECK_INT(check("", "", COMMAND("-jar", "x.jar", "@/nowhere/x")), 0);
    CHECK_INT(check("", "", COMMAND("-m", "module", "@/nowhere/x")), 0);
    CHECK_INT(check("", "", COMMAND("--module=module", "@/nowhere/x")), 0);
    CHECK_INT(check("", "", COMMAND("--add-opens", "a/b=c", "Main", "@home")), 0);
    CHECK_INT(check("@/nowhere/x", "", COMMAND("Main")), 0);
}

TEST(an_agent_in_front_has_run_already) {
    char ours[] = "-agentpath:/x/libberth-1a2b.so=cpus=0";
    char other[] = "-agentpath:/x/libport.so=1";
    CHECK_INT(check("", "", COMMAND(other, ours, "Main")), -EBUSY);
    CHECK_INT(check("", "", COMMAND(ours, other, "Main")), 0);
    CHECK_INT(check(other, "", COMMAND(ours, "Main")), -EBUSY);
    CHECK_INT(check(ours, "", COMMAND(other, "Main")), 0);
    CHECK_INT(check("", other, COMMAND(ours, "Main")), -EBUSY);
    CHECK_INT(check(ours, other, COMMAND("Main")), 0);
    CHECK_INT(
            check("", "", COMMAND("-agentlib:profiler", "-agentlib:berth=cpus=0", "Main")), -EBUSY);
    /* These wait until the JVM has started. */
    CHECK_INT(check("-agentlib:jdwp=server=y", "", COMMAND("-javaagent:x.jar", ours, "Main")), 0);
    CHECK_INT(check("-agentlib:jdwp", "", COMMAND(ours, "Main")), 0);
    CHECK_INT(check("-agentlib:jdwpx", "", COMMAND(ours, "Main")), -EBUSY);
    /* Not of this JVM. */
    CHECK_INT(check("", "", COMMAND("Main", other, ours)), 0);
    setenv("_JAVA_OPTIONS", ours, 1);
    struct error_text reason = {""};
    CHECK_INT(launch_words_check(COMMAND(other, "Main"), &reason), -EBUSY);
    CHECK(strstr(reason.text, "the agent /x/libport.so stands before it") != NULL);
    unsetenv("_JAVA_OPTIONS");
}

int main(void) {
    RUN(arguments_that_vanish_when_read_are_found);
    RUN(a_fifo_as_argument_file_is_found);
    RUN(words_of_variables_are_split_as_the_jvm_does);
    RUN(quotes_do_not_hide_a_pipe);
    RUN(an_argument_file_that_is_gone_was_read_once);
    RUN(an_agent_in_front_has_run_already);
    return runner_result();
}

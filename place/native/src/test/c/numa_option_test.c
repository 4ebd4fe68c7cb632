#include "numa_option.h"

#include "runner.h"

static char *none[] = {NULL};

static bool matters(char *word, char *setting) {
    char *words[] = {"bash", word, NULL};
    char *variables[] = {"HOME=/", setting, NULL};
    return numa_option_matters(words, variables);
}

TEST(options_that_switch_it_on_are_found) {
    CHECK(matters("java -XX:+UseZGC -Xmx4g Main", NULL));
    CHECK(matters("java -XX:+UseShenandoahGC Main", NULL));
    CHECK(matters("-XX:+UseNUMA", NULL));
    CHECK(matters("exec java '-XX:+UseNUMA' -XX:+UseNUMAInterleaving", NULL));
    CHECK(matters("kafka-server-start.sh", "KAFKA_JVM_PERFORMANCE_OPTS=-server -XX:+UseZGC"));
    CHECK(matters("java -XX:+UseZGC", "_JAVA_OPTIONS=-Xmx1g"));
}

TEST(other_commands_are_left_alone) {
    CHECK(!numa_option_matters(none, none));
    CHECK(!matters("java -XX:+UseG1GC Main", "JAVA_TOOL_OPTIONS=-Xmx1g"));
    CHECK(!matters("java -XX:-UseNUMA", NULL));
    CHECK(!matters("java -XX:+UseNUMAInterleaving", NULL));
    CHECK(!matters("java -XX:+UseZGCUncommit", NULL));
}

TEST(a_user_who_decided_is_obeyed) {
    CHECK(!matters("java -XX:+UseZGC", "_JAVA_OPTIONS=-Xmx1g -XX:+UseNUMA"));
    CHECK(!matters("java -XX:+UseZGC", "_JAVA_OPTIONS=-XX:-UseNUMA"));
}

int main(void) {
    RUN(options_that_switch_it_on_are_found);
    RUN(other_commands_are_left_alone);
    RUN(a_user_who_decided_is_obeyed);
    return runner_result();
}

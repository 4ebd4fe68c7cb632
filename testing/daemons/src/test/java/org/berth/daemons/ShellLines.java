package org.berth.daemons;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;

/**
 * Lines for hadoop-env.sh or yarn-env.sh, read by a real bash, as Hadoop's scripts do.
 *
 * @param text as a page has them
 */
record ShellLines(String text) {
    /** The words that hadoop_java_exec gives to a daemon's JVM: it does not quote the variable. */
    List<String> words(String variable) throws IOException, InterruptedException {
        return lines("", variable);
    }

    /** The parts that hadoop_add_to_classpath_userpath finds between colons: not quoted either, so that patterns are files. */
    List<String> parts(String variable) throws IOException, InterruptedException {
        return lines("IFS=:\n", variable);
    }

    private List<String> lines(String before, String variable) throws IOException, InterruptedException {
        Command bash = Command.run(List.of("bash", "-e", "-c", text + before + "printf '%s\\n' $" + variable));
        assertThat(bash.exitCode()).as(bash.out()).isZero();
        return bash.out().lines().toList();
    }
}

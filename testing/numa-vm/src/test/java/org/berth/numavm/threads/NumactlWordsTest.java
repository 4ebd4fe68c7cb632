package org.berth.numavm.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.berth.numavm.Guest;
import org.berth.numavm.GuestJava;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The words of numactl's manual page: {@code berth run} gives a program the same mask and memory policy, as the kernel has them. */
@Tag(Guest.TAG)
@Tag("numactl")
class NumactlWordsTest {
    private static final String SHOW =
            "grep Cpus_allowed_list /proc/self/status; head -n 1 /proc/self/numa_maps | cut -d' ' -f2";

    /** Each start takes seconds under emulation: before a release all, otherwise each form once. */
    static Stream<String> options() {
        return Stream.concat(
                Stream.of("-N 1 -m 0", "--preferred=!0 -C +0-1"),
                Stream.of(
                                "--cpunodebind=!0 -i all",
                                "-N +1 -m !0",
                                "--preferred=+0 -C +0-1",
                                "-N 0 -m 0",
                                "--cpunodebind=1 --membind=1",
                                "-m 0-1",
                                "--interleave=0,1",
                                "-p 1",
                                "-C !0",
                                "--physcpubind=0,1 -m 1",
                                "-N all -m same")
                        .filter(options -> Guest.isThorough()));
    }

    @ParameterizedTest
    @MethodSource("options")
    void runDoesWhatNumactlDoes(String options) {
        assumeTrue(Guest.topology().nodeSet().size() > 1, "one memory node");
        List<String> words = List.of(options.split(" ", 0));
        assertThat(berth(words)).isEqualTo(numactl(words));
    }

    private static String numactl(List<String> words) {
        List<String> command = new ArrayList<>(List.of("numactl"));
        command.addAll(words);
        command.addAll(List.of("sh", "-c", SHOW));
        return Tool.output(command.toArray(String[]::new)).strip();
    }

    private static String berth(List<String> words) {
        // The script becomes the command, which is not here: the line of a dry run does the same.
        List<String> command = new ArrayList<>(List.of("run", "--dry-run", "--quiet"));
        command.addAll(words);
        command.addAll(List.of("--", "sh", "-c", SHOW));
        List<String> lines =
                GuestJava.berth(0, command.toArray(String[]::new)).lines().toList();
        return Tool.output("sh", "-c", "exec " + lines.get(lines.size() - 1)).strip();
    }
}

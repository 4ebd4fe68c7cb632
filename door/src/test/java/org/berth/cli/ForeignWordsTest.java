package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.berth.cli.shared.ForeignWords;
import org.berth.oracle.Child.Result;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Words of numactl, taskset, hwloc, numastat, likwid and hyperfine: one line with the line of Berth. */
@Tag("one-jdk")
final class ForeignWordsTest {
    static Stream<Arguments> words() {
        return ForeignWords.TABLE.stream()
                .flatMap(row ->
                        row.words().stream().filter(word -> !isKnown(row, word)).map(word -> Arguments.of(row, word)));
    }

    /** Once Berth itself knows a word after this command, it needs no line. */
    private static boolean isKnown(ForeignWords.Row row, String word) {
        CommandLine berth = Main.commandLine();
        CommandLine command = row.command().isEmpty()
                ? berth
                : Objects.requireNonNull(berth.getSubcommands().get(row.command()), row.command());
        boolean cluster = word.matches("-[A-Za-z]{2,}");
        return command.getSubcommands().containsKey(word)
                || command.getCommandSpec().findOption(cluster ? word.substring(0, 2) : word) != null;
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("words")
    void eachWordGetsItsLine(ForeignWords.Row row, String word) {
        Result result =
                row.command().isEmpty() ? CommandLines.run(word, "x") : CommandLines.run(row.command(), word, "x");
        assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
        assertThat(result.err()).hasLineCount(1).contains(" has it, and here it is: berth ");
        // An earlier row may have the same word for every command.
        List<String> lines = ForeignWords.TABLE.stream()
                .filter(other -> other.words().contains(word))
                .map(ForeignWords.Row::line)
                .toList();
        assertThat(lines).anyMatch(result.err()::contains);
        assertThat(result.out()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            --hardware                            | berth topo
            -N 0 -m 0 -- true                     | berth run -N 0 -m 0 -- COMMAND
            lstopo --of svg                       | berth topo
            topo --of=svg                         | berth topo --svg FILE
            bind -p 4242                          | berth bind --cpus 0-3 PID
            numastat -p 4242                      | berth status PID
            run --cpus S0:0-3 -- true             | --domain package --select 0
            run --cpus M1:0-3@M0:0-3 -- true      | --domain numa --select 1
            run --cpus N:0-7 -- true              | --cpus +0-7
            run --cpus E:N:8:1:2 -- true          | --domain core:8
            run -c node:1 -- true                 | --domain numa --select 1
            run -c core:0-3 -- true               | --domain core:K
            run -c 0xf3 -- true                   | --cpus 0-1,4-7
            """)
    void whatUsersType(String line, String part) {
        Result result = CommandLines.run(line.split(" +"));
        assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
        assertThat(result.err()).hasLineCount(1).contains(part);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            plan --level cor                         | did you mean 'core'?
            plan --level packge                      | did you mean 'package'?
            plan --level l3-spred                    | did you mean 'spread'?
            plan --level core --memory interleav     | did you mean 'interleave'?
            plan --policy o2oc --near eth0           | did you mean 'o2ocs'?
            plan --level socket                      | here 'socket' is 'package'
            run --domain nuam -- true                | did you mean 'numa'?
            run --domain packages -- true            | did you mean 'package'?
            run --level pu --preset kafak -- true    | did you mean 'kafka'?
            split --into pakage -- true              | did you mean 'package'?
            conf spark --manager yran                | did you mean 'yarn'?
            bench kmean                              | did you mean 'kmeans'?
            bench upload --policies stok,none        | did you mean 'stock'?
            bench mr-pi --engines local,berht        | did you mean 'berth'?
            bench rpc-latency --ways stcok,tcp       | did you mean 'stock'?
            bench tpch --policies stock,auot         | did you mean 'auto'?
            study afinity                            | did you mean 'affinity'?
            study collectors --gc paralel            | did you mean 'parallel'?
            study affinity --workloads srot          | did you mean 'sort'?
            mapreduce --engine embeded app.jar       | did you mean 'embedded'?
            compare --kernel numa-balncing=1 -- true | did you mean 'numa-balancing'?
            tune --into 2 --jvm-flags gc-thread -- java A | did you mean 'gc-threads'?
            compare --leevls none -- true            | did you mean '--levels'?
            compare --leevls=none -- true            | did you mean '--levels'?
            """)
    void aWordThatIsCloseToAKnownOne(String line, String hint) {
        Result result = CommandLines.run(line.split(" +"));
        assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
        assertThat(result.err()).hasLineCount(1).contains(hint);
    }
}

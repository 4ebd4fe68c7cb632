package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.machines.JsonValues;
import org.berth.machines.Machines;
import org.berth.oracle.Child.Result;
import org.berth.oracle.Machine;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code --json} with and without a file, before and after the operand, for every command. */
@Tag("one-jdk")
@Timeout(240)
class JsonOptionTest {
    @TempDir
    private Path folder;

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            topo --json --input DIR/machine           | berth-topology
            topo --input DIR/machine --json -         | berth-topology
            topo --json --diff DIR/machine DIR/machine | berth-topology-diff
            plan --json --level core                  | berth-plan
            plan --json - --level core                | berth-plan
            plan --policy interrupt --disk cpu:0 --json --busy 0 --topology DIR/machine | berth-dynamic-plan
            conf spark --json --topology DIR/machine  | berth-spark-conf
            conf yarn --json --heap 8g --topology DIR/machine | berth-yarn-conf
            conf hdfs --json --topology DIR/machine | berth-hdfs-conf
            conf kubernetes --json --heap 8g --topology DIR/machine | berth-kubernetes-conf
            leases --json --leases DIR             | berth-leases
            leases --leases DIR --json -           | berth-leases
            irq --json                                | berth-interrupts
            transport devices --json                  | berth-transport-devices
            transport --json - tuning                 | berth-transport-tuning
            bench --json                              | berth-jobs
            bench --json -                            | berth-jobs
            """)
    void isAloneOnStandardOutput(String commandLine, String format) throws Exception {
        Files.writeString(folder.resolve("machine"), machine());
        Result result = CommandLines.run(words(commandLine, ""));
        assertThat(result.err()).isEmpty();
        requireFormat(result.out(), format);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            bind --level none --dry-run --json PID    | berth-bind
            bind --level none --dry-run --json - PID  | berth-bind
            bind --level none PID --dry-run --json    | berth-bind
            unbind --json PID                         | berth-unbind
            status --json PID                         | berth-status
            status PID --json -                       | berth-status
            doctor --json PID                         | berth-doctor
            doctor PID --json -                       | berth-doctor
            """)
    void aNumberIsAProcessAndNoFile(String commandLine, String format) throws Exception {
        try (LiveSubject sleep = LiveSubject.sleep(List.of())) {
            requireFormat(CommandLines.run(words(commandLine, sleep.pidWord())).out(), format);
            assertThat(Path.of(sleep.pidWord())).doesNotExist();
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            status --json FILE PID                    | berth-status | sleep
            doctor --json FILE PID                    | berth-doctor | (process
            doctor --json=FILE PID                    | berth-doctor | (process
            bind --level none --dry-run PID --json FILE | berth-bind | (process
            leases --json FILE --leases DIR        | berth-leases | no leases in
            plan --level core --text --json FILE      | berth-plan   | berth-plan
            """)
    void aFileLeavesStandardOutputToTheText(String commandLine, String format, String text) throws Exception {
        Path file = folder.resolve("out.json");
        try (LiveSubject sleep = LiveSubject.sleep(List.of())) {
            Result result = CommandLines.run(words(commandLine.replace("FILE", file.toString()), sleep.pidWord()));
            assertThat(result.out()).contains(text).doesNotContain("\"format\"");
            requireFormat(Files.readString(file), format);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            watch --json PID --duration 0.2           | berth-watch      | watched for
            watch --duration 0.2 PID --json -         | berth-watch      | watched for
            compare --levels none,core --threads 1 --runs 1 --results DIR/r --json -- true        | berth-comparison | Raw results
            tune --levels none --runs 14 --arm a=A=1 --results DIR/r --json -- true  | berth-tune | Raw results
            """)
    void textGoesToStandardErrorWhereJsonTakesTheOutput(String commandLine, String format, String text)
            throws Exception {
        Machine.requireCpus(2);
        try (LiveSubject sleep = LiveSubject.sleep(List.of())) {
            Result result = CliProcess.run(folder, words(commandLine, sleep.pidWord()));
            assertThat(result.err()).contains(text);
            requireFormat(result.out(), format);
        }
    }

    @Test
    void aFileThatCannotBeWrittenIsRefusedBeforeAnythingChanges() throws Exception {
        try (LiveSubject sleep = LiveSubject.sleep(List.of())) {
            Map<Integer, ?> before = sleep.masks();
            Result result = CommandLines.run(
                    "bind", "--level", "pu", "--threads", "1", "--json", folder + "/none/x.json", sleep.pidWord());
            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.err())
                    .startsWith("berth: cannot write the result '")
                    .hasLineCount(1);
            assertThat(sleep.masks()).isEqualTo(before);
        }
    }

    private String[] words(String commandLine, String pid) {
        return commandLine.replace("DIR", folder.toString()).replace("PID", pid).split(" +");
    }

    private static void requireFormat(String json, String format) {
        assertThat(JsonValues.object(json)).containsEntry("format", format);
        assertThat(((Number) JsonValues.field(JsonValues.object(json), "version")).intValue())
                .isEqualTo(1);
    }

    private static String machine() {
        return Machines.xml("8em64t-2s2ca2c");
    }
}

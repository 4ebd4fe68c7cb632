package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.oracle.Child;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * berth-exec --usage compared with others that account, inside or around it: the shell's own {@code times}, time(1) and
 * perf-stat(1), of the same run. */
@Tag("one-jdk")
@Timeout(120)
class UsageTest {
    /** Busy in the shell, in a child that it waits for, and in a child whose parent ends first. */
    private static final String BUSY = "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done";

    @TempDir
    private Path folder;

    private record Result(int exitCode, String output, String json) {
        long number(String key) {
            Matcher field = Pattern.compile("\"" + key + "\":(\\d+)").matcher(json);
            assertThat(field.find()).as(key + " in " + json).isTrue();
            return Long.parseLong(field.group(1));
        }
    }

    private Result run(List<String> before, String... command) throws Exception {
        Path file = folder.resolve("usage.json");
        List<String> words = new ArrayList<>(before);
        words.addAll(List.of(Built.exec(), "--usage", file.toString(), "--"));
        words.addAll(List.of(command));
        Child.Result result = Child.run(new ProcessBuilder(words).redirectErrorStream(true));
        return new Result(result.exitCode(), result.out(), Files.exists(file) ? Files.readString(file) : "");
    }

    @Test
    void timeAndMemoryAreThoseThatTimeSees() throws Exception {
        String time = Tool.require("time").toString();
        Path oracle = folder.resolve("time.txt");
        Result result = run(
                List.of(time, "-o", oracle.toString(), "-f", "%U %S %M %R %F %w %c"),
                "sh",
                "-c",
                BUSY + "; (" + BUSY + "); tr -d x </dev/zero | head -c 100000000 | sort -S 60M | wc -c");
        assertThat(result.exitCode()).isZero();
        String[] seen = Files.readString(oracle).strip().split(" ", -1);
        // time(1) also sees the helper itself, and rounds to hundredths.
        assertThat(result.number("userMicros") / 1e6).isCloseTo(Double.parseDouble(seen[0]), within(0.05));
        assertThat(result.number("systemMicros") / 1e6).isCloseTo(Double.parseDouble(seen[1]), within(0.05));
        assertThat(result.number("userMicros")).isGreaterThan(200_000);
        assertThat(result.number("peakRssBytes")).isEqualTo(Long.parseLong(seen[2]) * 1024);
        assertThat(result.number("minorFaults")).isBetween(Long.parseLong(seen[3]) - 400, Long.parseLong(seen[3]));
        assertThat(result.number("majorFaults")).isLessThanOrEqualTo(Long.parseLong(seen[4]));
        assertThat(result.number("voluntarySwitches")).isBetween(Long.parseLong(seen[5]) - 20, Long.parseLong(seen[5]));
        assertThat(result.number("involuntarySwitches")).isLessThanOrEqualTo(Long.parseLong(seen[6]));
    }

    /** time(1) would not see this one: its parent ends while it runs, and it ends before the command. */
    @Test
    void orphansAreAccountedFor() throws Exception {
        Path pid = folder.resolve("pid");
        String orphan = "(setsid sh -c 'echo $$ >" + pid + "; " + BUSY + "; echo done' &)";
        // It is gone when it has been accounted for.
        String end =
                "until [ -s " + pid + " ]; do sleep 0.05; done; while kill -0 $(cat " + pid + "); do sleep 0.05; done";
        Result with = run(List.of(), "sh", "-c", orphan + "; " + end + " 2>/dev/null");
        Result without = run(List.of(), "sh", "-c", "sleep 0.1");
        assertThat(with.output()).contains("done");
        assertThat(with.number("userMicros")).isGreaterThan(without.number("userMicros") + 100_000);
    }

    @Test
    void countersAreThoseThatPerfSees() throws Exception {
        Tool.require("perf");
        Path oracle = folder.resolve("perf.txt");
        Result result = run(
                List.of(
                        // Other locales have a comma in numbers.
                        "env",
                        "LC_ALL=C",
                        "perf",
                        "stat",
                        "-x,",
                        "-o",
                        oracle.toString(),
                        "-e",
                        "context-switches,page-faults,task-clock"),
                "sh",
                "-c",
                BUSY + "; for i in 1 2 3 4 5 6 7 8 9; do sleep 0.01; done");
        String perf = Files.readString(oracle);
        assumeThat(perf).doesNotContain("<not");
        // A user without rights gets a part from perf, and nothing from berth-exec, which says so.
        assumeThat(perf).as("perf counts in the kernel too").doesNotContain(":u,");
        double faults = perfCount(perf, "page-faults");
        assertThat((double) result.number("page-faults")).isBetween(faults - 400, faults);
        double switches = perfCount(perf, "context-switches");
        assertThat((double) result.number("context-switches")).isBetween(switches - 30, switches);
        assertThat(result.number("context-switches")).isGreaterThanOrEqualTo(9);
        assertThat(result.number("task-clock") / 1e6)
                .isCloseTo(perfCount(perf, "task-clock"), within(30.0))
                .isGreaterThan(50);
    }

    private static double perfCount(String text, String event) {
        Matcher line = Pattern.compile("(?m)^([0-9.]+),[^,]*," + event).matcher(text);
        assertThat(line.find()).as(text).isTrue();
        return Double.parseDouble(line.group(1));
    }

    @Test
    void whoMayNotCountIsToldWhy() throws Exception {
        Tool.require("setpriv");
        String paranoid = Files.readString(Path.of("/proc/sys/kernel/perf_event_paranoid"))
                .strip();
        assumeThat(Integer.parseInt(paranoid)).isGreaterThan(1);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Result result = run(List.of("setpriv", "--bounding-set=-all", "--inh-caps=-all"), "true");
        assertThat(result.json()).contains("\"context-switches\":\"not permitted; run as root, or lower");
    }

    @Test
    void endsAsTheCommandDoes() throws Exception {
        assertThat(run(List.of(), "sh", "-c", "exit 9").exitCode()).isEqualTo(9);
        assertThat(run(List.of(), "sh", "-c", "kill -9 $$").exitCode()).isEqualTo(137);
        Result missing = run(List.of(), "/nowhere");
        assertThat(missing.exitCode()).isEqualTo(127);
        assertThat(missing.output()).isEqualTo("berth: cannot run /nowhere: No such file or directory\n");
    }

    @Test
    void theRequestToEndReachesTheCommand() throws Exception {
        Path file = folder.resolve("usage.json");
        try (Child child = Child.start(
                Built.exec(),
                "--usage",
                file.toString(),
                "--",
                "sh",
                "-c",
                "trap 'echo asked; exit 4' TERM; echo ready; while :; do sleep 0.05; done")) {
            assertThat(child.readLine()).isEqualTo("ready");
            child.signal("TERM");
            assertThat(child.readLine()).isEqualTo("asked");
            assertThat(child.exitCode()).isEqualTo(4);
        }
        assertThat(Files.readString(file)).startsWith("{\"userMicros\":");
    }

    @Test
    void aFileThatCannotBeWrittenIsToldBeforeTheCommandRuns() {
        assertThat(Child.run(Built.exec(), "--usage", "/nowhere/file", "--", "echo", "ran"))
                .isEqualTo(new Child.Result(
                        1,
                        "",
                        "berth: cannot write what the command takes to /nowhere/file: No such file or directory\n"));
    }
}

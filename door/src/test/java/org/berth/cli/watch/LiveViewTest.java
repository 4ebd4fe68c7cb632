package org.berth.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.berth.binding.discovery.Discovery;
import org.berth.observation.ProcessSample;
import org.berth.observation.ThreadSnapshot;
import org.berth.observation.internal.threads.ThreadNamePattern;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.junit.jupiter.api.Test;

/** The live table on a terminal, of which a small one is here: what the user reads at the end counts. */
final class LiveViewTest {
    private static final int COLUMNS = 60;
    private static final int ROWS = 10;

    private final StringWriter text = new StringWriter();
    private final LiveView view = LiveView.table(new PrintWriter(text), COLUMNS, ROWS);
    private final WatchTarget target = WatchTarget.of(List.of("4711"));

    /** The lines of a terminal after some output, as console_codes(4) says; the cursor begins in the last one. */
    private static List<String> screen(String output) {
        char[][] lines = new char[ROWS][COLUMNS];
        Arrays.stream(lines).forEach(line -> Arrays.fill(line, ' '));
        int row = ROWS - 1;
        int column = 0;
        Matcher next = Pattern.compile("\u001b\\[(\\d*)([AJ])|(?s).").matcher(output);
        while (next.find()) {
            if ("A".equals(next.group(2))) {
                row = Math.max(0, row - Integer.parseInt(next.group(1)));
            } else if ("J".equals(next.group(2))) {
                Arrays.fill(lines[row], column, COLUMNS, ' ');
                for (int below = row + 1; below < ROWS; below++) {
                    Arrays.fill(lines[below], ' ');
                }
            } else if (next.group().equals("\r")) {
                column = 0;
            } else if (next.group().equals("\n")) {
                column = 0;
                if (row == ROWS - 1) {
                    System.arraycopy(lines, 1, lines, 0, ROWS - 1);
                    lines[row] = " ".repeat(COLUMNS).toCharArray();
                } else {
                    row++;
                }
            } else {
                lines[row][column++] = next.group().charAt(0);
            }
        }
        List<String> shown = new ArrayList<>();
        Arrays.stream(lines).forEach(line -> shown.add(new String(line).stripTrailing()));
        return shown;
    }

    private void show(int samples) {
        Topology topology = Discovery.synthetic("pack:1 core:2 pu:1");
        WatchRecord record = new WatchRecord(topology, ThreadNamePattern.of("*"));
        for (int sample = 0; sample < samples; sample++) {
            long nanos = 1_000_000_000L * sample;
            record.add(new ProcessSample(
                    nanos,
                    IntStream.range(0, 40)
                            .mapToObj(i -> new ThreadSnapshot(
                                    4711 + i, "python3", 'R', 0, CpuSet.of(0), nanos / 2, OptionalLong.empty()))
                            .toList()));
            view.show(target, record);
        }
    }

    @Test
    void theFirstLineStaysOnALowTerminal() {
        show(3);

        assertThat(screen(text.toString()))
                .anyMatch(line -> line.startsWith("python3 (process 4711)  2 s"))
                .filteredOn(line -> line.startsWith("python3 (process"))
                .hasSize(1);
    }

    /** The terminal shows ^C where the cursor is. */
    @Test
    void nothingOfTheTableStaysAfterAnInterrupt() {
        show(2);
        text.append("^C");
        view.clear();
        text.append("python3 (process 4711), watched for 1.0 s\n");

        assertThat(screen(text.toString()))
                .contains("python3 (process 4711), watched for 1.0 s")
                .allMatch(line -> line.isEmpty() || line.startsWith("python3 (process 4711), "));
    }
}

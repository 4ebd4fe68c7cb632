package org.berth.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.berth.binding.discovery.Discovery;
import org.berth.cli.shared.Terminal;
import org.berth.observation.ProcessSample;
import org.berth.observation.ThreadSnapshot;
import org.berth.observation.internal.threads.ThreadNamePattern;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.junit.jupiter.api.Test;

/** The live table on a terminal, of which a small one is here: what the user reads during and after the watch counts. */
final class LiveScreenTest {
    private static final int COLUMNS = 70;
    private static final int ROWS = 10;

    private final StringWriter text = new StringWriter();
    private Terminal.Size size = new Terminal.Size(COLUMNS, ROWS);
    private final LiveScreen view =
            new LiveScreen(new PrintWriter(text), () -> size, false, LiveKeys.none(), new LiveNames(Map::of));
    private final WatchTarget target = WatchTarget.of(List.of("4711"));

    /** A screen with a cursor, as console_codes(4) says. */
    private static final class Screen {
        private final char[][] lines = new char[ROWS][COLUMNS];
        private int row;
        private int column;
        private int scrolled;

        Screen() {
            Arrays.stream(lines).forEach(line -> Arrays.fill(line, ' '));
        }

        void line() {
            column = 0;
            if (row == ROWS - 1) {
                System.arraycopy(lines, 1, lines, 0, ROWS - 1);
                lines[row] = " ".repeat(COLUMNS).toCharArray();
                scrolled++;
            } else {
                row++;
            }
        }

        void clear(boolean below) {
            Arrays.fill(lines[row], column, COLUMNS, ' ');
            for (int next = row + 1; below && next < ROWS; next++) {
                Arrays.fill(lines[next], ' ');
            }
        }

        List<String> shown() {
            List<String> shown = new ArrayList<>();
            Arrays.stream(lines).forEach(line -> shown.add(new String(line).stripTrailing()));
            return shown;
        }
    }

    /** The screens after some output: the one with a history, and the other one; null while it was never entered. */
    private static Screen[] screens(String output) {
        Screen[] both = {new Screen(), new Screen()};
        Screen now = both[0];
        Matcher next = Pattern.compile("\u001b\\[(\\??\\d*)([HJKhl])|(?s).").matcher(output);
        while (next.find()) {
            String code = next.group(2);
            if (code == null && next.group().equals("\n")) {
                now.line();
            } else if (code == null) {
                now.lines[now.row][now.column++] = next.group().charAt(0);
            } else if (code.equals("H")) {
                now.row = 0;
                now.column = 0;
            } else if (code.equals("J") || code.equals("K")) {
                now.clear(code.equals("J"));
            } else if (next.group(1).equals("?1049")) {
                now = both[code.equals("h") ? 1 : 0];
            }
        }
        return both;
    }

    private void show(int samples, int threads) {
        Topology topology = Discovery.synthetic("pack:1 core:2 pu:1");
        WatchRecord record = new WatchRecord(topology, ThreadNamePattern.of("*"));
        for (int sample = 0; sample < samples; sample++) {
            long nanos = 1_000_000_000L * sample;
            record.add(new ProcessSample(
                    nanos,
                    IntStream.range(0, threads)
                            .mapToObj(i -> new ThreadSnapshot(
                                    4711 + i, "python3", 'R', 0, CpuSet.of(0), nanos / 2, OptionalLong.empty()))
                            .toList()));
            view.show(target, record);
        }
    }

    @Test
    void theFirstLineStaysOnALowTerminal() {
        show(3, 40);

        Screen other = screens(text.toString())[1];
        assertThat(other.shown().get(0)).startsWith("python3 (process 4711)  2 s");
        assertThat(other.shown().get(1)).startsWith("    TID  S  CPU");
        assertThat(other.shown().get(9)).isEqualTo("         and 33 more threads");
        assertThat(other.scrolled).isZero();
    }

    @Test
    void aShorterTableLeavesNothingOfALongerOne() {
        show(3, 40);
        show(2, 2);

        assertThat(screens(text.toString())[1].shown())
                .filteredOn(line -> line.endsWith("python3"))
                .hasSize(2);
    }

    @Test
    void theNextTableFitsATerminalThatBecameSmaller() {
        show(2, 40);
        size = new Terminal.Size(40, 5);
        show(2, 40);

        String last = text.getBuffer().substring(text.getBuffer().lastIndexOf("\u001b[H"));
        assertThat(last.replaceAll("\u001b\\[[0-9;?]*[A-Za-z]", "").lines())
                .hasSize(5)
                .allMatch(line -> line.length() < 40)
                .last()
                .isEqualTo("         and 38 more threads");
    }

    /** The terminal shows ^C where the cursor is. */
    @Test
    void nothingOfTheTableStaysInTheHistory() {
        text.append("$ berth watch 4711\n");
        show(2, 40);
        text.append("^C");
        view.clear();
        text.append("python3 (process 4711), watched for 1.0 s\n");

        Screen first = screens(text.toString())[0];
        assertThat(first.shown())
                .startsWith("$ berth watch 4711", "python3 (process 4711), watched for 1.0 s", "")
                .filteredOn(line -> !line.isEmpty())
                .hasSize(2);
    }
}

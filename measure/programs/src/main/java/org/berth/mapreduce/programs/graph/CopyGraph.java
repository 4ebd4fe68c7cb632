package org.berth.mapreduce.programs.graph;

import java.nio.charset.StandardCharsets;
import org.apache.commons.cli.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.berth.mapreduce.programs.shared.CommandWords;
import org.berth.mapreduce.programs.shared.CopyFiles;
import org.berth.mapreduce.programs.shared.Hash;
import org.berth.mapreduce.programs.shared.InputLines;
import org.berth.mapreduce.programs.shared.Program;

/**
 * Makes a larger graph of a real one: copies of all lines, in which each edge leads to its target in any of the copies, so that nodes
 * keep the number of edges that lead away. A node without a line of its own is only in copies to which an edge leads. The client writes
 * it, without a job. For one thread.
 */
public final class CopyGraph extends Program {
    /** Made by the main class. */
    public CopyGraph() {
        super("copy-graph", "IN OUT", "A larger graph: copies of IN (NODE~COPY), with edges between the copies.");
    }

    @Override
    protected Options options() {
        return new Options()
                .addOption(option("copies", "N", "number of copies; default: 10"))
                .addOption(option("seed", "N", "chooses the copies to which edges lead; default: 1"));
    }

    @Override
    protected void execute(CommandWords words) throws Exception {
        int copies = words.number("copies", 10, 1, 1_000_000);
        long seed = words.longNumber("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE);
        Path in = words.input(0);
        Path out = words.output(1);
        Text line = new Text();
        Text copied = new Text();
        Text name = new Text();
        Names names = new Names();
        long state = seed;
        try (InputLines lines = new InputLines(getConf(), in);
                CopyFiles files = new CopyFiles(getConf(), out, copies)) {
            while (lines.next(line)) {
                for (int copy = 0; copy < copies; copy++) {
                    names.readLine(line);
                    copied.clear();
                    int target = copy;
                    while (names.next(name)) {
                        if (copied.getLength() > 0) {
                            append(copied, " ");
                        }
                        copied.append(name.getBytes(), 0, name.getLength());
                        append(copied, "~" + target);
                        state = Hash.mix(state, copy);
                        target = (int) Long.remainderUnsigned(state, copies);
                    }
                    if (copied.getLength() > 0) {
                        files.write(copy, copied);
                    }
                }
            }
        }
    }

    private static void append(Text text, String more) {
        byte[] bytes = more.getBytes(StandardCharsets.UTF_8);
        text.append(bytes, 0, bytes.length);
    }
}

package org.berth.mapreduce.programs.kmeans;

import java.io.IOException;
import org.apache.commons.cli.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.berth.mapreduce.programs.shared.CommandWords;
import org.berth.mapreduce.programs.shared.CopyFiles;
import org.berth.mapreduce.programs.shared.Hash;
import org.berth.mapreduce.programs.shared.InputLines;
import org.berth.mapreduce.programs.shared.Program;
import org.berth.mapreduce.programs.shared.UsageException;

/**
 * Makes a larger table of a real one. The first copy is exact; in the others each number is shifted by up to 1 % of its column's range,
 * so that no two copies are the same points. The client writes it, without a job. For one thread.
 */
public final class CopyRows extends Program {
    private static final double PART = 0.01;

    /** Made by the main class. */
    public CopyRows() {
        super("copy-rows", "IN OUT", "A larger table of numbers: copies of the rows of IN, slightly shifted.");
    }

    @Override
    protected Options options() {
        return new Options()
                .addOption(option("copies", "N", "number of copies; default: 10"))
                .addOption(option("seed", "N", "chooses the shifts; default: 1"));
    }

    @Override
    protected void execute(CommandWords words) throws Exception {
        int copies = words.number("copies", 10, 1, 1_000_000);
        long state = words.longNumber("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE);
        Path in = words.input(0);
        Path out = words.output(1);
        double[] ranges = ranges(in);
        Row row = new Row();
        Text line = new Text();
        try (InputLines lines = new InputLines(getConf(), in);
                CopyFiles files = new CopyFiles(getConf(), out, copies)) {
            while (lines.next(line)) {
                if (!row.read(line)) {
                    continue;
                }
                for (int copy = 0; copy < copies; copy++) {
                    double[] shifted = row.copy();
                    for (int i = 0; i < shifted.length && copy > 0; i++) {
                        state = Hash.mix(state, i);
                        // The upper bits as a number from -1 to 1.
                        shifted[i] += PART * ranges[i] * (state * 0x1p-63);
                    }
                    files.write(copy, new Text(Centroids.text(shifted)));
                }
            }
        }
    }

    /** The largest less the smallest number of each column. */
    private double[] ranges(Path in) throws IOException {
        Row row = new Row();
        Text line = new Text();
        double[] least = {};
        double[] greatest = {};
        try (InputLines lines = new InputLines(getConf(), in)) {
            while (lines.next(line)) {
                if (!row.read(line)) {
                    continue;
                }
                if (least.length == 0) {
                    least = row.copy();
                    greatest = row.copy();
                }
                if (row.columns() != least.length) {
                    throw new UsageException(in + ": a row has " + row.columns() + " numbers, the first one "
                            + least.length + ": " + line);
                }
                for (int i = 0; i < least.length; i++) {
                    least[i] = Math.min(least[i], row.value(i));
                    greatest[i] = Math.max(greatest[i], row.value(i));
                }
            }
        }
        for (int i = 0; i < least.length; i++) {
            greatest[i] -= least[i];
        }
        return greatest;
    }
}

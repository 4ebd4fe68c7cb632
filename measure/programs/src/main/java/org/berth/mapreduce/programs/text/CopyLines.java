package org.berth.mapreduce.programs.text;

import java.io.IOException;
import org.apache.commons.cli.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.berth.mapreduce.programs.shared.CommandWords;
import org.berth.mapreduce.programs.shared.InputLines;
import org.berth.mapreduce.programs.shared.Program;
import org.berth.mapreduce.programs.shared.UsageException;

/**
 * Makes the input of Hadoop's sort of a real text: SequenceFiles with its lines as keys and no values. What a larger size needs follows
 * behind the text: lines that have the beginning of one of its lines and the end of another. Mere repetition would give many equal
 * keys, which engines may sort together. The client writes it, without a job. For one thread.
 */
public final class CopyLines extends Program {
    private static final int LARGEST_MEGABYTES = 1 << 20;

    /** Made by the main class. */
    public CopyLines() {
        super(
                "copy-lines",
                "IN OUT",
                "A text of another size, in SequenceFiles with its lines as keys: Hadoop's sort reads them.");
    }

    @Override
    protected Options options() {
        return new Options()
                .addOption(option("megabytes", "N", "size of the text; default: 64"))
                .addOption(option("seed", "N", "chooses the lines behind those of IN; default: 1"));
    }

    @Override
    protected void execute(CommandWords words) throws Exception {
        int megabytes = words.number("megabytes", 64, 1, LARGEST_MEGABYTES);
        long seed = words.longNumber("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE);
        Path in = words.input(0);
        Path out = words.output(1);
        long bytes = (long) megabytes << 20;
        Text line = new Text();
        MixedLines mixed = new MixedLines(seed);
        try (InputLines lines = new InputLines(getConf(), in)) {
            if (!lines.next(line)) {
                throw new UsageException(in + " has no lines: name a text");
            }
            try (LineFiles files = new LineFiles(getConf(), out, bytes)) {
                boolean more = true;
                while (more && files.bytes() < bytes) {
                    mixed.add(line);
                    files.write(line);
                    more = lines.next(line);
                }
                writeMixed(in, mixed, files, bytes);
            }
        }
    }

    private static void writeMixed(Path in, MixedLines mixed, LineFiles files, long bytes) throws IOException {
        if (mixed.isEmpty() && files.bytes() < bytes) {
            throw new UsageException(in + " has blank lines only: name a text");
        }
        Text line = new Text();
        while (files.bytes() < bytes) {
            mixed.next(line);
            files.write(line);
        }
    }
}

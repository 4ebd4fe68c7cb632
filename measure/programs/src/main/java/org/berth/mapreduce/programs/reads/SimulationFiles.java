package org.berth.mapreduce.programs.reads;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;

/** The files of a simulation in a new folder. */
final class SimulationFiles implements Closeable {
    private static final String COLUMNS = "name\tsequence\tposition\tbases\tstrand\tcluster\tkind\ttruth";
    private static final int BUFFER_BYTES = 1 << 20;

    private final List<OutputStream> reads = new ArrayList<>();
    private final OutputStream truth;
    private final Genome genome;
    private final Read read = new Read();
    private final Text text = new Text();

    SimulationFiles(Configuration conf, Path folder, Genome genome, Simulation simulation) throws IOException {
        FileSystem files = folder.getFileSystem(conf);
        this.genome = genome;
        for (int i = 1; i <= simulation.reads(); i++) {
            String name = simulation.paired() ? "reads_" + i + ".fastq" : "reads.fastq";
            reads.add(new BufferedOutputStream(files.create(new Path(folder, name)), BUFFER_BYTES));
        }
        truth = new BufferedOutputStream(files.create(new Path(folder, "_truth.tsv")), BUFFER_BYTES);
        line(truth, simulation.paired() ? COLUMNS + "\ttruth of mate" : COLUMNS);
    }

    void write(long number, Simulator.SimulatedFragment fragment) throws IOException {
        StringBuilder row = new StringBuilder(String.join(
                "\t",
                "r" + number,
                genome.name(fragment.place().sequence()),
                Integer.toString(fragment.place().position()),
                Integer.toString(fragment.bases()),
                fragment.reverse() ? "-" : "+",
                "r" + fragment.cluster(),
                fragment.kind().name().toLowerCase(Locale.ROOT)));
        for (int i = 0; i < reads.size(); i++) {
            SimulatedRead simulated = fragment.reads().get(i);
            simulated.fill(read, new Text("r" + number + (reads.size() > 1 ? "/" + (i + 1) : "")));
            read.format(text);
            reads.get(i).write(text.getBytes(), 0, text.getLength());
            reads.get(i).write('\n');
            row.append('\t').append(new String(simulated.truth(), StandardCharsets.US_ASCII));
        }
        line(truth, row.toString());
    }

    private static void line(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.write('\n');
    }

    @Override
    public void close() throws IOException {
        for (OutputStream out : reads) {
            out.close();
        }
        truth.close();
    }
}

package org.berth.mapreduce.programs.correction;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Partitioner;
import org.berth.mapreduce.programs.reads.ReadId;
import org.berth.mapreduce.programs.reads.ReadInputFormat;

/** Gives each reduce reads that follow each other in the input, so that the files of the output together are in the input's order. */
final class InputOrder extends Partitioner<LongWritable, ReadPart> implements Configurable {
    private static final String STARTS = "berth.correction.starts";
    /** A compressed file is about so much shorter than what it unpacks to; a bad guess makes uneven reduces, no other result. */
    private static final int COMPRESSION = 4;

    private Configuration conf = new Configuration(false);
    private long[] starts = {0, 1};

    /** For Hadoop. */
    InputOrder() {}

    /** Tells the job how long its files are. */
    static void prepare(Configuration conf) throws IOException {
        List<Path> files = ReadInputFormat.files(conf);
        String[] starts = new String[files.size() + 1];
        long position = 0;
        for (int i = 0; i < files.size(); i++) {
            starts[i] = Long.toString(position);
            Path file = files.get(i);
            long length = file.getFileSystem(conf).getFileStatus(file).getLen();
            position += ReadInputFormat.compressed(conf, file) ? COMPRESSION * length : length;
        }
        starts[files.size()] = Long.toString(position);
        conf.setStrings(STARTS, starts);
    }

    @Override
    public void setConf(Configuration configuration) {
        conf = configuration;
        String[] words = conf.getStrings(STARTS, "0", "1");
        starts = new long[words.length];
        for (int i = 0; i < words.length; i++) {
            starts[i] = Long.parseLong(words[i]);
        }
    }

    @Override
    public Configuration getConf() {
        return conf;
    }

    @Override
    public int getPartition(LongWritable id, ReadPart part, int partitions) {
        int file = ReadId.file(id.get());
        long position = Math.min(starts[file] + ReadId.offset(id.get()), starts[file + 1]);
        double place = (double) position / Math.max(1, starts[starts.length - 1]);
        return Math.min(partitions - 1, (int) (place * partitions));
    }
}

package org.berth.mapreduce.programs.duplicates;

import java.util.Optional;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.LazyOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.berth.mapreduce.programs.reads.Fragment;
import org.berth.mapreduce.programs.reads.ReadInputFormat;
import org.berth.mapreduce.programs.shared.CommandWords;
import org.berth.mapreduce.programs.shared.Program;
import org.berth.mapreduce.programs.shared.Steps;

/**
 * Removes near-duplicate reads as published for MarDRe (Exposito, Veiga, Gonzalez-Dominguez and Tourino, Bioinformatics 33(17), 2017):
 * the map clusters reads by their first bases, and the reduce compares the reads of a cluster, up to a number of mismatches, and keeps
 * the one of the best quality. The result does not depend on the number of maps.
 */
public final class RemoveDuplicates extends Program {
    static final String PREFIX = "berth.duplicates.prefix";
    static final String MISMATCHES = "berth.duplicates.mismatches";
    static final String MEMORY = "berth.duplicates.memory.bytes";
    static final String PAIRED = "berth.duplicates.paired";
    static final int DEFAULT_PREFIX = 20;
    static final int DEFAULT_MISMATCHES = 3;
    /** Half a byte for each base. */
    static final long DEFAULT_MEMORY = 16 << 20;

    private static final int LONGEST_PREFIX = 1000;

    /** Makes it; run it once. */
    public RemoveDuplicates() {
        super("duplicates", "IN OUT", "Removes reads or pairs that nearly equal another one of a better quality.");
    }

    @Override
    protected Options options() {
        return new Options()
                .addOption(
                        letter("p", "prefix", "first bases that duplicates share, of pairs in each read; default: 20"))
                .addOption(letter(
                        "m", "mismatches", "maximum mismatches of duplicates, of pairs in both reads; default: 3"))
                .addOption(option("mates", "FILES", "second reads of the pairs, in the order of the first ones"));
    }

    /** The letters are those of MarDRe. */
    private static Option letter(String letter, String name, String about) {
        return Option.builder(letter)
                .longOpt(name)
                .hasArg()
                .argName("N")
                .desc(about)
                .build();
    }

    @Override
    protected void execute(CommandWords words) throws Exception {
        int prefix = words.number("prefix", DEFAULT_PREFIX, 1, LONGEST_PREFIX);
        int mismatches = words.number("mismatches", DEFAULT_MISMATCHES, 0, Integer.MAX_VALUE);
        Optional<Path> mates = words.input("mates");
        Path input = words.input(0);
        Job job = Job.getInstance(getConf(), "duplicates");
        job.setJarByClass(RemoveDuplicates.class);
        job.getConfiguration().setInt(PREFIX, prefix);
        job.getConfiguration().setInt(MISMATCHES, mismatches);
        job.getConfiguration().setBoolean(PAIRED, mates.isPresent());
        if (mates.isPresent()) {
            ReadInputFormat.input(job, input, mates.get());
            // No empty files next to the folders of first and second reads.
            LazyOutputFormat.setOutputFormatClass(job, TextOutputFormat.class);
        } else {
            ReadInputFormat.input(job, input);
        }
        FileOutputFormat.setOutputPath(job, words.output(1));
        job.setInputFormatClass(ReadInputFormat.class);
        job.setMapperClass(ClusterMapper.class);
        job.setMapOutputKeyClass(BytesWritable.class);
        job.setMapOutputValueClass(Fragment.class);
        job.setPartitionerClass(ClusterKey.Clusters.class);
        job.setGroupingComparatorClass(ClusterKey.Grouping.class);
        job.setReducerClass(ClusterReducer.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(NullWritable.class);
        Steps.run(job);
    }
}

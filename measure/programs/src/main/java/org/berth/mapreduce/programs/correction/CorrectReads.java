package org.berth.mapreduce.programs.correction;

import java.io.IOException;
import org.apache.commons.cli.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.MultipleInputs;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.LazyOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.berth.mapreduce.programs.reads.Fragment;
import org.berth.mapreduce.programs.reads.ReadInputFormat;
import org.berth.mapreduce.programs.shared.CommandWords;
import org.berth.mapreduce.programs.shared.Program;
import org.berth.mapreduce.programs.shared.Steps;
import org.berth.mapreduce.programs.shared.UsageException;
import org.berth.mapreduce.programs.shared.WorkFolder;

/**
 * Corrects wrong bases of reads as published for CloudRS (Chen, Chang, Chung, Lee and Ho, IEEE Big Data 2013), which follows ALLPATHS-LG
 * (Gnerre and others, PNAS 108(4), 2011): reads that share a window of bases are stacked, each column of a stack is decided by the
 * qualities of its bases, and a base is changed if no stack of the read says otherwise. Each round is two jobs. The result does not
 * depend on the number of maps, and its files together have the order of the input.
 */
public final class CorrectReads extends Program {
    private static final int LONGEST_WINDOW = 31;

    private static final int LARGEST_STACK = 1_000_000;

    /** Makes it; run it once. */
    public CorrectReads() {
        super("correction", "IN OUT", "Corrects wrong bases of reads by the votes of reads that overlap.");
    }

    @Override
    protected Options options() {
        return new Options()
                .addOption(option("window", "N", "bases that align the reads of a stack, odd; default: 23"))
                .addOption(option("sample", "N", "one of N windows makes a stack; default: 8"))
                .addOption(option("support", "N", "minimum sum of the qualities that decide a column; default: 60"))
                .addOption(option("ratio", "N", "how many times it exceeds that of any other base; default: 4"))
                .addOption(option("reads", "N", "maximum number of reads that vote in a stack; default: 1000"))
                .addOption(option("changes", "N", "maximum changes of a read on one side of a window; default: 6"))
                .addOption(option("rounds", "N", "rounds of stacks and changes; default: 2"))
                .addOption(WorkFolder.option());
    }

    private static StackSettings settings(CommandWords words) {
        StackSettings standard = StackSettings.DEFAULT;
        StackSettings settings = new StackSettings(
                words.number("window", standard.window(), 1, LONGEST_WINDOW),
                words.number("sample", standard.sample(), 1, Integer.MAX_VALUE),
                words.number("support", standard.support(), 1, Integer.MAX_VALUE),
                words.number("ratio", standard.ratio(), 2, Integer.MAX_VALUE),
                words.number("reads", standard.reads(), Columns.FEWEST_VOTERS, LARGEST_STACK),
                words.number("changes", standard.changes(), 1, Integer.MAX_VALUE));
        if (settings.window() % 2 == 0) {
            throw new UsageException("--window " + settings.window()
                    + ": give an odd number, since an even number of bases may be its own reverse complement");
        }
        return settings;
    }

    @Override
    protected void execute(CommandWords words) throws Exception {
        StackSettings settings = settings(words);
        int rounds = words.number("rounds", 2, 1, Integer.MAX_VALUE);
        Path input = words.input(0);
        Path output = words.output(1);
        try (WorkFolder work = WorkFolder.make(words, output, getConf())) {
            for (int round = 1; round <= rounds; round++) {
                Path target = round == rounds ? output : reads(work, round);
                Steps.run(stack(input, settings, round, work));
                Steps.run(apply(input, round, work, target, round == rounds));
                work.remove(stacks(work, round));
                if (round > 1) {
                    work.remove(reads(work, round - 1));
                }
            }
        }
    }

    private static Path stacks(WorkFolder work, int round) {
        return work.path("stacks-" + round);
    }

    private static Path reads(WorkFolder work, int round) {
        return work.path("reads-" + round);
    }

    private Job job(String name, Path input, int round) throws IOException {
        Job job = Job.getInstance(getConf(), "correction, round " + round + ": " + name);
        job.setJarByClass(CorrectReads.class);
        ReadInputFormat.input(job, input);
        return job;
    }

    private Job stack(Path input, StackSettings settings, int round, WorkFolder work) throws IOException {
        Job job = job("stacks", input, round);
        settings.write(job.getConfiguration());
        job.getConfiguration().setInt(StackMapper.ROUND, round);
        if (round == 1) {
            job.setInputFormatClass(ReadInputFormat.class);
        } else {
            SequenceFileInputFormat.setInputPaths(job, reads(work, round - 1));
            job.setInputFormatClass(SequenceFileInputFormat.class);
        }
        job.setMapperClass(StackMapper.class);
        job.setMapOutputKeyClass(BytesWritable.class);
        job.setMapOutputValueClass(StackMember.class);
        job.setPartitionerClass(StackKey.Stacks.class);
        job.setGroupingComparatorClass(StackKey.Grouping.class);
        job.setReducerClass(StackReducer.class);
        job.setOutputKeyClass(LongWritable.class);
        job.setOutputValueClass(Proposal.class);
        job.setOutputFormatClass(SequenceFileOutputFormat.class);
        FileOutputFormat.setOutputPath(job, stacks(work, round));
        return job;
    }

    private Job apply(Path input, int round, WorkFolder work, Path target, boolean last) throws IOException {
        Job job = job("changes", input, round);
        InputOrder.prepare(job.getConfiguration());
        if (round == 1) {
            for (Path file : ReadInputFormat.files(job.getConfiguration())) {
                MultipleInputs.addInputPath(job, file, ReadInputFormat.class, PartMapper.class);
            }
        } else {
            MultipleInputs.addInputPath(job, reads(work, round - 1), SequenceFileInputFormat.class, PartMapper.class);
        }
        MultipleInputs.addInputPath(job, stacks(work, round), SequenceFileInputFormat.class, PartMapper.class);
        job.setMapOutputKeyClass(LongWritable.class);
        job.setMapOutputValueClass(ReadPart.class);
        job.setPartitionerClass(InputOrder.class);
        if (last) {
            job.setReducerClass(LastReducer.class);
            job.setOutputKeyClass(Text.class);
            job.setOutputValueClass(NullWritable.class);
            if (ReadInputFormat.files(job.getConfiguration()).size() > 1) {
                // No empty files next to the folders of the input's files.
                LazyOutputFormat.setOutputFormatClass(job, TextOutputFormat.class);
            }
        } else {
            job.setReducerClass(RoundReducer.class);
            job.setOutputKeyClass(LongWritable.class);
            job.setOutputValueClass(Fragment.class);
            job.setOutputFormatClass(SequenceFileOutputFormat.class);
        }
        FileOutputFormat.setOutputPath(job, target);
        return job;
    }
}

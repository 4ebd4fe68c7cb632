package org.berth.examples;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.QuasiMonteCarlo;
import org.apache.hadoop.examples.Sort;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.ToolRunner;

/** The examples: how each is started, on which input, and what it has found. */
enum ExampleKind {
    /** Words of a text; with a combiner, as in Hadoop's own main program. */
    WORDCOUNT(true) {
        @Override
        void makeInput(Path folder, int scale) throws IOException {
            ExampleInput.text(folder, scale);
        }

        @Override
        String run(Configuration conf, Path input, Path output, int scale) throws Exception {
            Job job = Job.getInstance(conf, "word count");
            job.setJarByClass(WordCount.class);
            job.setMapperClass(WordCount.TokenizerMapper.class);
            job.setCombinerClass(WordCount.IntSumReducer.class);
            job.setReducerClass(WordCount.IntSumReducer.class);
            job.setOutputKeyClass(Text.class);
            job.setOutputValueClass(IntWritable.class);
            FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(input.toUri()));
            FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(output.toUri()));
            require(job.waitForCompletion(false));
            return "";
        }
    },

    /** Records of 10 to 1,000 bytes of key and up to 20,000 of value, as Hadoop's RandomWriter makes them. */
    SORT(true) {
        @Override
        void makeInput(Path folder, int scale) throws IOException {
            ExampleInput.records(folder, scale);
        }

        @Override
        String run(Configuration conf, Path input, Path output, int scale) throws Exception {
            String bytes = BytesWritable.class.getName();
            require(ToolRunner.run(conf, new Sort<BytesWritable, BytesWritable>(), new String[] {
                        "-r", REDUCES, "-outKey", bytes, "-outValue", bytes, input.toString(), output.toString()
                    })
                    == 0);
            return "";
        }
    },

    /** Rows of 100 bytes. */
    TERASORT(true) {
        @Override
        void makeInput(Path folder, int scale) throws IOException {
            ExampleInput.rows(folder, scale);
        }

        @Override
        String run(Configuration conf, Path input, Path output, int scale) throws Exception {
            conf.set("mapreduce.job.reduces", REDUCES);
            require(ToolRunner.run(conf, new TeraSort(), new String[] {input.toString(), output.toString()}) == 0);
            return "";
        }
    },

    /** Ten maps that estimate pi: mostly the start of a JVM and of a job. */
    PI(false) {
        @Override
        void makeInput(Path folder, int scale) {}

        @Override
        String run(Configuration conf, Path input, Path output, int scale) throws Exception {
            org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path(output.toUri());
            return QuasiMonteCarlo.estimatePi(10, 100L * scale, folder, conf).toPlainString();
        }
    };

    private static final String REDUCES = "2";

    private final boolean hasFiles;

    ExampleKind(boolean hasFiles) {
        this.hasFiles = hasFiles;
    }

    boolean hasFiles() {
        return hasFiles;
    }

    abstract void makeInput(Path folder, int scale) throws IOException;

    /** Runs the job, and returns what it printed as its result; empty when that is in its output. */
    abstract String run(Configuration conf, Path input, Path output, int scale) throws Exception;

    private static void require(boolean succeeded) {
        if (!succeeded) {
            throw new IllegalStateException("the job failed (see the lines above)");
        }
    }
}

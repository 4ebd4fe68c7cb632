package org.berth.examples;

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
import org.berth.mapreduce.programs.Programs;

/** The examples: how each is started, on which input, and what it has found. */
enum ExampleKind {
    /** Words of a text; with a combiner, as in Hadoop's own main program. */
    WORDCOUNT(true) {
        @Override
        void makeInput(Path folder, ExampleOptions options) throws Exception {
            ExampleInput.text(folder, options.scale());
        }

        @Override
        String run(Configuration conf, Path input, Path output, ExampleOptions options) throws Exception {
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
        void makeInput(Path folder, ExampleOptions options) throws Exception {
            ExampleInput.records(folder, options.scale());
        }

        @Override
        String run(Configuration conf, Path input, Path output, ExampleOptions options) throws Exception {
            String bytes = BytesWritable.class.getName();
            require(ToolRunner.run(conf, new Sort<BytesWritable, BytesWritable>(), new String[] {
                        "-r",
                        Integer.toString(options.reduces()),
                        "-outKey",
                        bytes,
                        "-outValue",
                        bytes,
                        input.toString(),
                        output.toString()
                    })
                    == 0);
            return "";
        }
    },

    /** Rows of 100 bytes. */
    TERASORT(true) {
        @Override
        void makeInput(Path folder, ExampleOptions options) throws Exception {
            ExampleInput.rows(folder, options.scale());
        }

        @Override
        String run(Configuration conf, Path input, Path output, ExampleOptions options) throws Exception {
            conf.setInt("mapreduce.job.reduces", options.reduces());
            require(ToolRunner.run(conf, new TeraSort(), new String[] {input.toString(), output.toString()}) == 0);
            return "";
        }
    },

    /** Ten maps that estimate pi: mostly the start of a JVM and of a job. */
    PI(false) {
        @Override
        void makeInput(Path folder, ExampleOptions options) {}

        @Override
        String run(Configuration conf, Path input, Path output, ExampleOptions options) throws Exception {
            org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path(output.toUri());
            return QuasiMonteCarlo.estimatePi(10, 100L * options.scale(), folder, conf)
                    .toPlainString();
        }
    },

    /** A job for each iteration, with few and large records between maps and reduces. */
    KMEANS(true) {
        @Override
        void makeInput(Path folder, ExampleOptions options) throws Exception {
            copy("copy-rows", folder, options);
        }

        @Override
        String run(Configuration conf, Path input, Path output, ExampleOptions options) throws Exception {
            return program("kmeans", conf, input, output, options);
        }
    },

    /** A job for each iteration, with a record for each edge. */
    PAGERANK(true) {
        @Override
        void makeInput(Path folder, ExampleOptions options) throws Exception {
            copy("copy-graph", folder, options);
        }

        @Override
        String run(Configuration conf, Path input, Path output, ExampleOptions options) throws Exception {
            return program("pagerank", conf, input, output, options);
        }
    },

    /** The same, with fewer records in each iteration. */
    COMPONENTS(true) {
        @Override
        void makeInput(Path folder, ExampleOptions options) throws Exception {
            copy("copy-graph", folder, options);
        }

        @Override
        String run(Configuration conf, Path input, Path output, ExampleOptions options) throws Exception {
            return program("components", conf, input, output, options);
        }
    },

    /** Few and large groups: all reads go through the shuffle once. */
    DUPLICATES(true) {
        @Override
        void makeInput(Path folder, ExampleOptions options) throws Exception {
            make("simulate-reads", "coverage", folder, options);
        }

        @Override
        String run(Configuration conf, Path input, Path output, ExampleOptions options) throws Exception {
            return program("duplicates", conf, input, output, options);
        }
    },

    /** Four jobs, and several copies of each read in the shuffle. */
    CORRECTION(true) {
        @Override
        void makeInput(Path folder, ExampleOptions options) throws Exception {
            make("simulate-reads", "coverage", folder, options);
        }

        @Override
        String run(Configuration conf, Path input, Path output, ExampleOptions options) throws Exception {
            return program("correction", conf, input, output, options);
        }
    };

    private static final String COPIES = "copies";

    private final boolean hasFiles;

    ExampleKind(boolean hasFiles) {
        this.hasFiles = hasFiles;
    }

    boolean hasFiles() {
        return hasFiles;
    }

    /** Whether its input is made of a file that the user names. */
    boolean readsInput() {
        return switch (this) {
            case KMEANS, PAGERANK, COMPONENTS, DUPLICATES, CORRECTION -> true;
            case WORDCOUNT, SORT, TERASORT, PI -> false;
        };
    }

    abstract void makeInput(Path folder, ExampleOptions options) throws Exception;

    /** Runs the job, and returns what it printed as its result; empty when that is in its output. */
    abstract String run(Configuration conf, Path input, Path output, ExampleOptions options) throws Exception;

    private static void copy(String program, Path folder, ExampleOptions options) throws Exception {
        make(program, "copies", folder, options);
    }

    /** Runs a program of which one option is the scale. */
    private static void make(String program, String option, Path folder, ExampleOptions options) throws Exception {
        String scale = Integer.toString(options.scale());
        String output = folder.resolve(COPIES).toString();
        require(Programs.run(
                        new Configuration(),
                        program,
                        "--" + option,
                        scale,
                        options.requiredInput().toString(),
                        output)
                == 0);
    }

    private static String program(String name, Configuration conf, Path input, Path output, ExampleOptions options)
            throws Exception {
        conf.setInt("mapreduce.job.reduces", options.reduces());
        require(Programs.run(conf, name, input.resolve(COPIES).toString(), output.toString()) == 0);
        return "";
    }

    private static void require(boolean succeeded) {
        if (!succeeded) {
            throw new IllegalStateException("the job failed (see the lines above)");
        }
    }
}

package org.berth.examples;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.QuasiMonteCarlo;
import org.apache.hadoop.examples.Sort;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.util.ToolRunner;
import org.berth.mapreduce.programs.Programs;

/** The examples: how each is started, on which input, and what it has found. */
enum ExampleKind {
    /** Words of a text; with a combiner, as in Hadoop's own main program. */
    WORDCOUNT("mr-wordcount", true) {
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

    /** Lines of a text: keys without values. */
    SORT("mr-sort", "", "copy-lines", "megabytes") {
        @Override
        String run(Configuration conf, Path input, Path output, ExampleOptions options) throws Exception {
            sort(
                    conf,
                    input.resolve(MADE),
                    output,
                    options,
                    "-outFormat",
                    TextOutputFormat.class.getName(),
                    "-outKey",
                    Text.class.getName(),
                    "-outValue",
                    NullWritable.class.getName());
            return "";
        }
    },

    /** Records of 10 to 1,000 bytes of key and up to 20,000 of value, as Hadoop's RandomWriter makes them. */
    RECORDS("mr-sort-records", true) {
        @Override
        void makeInput(Path folder, ExampleOptions options) throws Exception {
            ExampleInput.records(folder, options.scale());
        }

        @Override
        String run(Configuration conf, Path input, Path output, ExampleOptions options) throws Exception {
            String bytes = BytesWritable.class.getName();
            sort(conf, input, output, options, "-outKey", bytes, "-outValue", bytes);
            return "";
        }
    },

    /** Rows of 100 bytes. */
    TERASORT("mr-terasort", true) {
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
    PI("mr-pi", false) {
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
    KMEANS("mr-kmeans", "kmeans", "copy-rows", "copies"),

    /** A job for each iteration, with a record for each edge. */
    PAGERANK("mr-pagerank", "pagerank", "copy-graph", "copies"),

    /** The same, with fewer records in each iteration. */
    COMPONENTS("mr-components", "components", "copy-graph", "copies"),

    /** Few and large groups: all reads go through the shuffle once. */
    DUPLICATES("mr-duplicates", "duplicates", "simulate-reads", "coverage"),

    /** Four jobs, and several copies of each read in the shuffle. */
    CORRECTION("mr-correction", "correction", "simulate-reads", "coverage");

    private static final String MADE = "copies";

    private final String job;
    private final boolean hasFiles;
    private final String program;
    private final String maker;
    private final String scaleOption;

    /** One of Hadoop's own, which says itself how it runs. */
    ExampleKind(String job, boolean hasFiles) {
        this(job, hasFiles, "", "", "");
    }

    /**
     * One whose input is made of a file by one of {@link Programs}.
     *
     * @param job its name on the command line
     * @param program that it is; empty for one of Hadoop's own
     * @param maker the program that makes its input of a file
     * @param scaleOption the option of the maker that is the scale
     */
    ExampleKind(String job, String program, String maker, String scaleOption) {
        this(job, true, program, maker, scaleOption);
    }

    ExampleKind(String job, boolean hasFiles, String program, String maker, String scaleOption) {
        this.job = job;
        this.hasFiles = hasFiles;
        this.program = program;
        this.maker = maker;
        this.scaleOption = scaleOption;
    }

    /** The name of the job on the command line. */
    String job() {
        return job;
    }

    boolean hasFiles() {
        return hasFiles;
    }

    /** Whether its input is made of a file that the user names. */
    boolean readsInput() {
        return !maker.isEmpty();
    }

    /** Whether the records of its output are as many as those that its maps wrote, combiners aside. */
    boolean keepsRecords() {
        return hasFiles && program.isEmpty();
    }

    void makeInput(Path folder, ExampleOptions options) throws Exception {
        require(Programs.run(
                        new Configuration(),
                        maker,
                        "--" + scaleOption,
                        Integer.toString(options.scale()),
                        options.requiredInput().toString(),
                        folder.resolve(MADE).toString())
                == 0);
    }

    /** Runs the job, and returns what it printed as its result; empty when that is in its output. */
    String run(Configuration conf, Path input, Path output, ExampleOptions options) throws Exception {
        conf.setInt("mapreduce.job.reduces", options.reduces());
        require(Programs.run(conf, program, input.resolve(MADE).toString(), output.toString()) == 0);
        return "";
    }

    private static void sort(Configuration conf, Path input, Path output, ExampleOptions options, String... formats)
            throws Exception {
        List<String> words = new ArrayList<>(List.of("-r", Integer.toString(options.reduces())));
        words.addAll(List.of(formats));
        words.addAll(List.of(input.toString(), output.toString()));
        require(ToolRunner.run(conf, new Sort<>(), words.toArray(String[]::new)) == 0);
    }

    private static void require(boolean succeeded) {
        if (!succeeded) {
            throw new IllegalStateException("the job failed (see the lines above)");
        }
    }
}

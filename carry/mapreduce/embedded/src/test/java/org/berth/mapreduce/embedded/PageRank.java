package org.berth.mapreduce.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * PageRank as programs for Hadoop compute it: two jobs for each iteration, a file system in between, and a driver that reads the ranks
 * to find out whether they still change. It knows nothing of this engine. Ranks are whole numbers (billionths), so that the order of
 * additions does not matter.
 */
final class PageRank extends Configured implements Tool {
    private static final long ONE = 1_000_000_000L;

    /** Graph: {@code node TAB neighbour neighbour …}; ranks: {@code node TAB rank}. */
    static final class Parse extends Mapper<Object, Text, IntWritable, Text> {
        private final IntWritable node = new IntWritable();
        private final Text rest = new Text();

        @Override
        protected void map(Object key, Text line, Mapper<Object, Text, IntWritable, Text>.Context context)
                throws IOException, InterruptedException {
            int tab = line.find("\t");
            node.set(Integer.parseInt(new String(line.getBytes(), 0, tab, StandardCharsets.UTF_8)));
            rest.set(line.getBytes(), tab + 1, line.getLength() - tab - 1);
            context.write(node, rest);
        }
    }

    /** Shares the rank of a node among its neighbours. */
    static final class Share extends Reducer<IntWritable, Text, IntWritable, Text> {
        @Override
        protected void reduce(
                IntWritable node, Iterable<Text> values, Reducer<IntWritable, Text, IntWritable, Text>.Context context)
                throws IOException, InterruptedException {
            long rank = ONE;
            String[] neighbours = {};
            for (Text value : values) {
                String text = value.toString();
                if (text.startsWith("=")) {
                    rank = Long.parseLong(text.substring(1));
                } else {
                    neighbours = text.split(" ", -1);
                }
            }
            Text part = new Text(Long.toString(rank / Math.max(1, neighbours.length)));
            for (String neighbour : neighbours) {
                context.write(new IntWritable(Integer.parseInt(neighbour)), part);
            }
            context.write(node, new Text("0"));
        }
    }

    /** Adds the parts that a node gets. */
    static final class Add extends Reducer<IntWritable, Text, IntWritable, Text> {
        @Override
        protected void reduce(
                IntWritable node, Iterable<Text> values, Reducer<IntWritable, Text, IntWritable, Text>.Context context)
                throws IOException, InterruptedException {
            long sum = 0;
            for (Text value : values) {
                sum += Long.parseLong(value.toString());
            }
            context.write(node, new Text("=" + (ONE * 15 / 100 + sum / 100 * 85)));
        }
    }

    @Override
    public int run(String[] arguments) throws Exception {
        Path graph = new Path(arguments[0]);
        Path work = new Path(arguments[1]);
        int iterations = Integer.parseInt(arguments[2]);
        FileSystem fs = work.getFileSystem(getConf());
        Path ranks = null;
        Map<String, Long> before = Map.of();
        for (int i = 1; i <= iterations; i++) {
            Path parts = new Path(work, "parts" + i);
            Path next = new Path(work, "ranks" + i);
            Job share = job("share " + i, Share.class, parts, graph);
            if (ranks != null) {
                FileInputFormat.addInputPath(share, ranks);
            }
            if (!share.waitForCompletion(false)
                    || !job("add " + i, Add.class, next, parts).waitForCompletion(false)) {
                return 1;
            }
            fs.delete(parts, true);
            if (ranks != null) {
                fs.delete(ranks, true);
            }
            ranks = next;
            Map<String, Long> now = read(fs, ranks);
            long change = 0;
            for (Map.Entry<String, Long> entry : now.entrySet()) {
                change += Math.abs(entry.getValue() - before.getOrDefault(entry.getKey(), 0L));
            }
            System.out.println("iteration " + i + ": " + now.size() + " nodes, change " + change / ONE);
            before = now;
        }
        try (FSDataOutputStream out = fs.create(new Path(work, "result"))) {
            for (Map.Entry<String, Long> entry : new TreeMap<>(before).entrySet()) {
                out.write((entry.getKey() + "\t" + entry.getValue() + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
        return 0;
    }

    private Job job(
            String name, Class<? extends Reducer<IntWritable, Text, IntWritable, Text>> reducer, Path out, Path in)
            throws IOException {
        Job job = Job.getInstance(getConf(), name);
        job.setJarByClass(PageRank.class);
        job.setMapperClass(Parse.class);
        job.setReducerClass(reducer);
        job.setOutputKeyClass(IntWritable.class);
        job.setOutputValueClass(Text.class);
        FileInputFormat.addInputPath(job, in);
        FileOutputFormat.setOutputPath(job, out);
        return job;
    }

    private static Map<String, Long> read(FileSystem fs, Path folder) throws IOException {
        Map<String, Long> result = new TreeMap<>();
        for (FileStatus file : fs.globStatus(new Path(folder, "part-*"))) {
            try (BufferedReader reader =
                    new BufferedReader(new InputStreamReader(fs.open(file.getPath()), StandardCharsets.UTF_8))) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    int tab = line.indexOf('\t');
                    result.put(line.substring(0, tab), Long.parseLong(line.substring(tab + 2)));
                }
            }
        }
        return result;
    }

    /** A graph in which some nodes have many more links than others. */
    static void generate(FileSystem fs, Path file, int nodes, int links, long seed) throws IOException {
        Random random = new Random(seed);
        try (FSDataOutputStream out = fs.create(file)) {
            StringBuilder line = new StringBuilder();
            for (int node = 0; node < nodes; node++) {
                line.setLength(0);
                line.append(node).append('\t');
                for (int link = 0; link < links; link++) {
                    double at = random.nextDouble();
                    line.append(link == 0 ? "" : " ").append((int) (at * at * nodes));
                }
                out.write(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    /** {@code generate FILE NODES LINKS}, or Hadoop's options and {@code GRAPH FOLDER ITERATIONS}. */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("generate")) {
            Path file = new Path(arguments[1]);
            Configuration conf = new Configuration();
            generate(file.getFileSystem(conf), file, Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]), 1);
            return;
        }
        System.exit(ToolRunner.run(new PageRank(), arguments));
    }
}

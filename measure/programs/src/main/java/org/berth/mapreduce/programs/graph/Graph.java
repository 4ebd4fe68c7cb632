package org.berth.mapreduce.programs.graph;

import java.io.IOException;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.berth.mapreduce.programs.shared.JobFailedException;
import org.berth.mapreduce.programs.shared.Steps;
import org.berth.mapreduce.programs.shared.UsageException;

/**
 * A graph as adjacency lists: sequence files of a node and its different neighbours, in the order of their bytes, with a space between
 * them. A node is in the file that Hadoop's hash partitioner gives it, and nodes of a file are in order. A job that writes a value for
 * each node with the same number of reduces therefore has the values in files that fit the graph's ({@link Column}), so that a round
 * of an iterative program shuffles no graph. Immutable.
 */
public final class Graph {
    private enum Count {
        NODES,
        SINKS,
        EDGES
    }

    private final Configuration conf;
    private final Path folder;
    private final Counters counters;

    private Graph(Configuration conf, Path folder, Counters counters) {
        this.conf = conf;
        this.folder = folder;
        this.counters = counters;
    }

    /**
     * Reads a text of lines {@code NODE NEIGHBOUR…} by a job. An edge list is such a text; a line may have a node alone; lines that
     * begin with # are comments.
     *
     * @param bothWays whether each edge leads back, too
     */
    public static Graph make(Configuration conf, Path in, Path folder, boolean bothWays)
            throws IOException, InterruptedException, ClassNotFoundException, JobFailedException {
        Job job = Steps.job(conf, "graph", Graph.class);
        job.getConfiguration().setBoolean(Edges.BOTH_WAYS, bothWays);
        job.setMapperClass(Edges.class);
        job.setReducerClass(Neighbours.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(Text.class);
        job.setOutputFormatClass(SequenceFileOutputFormat.class);
        FileInputFormat.addInputPath(job, in);
        FileOutputFormat.setOutputPath(job, folder);
        FileOutputFormat.setCompressOutput(job, false);
        Steps.run(job);
        Graph graph = new Graph(conf, folder, job.getCounters());
        if (graph.nodes() == 0) {
            throw new UsageException(in + " has no nodes: give lines of NODE NEIGHBOUR…");
        }
        System.out.println("graph: " + graph.nodes() + " nodes, " + graph.count(Count.EDGES) + " edges");
        return graph;
    }

    /** Number of nodes. */
    public long nodes() {
        return count(Count.NODES);
    }

    /** Number of nodes from which no edge leads away. */
    public long sinks() {
        return count(Count.SINKS);
    }

    private long count(Count count) {
        return counters.findCounter(count).getValue();
    }

    /** A job whose maps read nodes with their neighbours, and that writes a line for each node. */
    public Job round(String name, Path out) throws IOException {
        Job job = Steps.job(conf, name, Graph.class);
        job.setInputFormatClass(WholeFiles.class);
        job.setMapOutputKeyClass(Text.class);
        job.setOutputKeyClass(Text.class);
        FileInputFormat.addInputPath(job, folder);
        FileOutputFormat.setOutputPath(job, out);
        FileOutputFormat.setCompressOutput(job, false);
        return job;
    }

    /** Edges of a line; an empty name for each node, which may have no edge that leads away from it. */
    static final class Edges extends Mapper<Object, Text, Text, Text> {
        static final String BOTH_WAYS = "berth.programs.graph.both.ways";
        private static final Text NOTHING = new Text();

        private final Names names = new Names();
        private final Text node = new Text();
        private final Text neighbour = new Text();
        private boolean bothWays;

        @Override
        protected void setup(Mapper<Object, Text, Text, Text>.Context context) {
            bothWays = context.getConfiguration().getBoolean(BOTH_WAYS, false);
        }

        @Override
        protected void map(Object offset, Text line, Mapper<Object, Text, Text, Text>.Context context)
                throws IOException, InterruptedException {
            names.readLine(line);
            if (!names.next(node)) {
                return;
            }
            context.write(node, NOTHING);
            while (names.next(neighbour)) {
                context.write(node, neighbour);
                context.write(neighbour, bothWays ? node : NOTHING);
            }
        }
    }

    /** The list of a node, which has to fit into memory. */
    static final class Neighbours extends Reducer<Text, Text, Text, Text> {
        private static final byte[] SPACE = {' '};

        private final Text list = new Text();

        @Override
        protected void reduce(Text node, Iterable<Text> values, Reducer<Text, Text, Text, Text>.Context context)
                throws IOException, InterruptedException {
            TreeSet<Text> neighbours = new TreeSet<>();
            for (Text value : values) {
                if (value.getLength() > 0 && !neighbours.contains(value)) {
                    neighbours.add(new Text(value));
                }
            }
            list.clear();
            for (Text neighbour : neighbours) {
                if (list.getLength() > 0) {
                    list.append(SPACE, 0, 1);
                }
                list.append(neighbour.getBytes(), 0, neighbour.getLength());
            }
            context.getCounter(Count.NODES).increment(1);
            context.getCounter(Count.EDGES).increment(neighbours.size());
            context.getCounter(Count.SINKS).increment(neighbours.isEmpty() ? 1 : 0);
            context.write(node, list);
        }
    }
}

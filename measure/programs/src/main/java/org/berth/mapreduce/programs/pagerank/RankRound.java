package org.berth.mapreduce.programs.pagerank;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.berth.mapreduce.programs.graph.Column;
import org.berth.mapreduce.programs.graph.Names;

/** One iteration: each node gives its rank to its neighbours in equal shares. */
final class RankRound {
    static final String RANKS = "berth.programs.pagerank.ranks";
    static final String NODES = "berth.programs.pagerank.nodes";
    static final String DAMPING = "berth.programs.pagerank.damping";
    /** Rank of all nodes from which no edge leads away. */
    static final String OF_SINKS = "berth.programs.pagerank.of.sinks";

    /** Sums in units of {@link Mass}. */
    enum Sum {
        CHANGE,
        OF_SINKS
    }

    private RankRound() {}

    static final class Give extends Mapper<Text, Text, Text, Mass> {
        private final Names names = new Names();
        private final Text neighbour = new Text();
        private final Mass mass = new Mass();
        private Optional<Column> ranks = Optional.empty();
        private double first;

        @Override
        protected void setup(Mapper<Text, Text, Text, Mass>.Context context) throws IOException {
            ranks = Column.open(context, RANKS);
            first = 1.0 / context.getConfiguration().getLong(NODES, 1);
        }

        @Override
        protected void map(Text node, Text neighbours, Mapper<Text, Text, Text, Mass>.Context context)
                throws IOException, InterruptedException {
            double rank = ranks.isPresent()
                    ? Double.parseDouble(ranks.get().next(node).toString())
                    : first;
            int count = 0;
            names.read(neighbours);
            while (names.next(neighbour)) {
                count++;
            }
            mass.own(rank, count == 0);
            context.write(node, mass);
            mass.share(Mass.units(rank / count));
            names.read(neighbours);
            while (names.next(neighbour)) {
                context.write(neighbour, mass);
            }
        }

        @Override
        protected void cleanup(Mapper<Text, Text, Text, Mass>.Context context) throws IOException {
            if (ranks.isPresent()) {
                ranks.get().close();
            }
        }
    }

    static final class Combine extends Reducer<Text, Mass, Text, Mass> {
        private final Mass sum = new Mass();

        @Override
        protected void reduce(Text node, Iterable<Mass> values, Reducer<Text, Mass, Text, Mass>.Context context)
                throws IOException, InterruptedException {
            sum.clear();
            values.forEach(sum::add);
            context.write(node, sum);
        }
    }

    static final class Take extends Reducer<Text, Mass, Text, DoubleWritable> {
        private final Mass sum = new Mass();
        private final DoubleWritable rank = new DoubleWritable();
        private double damping;
        private double base;

        @Override
        protected void setup(Reducer<Text, Mass, Text, DoubleWritable>.Context context) {
            Configuration conf = context.getConfiguration();
            damping = conf.getDouble(DAMPING, 0);
            base = (1 - damping + damping * Mass.number(conf.getLong(OF_SINKS, 0))) / conf.getLong(NODES, 1);
        }

        @Override
        protected void reduce(
                Text node, Iterable<Mass> values, Reducer<Text, Mass, Text, DoubleWritable>.Context context)
                throws IOException, InterruptedException {
            sum.clear();
            values.forEach(sum::add);
            rank.set(base + damping * sum.shares());
            context.getCounter(Sum.CHANGE).increment(Mass.units(Math.abs(rank.get() - sum.rank())));
            if (sum.isSink()) {
                context.getCounter(Sum.OF_SINKS).increment(Mass.units(rank.get()));
            }
            context.write(node, rank);
        }
    }
}

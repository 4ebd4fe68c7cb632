package org.berth.mapreduce.programs.pagerank;

import java.io.IOException;
import java.util.Optional;
import org.apache.commons.cli.Options;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.berth.mapreduce.programs.graph.Column;
import org.berth.mapreduce.programs.graph.Graph;
import org.berth.mapreduce.programs.shared.CommandWords;
import org.berth.mapreduce.programs.shared.Program;
import org.berth.mapreduce.programs.shared.Steps;
import org.berth.mapreduce.programs.shared.WorkFolder;

/**
 * PageRank (Page, Brin, Motwani, Winograd 1999) by power iteration. The rank of nodes from which no edge leads away goes to all nodes in
 * equal parts. One job makes adjacency lists, then there is one job for each iteration. For one thread.
 */
public final class PageRank extends Program {
    /** Made by the main class. */
    public PageRank() {
        super(
                "pagerank",
                "IN OUT",
                "PageRank of a directed graph: lines of NODE NEIGHBOUR…, to lines of NODE TAB RANK.");
    }

    @Override
    protected Options options() {
        return new Options()
                .addOption(option("damping", "X", "probability of following an edge; default: 0.85"))
                .addOption(option("iterations", "N", "maximum of iterations; default: 5"))
                .addOption(option(
                        "bound", "X", "stop when all ranks together changed by at most X in an iteration; default: 0"))
                .addOption(WorkFolder.option());
    }

    @Override
    protected void execute(CommandWords words) throws Exception {
        double damping = words.real("damping", 0.85, 0, 1);
        int iterations = words.number("iterations", 5, 1, Integer.MAX_VALUE);
        double bound = words.real("bound", 0, 0, 2);
        Path in = words.input(0);
        Path out = words.output(1);
        try (WorkFolder work = WorkFolder.make(words, out, getConf())) {
            Graph graph = Graph.make(getConf(), in, work.path("graph"), false);
            long ofSinks = Mass.units((double) graph.sinks() / graph.nodes());
            Optional<Path> ranks = Optional.empty();
            double change;
            int i = 0;
            do {
                i++;
                Path next = work.path("ranks" + i);
                Job job = round(graph, "pagerank " + i, next, damping, ofSinks);
                ranks.ifPresent(before -> Column.set(job, RankRound.RANKS, before));
                Steps.run(job);
                Counters sums = job.getCounters();
                ofSinks = sums.findCounter(RankRound.Sum.OF_SINKS).getValue();
                change = Mass.number(sums.findCounter(RankRound.Sum.CHANGE).getValue());
                System.out.println("iteration " + i + ": change " + change);
                if (ranks.isPresent()) {
                    work.remove(ranks.get());
                }
                ranks = Optional.of(next);
            } while (i < iterations && change > bound);
            work.move(ranks.get(), out);
        }
    }

    private static Job round(Graph graph, String name, Path out, double damping, long ofSinks) throws IOException {
        Job job = graph.round(name, out);
        Configuration conf = job.getConfiguration();
        conf.setLong(RankRound.NODES, graph.nodes());
        conf.setDouble(RankRound.DAMPING, damping);
        conf.setLong(RankRound.OF_SINKS, ofSinks);
        job.setMapperClass(RankRound.Give.class);
        job.setCombinerClass(RankRound.Combine.class);
        job.setReducerClass(RankRound.Take.class);
        job.setMapOutputValueClass(Mass.class);
        job.setOutputValueClass(DoubleWritable.class);
        return job;
    }
}

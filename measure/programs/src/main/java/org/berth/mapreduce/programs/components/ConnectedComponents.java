package org.berth.mapreduce.programs.components;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.commons.cli.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.berth.mapreduce.programs.graph.Column;
import org.berth.mapreduce.programs.graph.Graph;
import org.berth.mapreduce.programs.shared.CommandWords;
import org.berth.mapreduce.programs.shared.Program;
import org.berth.mapreduce.programs.shared.Steps;
import org.berth.mapreduce.programs.shared.WorkFolder;

/**
 * Connected components by label propagation: the label of a component is the name of one of its nodes, the first in the order of bytes.
 * One job makes adjacency lists, then each job carries labels one edge further, until a counter says that none changed. For one thread.
 */
public final class ConnectedComponents extends Program {
    /** Made by the main class. */
    public ConnectedComponents() {
        super(
                "components",
                "IN OUT",
                "Connected components of an undirected graph: lines of NODE NEIGHBOUR…, to lines of NODE TAB LABEL.");
    }

    @Override
    protected Options options() {
        return new Options()
                .addOption(option(
                        "iterations", "N", "stop after N iterations although labels still change; default: no maximum"))
                .addOption(WorkFolder.option());
    }

    @Override
    protected void execute(CommandWords words) throws Exception {
        int iterations = words.number("iterations", Integer.MAX_VALUE, 1, Integer.MAX_VALUE);
        Path in = words.input(0);
        Path out = words.output(1);
        try (WorkFolder work = WorkFolder.make(words, out, getConf())) {
            Graph graph = Graph.make(getConf(), in, work.path("graph"), true);
            Deque<Path> labels = new ArrayDeque<>();
            long changed;
            int i = 0;
            do {
                i++;
                Path next = work.path("labels" + i);
                Job job = round(graph, "components " + i, next, labels);
                Steps.run(job);
                changed =
                        job.getCounters().findCounter(LabelRound.Count.CHANGED).getValue();
                System.out.println("iteration " + i + ": " + changed + " labels changed");
                labels.addFirst(next);
                if (labels.size() > 2) {
                    work.remove(labels.removeLast());
                }
            } while (i < iterations && changed > 0);
            work.move(labels.getFirst(), out);
        }
    }

    /** The newest labels are first, then those before them. */
    private static Job round(Graph graph, String name, Path out, Deque<Path> labels) throws IOException {
        Job job = graph.round(name, out);
        job.setMapperClass(LabelRound.Offer.class);
        job.setCombinerClass(LabelRound.Combine.class);
        job.setReducerClass(LabelRound.Take.class);
        job.setMapOutputValueClass(Label.class);
        job.setOutputValueClass(Text.class);
        if (!labels.isEmpty()) {
            Column.set(job, LabelRound.LABELS, labels.getFirst());
        }
        if (labels.size() > 1) {
            Column.set(job, LabelRound.BEFORE, labels.getLast());
        }
        return job;
    }
}

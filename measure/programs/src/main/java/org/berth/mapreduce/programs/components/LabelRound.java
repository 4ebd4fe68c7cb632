package org.berth.mapreduce.programs.components;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.berth.mapreduce.programs.graph.Column;
import org.berth.mapreduce.programs.graph.Names;

/** One round: each node whose label is new offers it to its neighbours, and takes the smallest that it is offered. */
final class LabelRound {
    static final String LABELS = "berth.programs.components.labels";
    /** Labels of the round before the last one. */
    static final String BEFORE = "berth.programs.components.before";

    enum Count {
        CHANGED
    }

    private LabelRound() {}

    static final class Offer extends Mapper<Text, Text, Text, Label> {
        private final Names names = new Names();
        private final Text neighbour = new Text();
        private final Label label = new Label();
        private Optional<Column> labels = Optional.empty();
        private Optional<Column> before = Optional.empty();

        @Override
        protected void setup(Mapper<Text, Text, Text, Label>.Context context) throws IOException {
            labels = Column.open(context, LABELS);
            before = Column.open(context, BEFORE);
        }

        @Override
        protected void map(Text node, Text neighbours, Mapper<Text, Text, Text, Label>.Context context)
                throws IOException, InterruptedException {
            Text present = labels.isPresent() ? labels.get().next(node) : node;
            boolean isNew = !labels.isPresent()
                    || !present.equals(before.isPresent() ? before.get().next(node) : node);
            label.set(present, true);
            context.write(node, label);
            if (isNew) {
                label.set(present, false);
                names.read(neighbours);
                while (names.next(neighbour)) {
                    context.write(neighbour, label);
                }
            }
        }

        @Override
        protected void cleanup(Mapper<Text, Text, Text, Label>.Context context) throws IOException {
            if (labels.isPresent()) {
                labels.get().close();
            }
            if (before.isPresent()) {
                before.get().close();
            }
        }
    }

    static final class Combine extends Reducer<Text, Label, Text, Label> {
        private final Offers offers = new Offers();
        private final Label label = new Label();

        @Override
        protected void reduce(Text node, Iterable<Label> values, Reducer<Text, Label, Text, Label>.Context context)
                throws IOException, InterruptedException {
            offers.read(values);
            if (offers.hasOwn()) {
                label.set(offers.own(), true);
                context.write(node, label);
            }
            if (offers.hasOffer()) {
                label.set(offers.smallest(), false);
                context.write(node, label);
            }
        }
    }

    static final class Take extends Reducer<Text, Label, Text, Text> {
        private final Offers offers = new Offers();

        @Override
        protected void reduce(Text node, Iterable<Label> values, Reducer<Text, Label, Text, Text>.Context context)
                throws IOException, InterruptedException {
            offers.read(values);
            if (!offers.hasOwn()) {
                throw new IOException("node '" + node + "' has no label");
            }
            if (offers.hasOffer() && offers.smallest().compareTo(offers.own()) < 0) {
                context.getCounter(Count.CHANGED).increment(1);
                context.write(node, offers.smallest());
            } else {
                context.write(node, offers.own());
            }
        }
    }
}

package org.berth.mapreduce.programs.components;

import org.apache.hadoop.io.Text;

/** The labels that come to a node: its own one, and the smallest of those that neighbours offer. */
final class Offers {
    private final Text own = new Text();
    private final Text smallest = new Text();
    private boolean hasOwn;
    private boolean hasOffer;

    void read(Iterable<Label> labels) {
        hasOwn = false;
        hasOffer = false;
        for (Label label : labels) {
            if (label.isOwn()) {
                hasOwn = true;
                own.set(label.name());
            } else if (!hasOffer || label.name().compareTo(smallest) < 0) {
                hasOffer = true;
                smallest.set(label.name());
            }
        }
    }

    boolean hasOwn() {
        return hasOwn;
    }

    Text own() {
        return own;
    }

    boolean hasOffer() {
        return hasOffer;
    }

    /** Only with an offer. */
    Text smallest() {
        return smallest;
    }
}

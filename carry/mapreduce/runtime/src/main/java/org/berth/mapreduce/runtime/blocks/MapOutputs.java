package org.berth.mapreduce.runtime.blocks;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outputs of all maps of a job, by the number of the map. Thread-safe. */
public final class MapOutputs {
    private final @Nullable MapOutput[] outputs;

    /** Makes room for this number of maps. */
    public MapOutputs(int maps) {
        outputs = new MapOutput[maps];
    }

    /** Takes the output of a map that has succeeded; it belongs to this object then. */
    public synchronized void put(int map, MapOutput output) {
        outputs[map] = output;
    }

    public synchronized List<Segment> segments(int partition) {
        List<Segment> result = new ArrayList<>();
        for (MapOutput output : outputs) {
            if (output != null) {
                result.addAll(output.segments(partition));
            }
        }
        return result;
    }

    /** Frees what a reduce that has succeeded no longer needs. */
    public synchronized void release(int partition) {
        for (MapOutput output : outputs) {
            if (output != null) {
                output.release(partition);
            }
        }
    }

    /** Frees all; safe to be called again. */
    public synchronized void release() {
        for (MapOutput output : outputs) {
            if (output != null) {
                output.release();
            }
        }
    }
}

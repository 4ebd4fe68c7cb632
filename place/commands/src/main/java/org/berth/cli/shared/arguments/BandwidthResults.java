package org.berth.cli.shared.arguments;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedMap;

/** Reads what {@code berth bench bandwidth} measured; the wing that measures provides it to {@link MeasuredWeights}. */
public interface BandwidthResults {
    /**
     * Returns the bandwidth of each memory node that has been measured.
     *
     * @param folder a folder of results, which has a {@code trials.jsonl}
     * @throws IOException if the results cannot be read
     */
    SortedMap<Integer, Double> byNode(Path folder) throws IOException;
}

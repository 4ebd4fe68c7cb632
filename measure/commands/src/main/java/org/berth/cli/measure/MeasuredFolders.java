package org.berth.cli.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedMap;
import org.berth.cli.shared.arguments.BandwidthResults;
import org.berth.experiments.run.MeasuredBandwidth;

/** Reads the bandwidth of memory nodes from folders of results. */
public final class MeasuredFolders implements BandwidthResults {
    @Override
    public SortedMap<Integer, Double> byNode(Path folder) throws IOException {
        return MeasuredBandwidth.byNode(folder);
    }
}

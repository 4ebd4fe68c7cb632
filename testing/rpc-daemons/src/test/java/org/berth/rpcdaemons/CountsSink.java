package org.berth.rpcdaemons;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.configuration2.SubsetConfiguration;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSink;
import org.apache.hadoop.metrics2.MetricsTag;

/**
 * Writes the counters of RPC of this process, as Hadoop's metrics have them, into a file of the folder that a system
 * property names: a line for each, with the port of a server.
 */
public final class CountsSink implements MetricsSink {
    /** The folder. */
    static final String FOLDER = "berth.test.counts";

    private final Map<String, Number> counts = new TreeMap<>();

    @Override
    public void init(SubsetConfiguration settings) {}

    @Override
    public synchronized void putMetrics(MetricsRecord record) {
        if (!record.context().equals("rpc") && !record.context().equals("rpcdetailed")) {
            return;
        }
        String port = "-";
        for (MetricsTag tag : record.tags()) {
            if (tag.name().equals("port")) {
                port = String.valueOf(tag.value());
            }
        }
        for (AbstractMetric metric : record.metrics()) {
            counts.put(record.name() + " " + port + " " + metric.name(), metric.value());
        }
    }

    @Override
    public synchronized void flush() {
        String folder = System.getProperty(FOLDER);
        if (folder == null || counts.isEmpty()) {
            return;
        }
        StringBuilder lines = new StringBuilder();
        counts.forEach(
                (name, value) -> lines.append(name).append(' ').append(value).append('\n'));
        try {
            Path file = Path.of(folder, ProcessHandle.current().pid() + ".counts");
            Path unfinished = Path.of(file + ".new");
            Files.writeString(unfinished, lines);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

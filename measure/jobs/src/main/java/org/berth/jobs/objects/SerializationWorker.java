package org.berth.jobs.objects;

import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.HdrHistogram.Histogram;
import org.berth.jobkit.JobException;
import org.berth.jobs.SplitMix;
import org.berth.jobs.Workers;

/** One thread of {@link Serialization}: every {@code threads}-th graph, from {@code thread} on. */
final class SerializationWorker implements Workers.Worker<SerializationWorker.Report> {
    /**
     * @param bytes serialised in all rounds
     * @param checksums of the last bytes of each graph, by the graph's number
     */
    record Report(Histogram serializeNanos, Histogram deserializeNanos, long bytes, Map<Integer, Long> checksums) {}

    private final int thread;
    private final int threads;
    private final int graphs;
    private final int entries;
    private final int rounds;
    private final long seed;
    private final TreeMap<Integer, List<Serializable>> own = new TreeMap<>();

    SerializationWorker(int thread, int threads, int graphs, int entries, int rounds, long seed) {
        this.thread = thread;
        this.threads = threads;
        this.graphs = graphs;
        this.entries = entries;
        this.rounds = rounds;
        this.seed = seed;
    }

    @Override
    public void prepare() {
        for (int graph = thread; graph < graphs; graph += threads) {
            own.put(graph, ObjectGraph.create(SplitMix.at(seed, graph), entries));
        }
    }

    /** Each round works on the copy that the round before has made, as a record that goes through several hands. */
    @Override
    public Report work() throws IOException {
        Histogram serialize = new Histogram(3);
        Histogram deserialize = new Histogram(3);
        TreeMap<Integer, byte[]> last = new TreeMap<>();
        long bytes = 0;
        for (int round = 0; round < rounds; round++) {
            for (Map.Entry<Integer, List<Serializable>> graph : own.entrySet()) {
                byte[] before = last.get(graph.getKey());
                long start = System.nanoTime();
                byte[] now = ObjectGraph.serialize(graph.getValue(), before == null ? 1 << 16 : before.length);
                long middle = System.nanoTime();
                graph.setValue(ObjectGraph.deserialize(now));
                serialize.recordValue(middle - start);
                deserialize.recordValue(System.nanoTime() - middle);
                last.put(graph.getKey(), now);
                bytes += now.length;
            }
        }
        TreeMap<Integer, Long> checksums = new TreeMap<>();
        for (Map.Entry<Integer, byte[]> graph : last.entrySet()) {
            check(graph.getKey());
            CRC32 crc = new CRC32();
            crc.update(graph.getValue());
            checksums.put(graph.getKey(), crc.getValue());
        }
        return new Report(serialize, deserialize, bytes, checksums);
    }

    private void check(int graph) {
        if (!ObjectGraph.create(SplitMix.at(seed, graph), entries).equals(own.get(graph))) {
            throw JobException.failure(
                    "graph " + graph + " changed after " + rounds + " round trips: the memory or the JVM is faulty");
        }
    }
}

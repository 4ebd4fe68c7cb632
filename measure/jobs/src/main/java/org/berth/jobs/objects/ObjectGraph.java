package org.berth.jobs.objects;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.berth.jobs.SplitMix;

/** A large list of maps, lists, strings and boxed numbers, as java.io serialises it: many small objects, all reached. */
final class ObjectGraph {
    /** One element of the list. */
    private record Entry(long id, String name, List<Double> samples, Map<String, Integer> counts)
            implements Serializable {}

    private static final int SAMPLES = 8;
    private static final int COUNTS = 4;

    private ObjectGraph() {}

    /** The same for the same seed and number of entries. */
    static List<Serializable> create(long seed, int entries) {
        List<Serializable> graph = new ArrayList<>(entries);
        for (int i = 0; i < entries; i++) {
            graph.add(entry(SplitMix.at(seed, i)));
        }
        return graph;
    }

    private static Entry entry(long seed) {
        List<Double> samples = new ArrayList<>(SAMPLES);
        for (int i = 0; i < SAMPLES; i++) {
            samples.add((double) SplitMix.at(seed, i));
        }
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < COUNTS; i++) {
            long number = SplitMix.at(~seed, i);
            counts.put("key-" + Long.toHexString(number >>> 40), (int) number);
        }
        return new Entry(seed, "entry-" + Long.toString(seed, 36), samples, counts);
    }

    static byte[] serialize(List<Serializable> graph, int sizeBytes) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(sizeBytes);
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(graph);
        }
        return bytes.toByteArray();
    }

    /** The bytes are this process's own; nothing from outside is read back. */
    @SuppressWarnings("unchecked")
    static List<Serializable> deserialize(byte[] bytes) throws IOException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return (List<Serializable>) in.readObject();
        } catch (ClassNotFoundException e) {
            throw new IOException("a class of the graph is missing: " + e.getMessage(), e);
        }
    }
}

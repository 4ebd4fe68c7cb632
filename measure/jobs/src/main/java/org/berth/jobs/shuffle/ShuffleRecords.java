package org.berth.jobs.shuffle;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import org.berth.jobkit.JobException;
import org.berth.jobs.SplitMix;
import scala.Tuple2;

/** Records to shuffle, by seed and number: a key of 8 bytes and a value of 92, as in the well-known sort benchmarks. */
final class ShuffleRecords {
    static final int VALUE_BYTES = 92;

    /** Key, value and their objects in the heap. */
    private static final int HEAP_BYTES = 200;

    private ShuffleRecords() {}

    /** Spark would drop what does not fit and make it again in every iteration: slow, and silent. */
    static void checkMemory(ShuffleOptions options) {
        double needed = (double) options.records() * HEAP_BYTES;
        double heap = Runtime.getRuntime().maxMemory();
        if (needed > heap / 3) {
            throw JobException.failure(String.format(
                    Locale.ROOT,
                    "the records take %.0f MB and should take at most a third of the Java heap (%.0f MB);"
                            + " use a smaller --scale or a larger -Xmx",
                    needed / 1e6,
                    heap / 1e6));
        }
    }

    /**
     * All records, in memory before anything is timed.
     *
     * @param keys how many different keys there are; 0 for as many as 64 bits hold
     */
    static JavaPairRDD<Long, byte[]> load(JavaSparkContext spark, ShuffleOptions options, long keys) {
        int slices = options.slices();
        long records = options.records();
        long seed = options.seed();
        JavaPairRDD<Long, byte[]> all = spark.parallelize(
                        IntStream.range(0, slices).boxed().toList(), slices)
                .flatMapToPair(slice -> slice(seed, records * slice / slices, records * (slice + 1) / slices, keys))
                .persist(StorageLevel.MEMORY_ONLY());
        all.count();
        return all;
    }

    private static Iterator<Tuple2<Long, byte[]>> slice(long seed, long from, long to, long keys) {
        return LongStream.range(from, to)
                .mapToObj(index -> new Tuple2<>(key(seed, index, keys), value(seed, index)))
                .iterator();
    }

    static long key(long seed, long index, long keys) {
        long random = SplitMix.at(seed, index);
        return keys == 0 ? random : Long.remainderUnsigned(random, keys);
    }

    /** Random, so that it does not shrink when Spark compresses what it shuffles. */
    static byte[] value(long seed, long index) {
        long own = SplitMix.at(~seed, index);
        ByteBuffer value = ByteBuffer.allocate(VALUE_BYTES);
        for (int i = 0; value.remaining() >= Long.BYTES; i++) {
            value.putLong(SplitMix.at(own, i));
        }
        return value.putInt((int) own).array();
    }

    /** One number for a record. */
    static long hash(long key, byte[] value) {
        ByteBuffer bytes = ByteBuffer.wrap(value);
        long hash = key;
        while (bytes.remaining() >= Long.BYTES) {
            hash = SplitMix.mix(hash ^ bytes.getLong());
        }
        return SplitMix.mix(hash ^ bytes.getInt());
    }
}

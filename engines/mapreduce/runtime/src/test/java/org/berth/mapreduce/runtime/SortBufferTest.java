package org.berth.mapreduce.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random records, sorted and merged, compared with java.util's stable sort of the same objects. */
class SortBufferTest {
    /** Kinds of keys; many are equal, begin alike, or are negative. */
    enum Kind {
        TEXT(Text.class),
        BYTES(BytesWritable.class),
        INT(IntWritable.class),
        LONG(LongWritable.class),
        DECREASING(LongWritable.class) {
            @Override
            RawComparator<?> comparator() {
                return new LongWritable.DecreasingComparator();
            }
        };

        private final Class<? extends WritableComparable<?>> type;

        @SuppressWarnings({"unchecked", "rawtypes"})
        Kind(Class<? extends WritableComparable> type) {
            this.type = (Class<? extends WritableComparable<?>>) type;
        }

        RawComparator<?> comparator() {
            return WritableComparator.get(type);
        }

        Writable key(Random random) {
            if (type == Text.class || type == BytesWritable.class) {
                byte[] bytes = new byte[random.nextInt(12)];
                for (int i = 0; i < bytes.length; i++) {
                    bytes[i] = (byte) (random.nextInt(8) == 0 ? random.nextInt(3) - 1 : 'a');
                }
                // Text's comparator is one of bytes, so they need be no letters.
                if (type == BytesWritable.class) {
                    return new BytesWritable(bytes);
                }
                Text text = new Text();
                text.set(bytes, 0, bytes.length);
                return text;
            }
            long number = random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(9) - 4;
            return type == IntWritable.class ? new IntWritable((int) number) : new LongWritable(number);
        }
    }

    private static final class Item {
        private final int partition;
        private final byte[] key;
        private final byte[] value;

        Item(int partition, byte[] key, byte[] value) {
            this.partition = partition;
            this.key = key;
            this.value = value;
        }

        static Item of(int partition, Writable key, byte[] value) throws IOException {
            DataOutputBuffer out = new DataOutputBuffer();
            key.write(out);
            return new Item(partition, java.util.Arrays.copyOf(out.getData(), out.getLength()), value);
        }

        String text() {
            return partition + ":" + java.util.HexFormat.of().formatHex(key) + "="
                    + java.util.HexFormat.of().formatHex(value);
        }
    }

    @ParameterizedTest
    @EnumSource
    void runsAreSortedAndMergedLikeByJava(Kind kind) throws IOException {
        for (int seed = 0; seed < 30; seed++) {
            Random random = new Random(seed);
            BufferPool pool = new BufferPool(1 << 20, 64 + random.nextInt(400), 1, 4096);
            int partitions = 1 + random.nextInt(4);
            List<Item> items = new ArrayList<>();
            MapOutput output = new MapOutput(partitions);
            RawComparator<?> comparator = kind.comparator();
            SortBuffer buffer = new SortBuffer(pool, comparator, partitions);
            int records = random.nextInt(1500);
            for (int i = 0; i < records; i++) {
                // Some values are larger than a page, a few than several.
                int size = random.nextInt(50) == 0 ? random.nextInt(3000) : random.nextInt(20);
                byte[] value = new byte[size];
                random.nextBytes(value);
                Item item = Item.of(random.nextInt(partitions), kind.key(random), value);
                items.add(item);
                DataOutputStream out = new DataOutputStream(buffer.output());
                buffer.output().begin();
                out.write(item.key);
                buffer.output().endOfKey();
                for (byte b : value) {
                    out.write(b);
                }
                assertThat(buffer.output().end()).isEqualTo(item.key.length + size);
                buffer.add(item.partition, item.key.length);
                if (buffer.isFull() || i == records - 1) {
                    writeRun(buffer, pool, output, partitions);
                }
            }
            List<String> expected = items.stream()
                    .sorted(Comparator.comparingInt((Item item) -> item.partition)
                            .thenComparing(
                                    (a, b) -> comparator.compare(a.key, 0, a.key.length, b.key, 0, b.key.length)))
                    .map(Item::text)
                    .toList();
            assertThat(read(output, comparator, partitions)).as("seed %d", seed).isEqualTo(expected);
            output.release();
            output.release();
            assertThat(pool.leasedBytes()).as("seed %d", seed).isZero();
        }
    }

    private static void writeRun(SortBuffer buffer, BufferPool pool, MapOutput output, int partitions)
            throws IOException {
        buffer.sort();
        BlockWriter writer = new BlockWriter(pool, null, output);
        for (int p = 0; p < partitions; p++) {
            writer.start();
            for (int i = buffer.from(p); i < buffer.to(p); i++) {
                byte[] data = buffer.data(i);
                int offset = buffer.offset(i);
                int keyStart = offset + Page.HEADER;
                int keyLength = Page.keyLength(data, offset);
                writer.append(data, keyStart, keyLength, keyStart + keyLength, Page.valueLength(data, offset));
            }
            writer.end(p);
        }
        writer.finish();
        buffer.clear();
    }

    private static List<String> read(MapOutput output, RawComparator<?> comparator, int partitions) throws IOException {
        List<String> result = new ArrayList<>();
        for (int p = 0; p < partitions; p++) {
            MergeIterator merge = MergeIterator.open(comparator, output.segments(p));
            while (merge.next()) {
                result.add(new Item(p, bytes(merge.getKey()), bytes(merge.getValue())).text());
            }
            assertThat(merge.next()).isFalse();
            merge.close();
        }
        return result;
    }

    private static byte[] bytes(DataInputBuffer buffer) {
        return java.util.Arrays.copyOfRange(buffer.getData(), buffer.getPosition(), buffer.getLength());
    }
}

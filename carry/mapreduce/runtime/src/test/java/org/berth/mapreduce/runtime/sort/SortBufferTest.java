package org.berth.mapreduce.runtime.sort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BooleanWritable;
import org.apache.hadoop.io.ByteWritable;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.io.FloatWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.ShortWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.VIntWritable;
import org.apache.hadoop.io.VLongWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableComparator;
import org.berth.mapreduce.runtime.blocks.BlockWriter;
import org.berth.mapreduce.runtime.blocks.MapOutput;
import org.berth.mapreduce.runtime.blocks.MergeIterator;
import org.berth.mapreduce.runtime.blocks.RecordStream;
import org.berth.mapreduce.runtime.blocks.SpillFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random records, sorted and merged, compared with java.util's stable sort of the same objects. */
@Tag("one-jdk")
class SortBufferTest {
    private static final int SEEDS = 4;

    @TempDir
    Path work;

    /** Kinds of keys; many are equal, empty, begin alike, are negative or longer than a page. */
    @SuppressWarnings("ImmutableEnumChecker") // Hadoop's comparators have no state that changes
    enum Kind {
        TEXT(new Text.Comparator()) {
            @Override
            Writable key(Random random) {
                Text text = new Text();
                byte[] bytes = letters(random);
                // Text's comparator is one of bytes, so they need be no letters.
                text.set(bytes, 0, bytes.length);
                return text;
            }
        },
        BYTES(new BytesWritable.Comparator()) {
            @Override
            Writable key(Random random) {
                return new BytesWritable(letters(random));
            }
        },
        INT(new IntWritable.Comparator()) {
            @Override
            Writable key(Random random) {
                return new IntWritable((int) number(random));
            }
        },
        LONG(new LongWritable.Comparator()) {
            @Override
            Writable key(Random random) {
                return new LongWritable(number(random));
            }
        },
        DECREASING(new LongWritable.DecreasingComparator()) {
            @Override
            Writable key(Random random) {
                return new LongWritable(number(random));
            }
        },
        VINT(WritableComparator.get(VIntWritable.class)) {
            @Override
            Writable key(Random random) {
                return new VIntWritable((int) number(random));
            }
        },
        VLONG(WritableComparator.get(VLongWritable.class)) {
            @Override
            Writable key(Random random) {
                return new VLongWritable(number(random));
            }
        },
        FLOAT(new FloatWritable.Comparator()) {
            @Override
            Writable key(Random random) {
                return new FloatWritable(Float.intBitsToFloat(odd(random)));
            }
        },
        DOUBLE(new DoubleWritable.Comparator()) {
            @Override
            Writable key(Random random) {
                return new DoubleWritable(Double.longBitsToDouble((long) odd(random) << 32));
            }
        },
        SHORT(new ShortWritable.Comparator()) {
            @Override
            Writable key(Random random) {
                return new ShortWritable((short) random.nextInt());
            }
        },
        BYTE(new ByteWritable.Comparator()) {
            @Override
            Writable key(Random random) {
                return new ByteWritable((byte) random.nextInt());
            }
        },
        BOOLEAN(new BooleanWritable.Comparator()) {
            @Override
            Writable key(Random random) {
                return new BooleanWritable(random.nextBoolean());
            }
        },
        NULL(new NullWritable.Comparator()) {
            @Override
            Writable key(Random random) {
                return NullWritable.get();
            }
        },
        /** Keys that differ in their bytes are equal here. */
        IGNORING_CASE(new IgnoringCase()) {
            @Override
            Writable key(Random random) {
                return new Text(
                        random.nextBoolean()
                                ? ""
                                : random.ints(random.nextInt(4), 0, 4)
                                        .collect(
                                                StringBuilder::new,
                                                (text, i) -> text.append("aAbB".charAt(i)),
                                                StringBuilder::append)
                                        .toString());
            }
        };

        private final RawComparator<?> comparator;

        Kind(RawComparator<?> comparator) {
            this.comparator = comparator;
        }

        abstract Writable key(Random random);

        private static byte[] letters(Random random) {
            byte[] bytes = new byte[random.nextInt(60) == 0 ? random.nextInt(2000) : random.nextInt(12)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (random.nextInt(8) == 0 ? random.nextInt(3) - 1 : 'a');
            }
            return bytes;
        }

        private static long number(Random random) {
            return random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(9) - 4;
        }

        /** Bits of a float or of the upper half of a double: zeros of both signs, infinities, no numbers. */
        private static int odd(Random random) {
            int[] odd = {0, 1 << 31, 0x7f800000, 0xff800000, 0x7fc00000, 0x7fc00001, 0xffc00000, 0x7ff00000, 0xfff80001
            };
            return random.nextBoolean() ? random.nextInt() : odd[random.nextInt(odd.length)];
        }
    }

    private static final class IgnoringCase extends WritableComparator {
        @Override
        public int compare(byte[] a, int aStart, int aLength, byte[] b, int bStart, int bLength) {
            for (int i = 0; i < Math.min(aLength, bLength); i++) {
                int order = Character.toLowerCase((char) a[aStart + i]) - Character.toLowerCase((char) b[bStart + i]);
                if (order != 0) {
                    return order;
                }
            }
            return aLength - bLength;
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
            return new Item(partition, Arrays.copyOf(out.getData(), out.getLength()), value);
        }

        String text() {
            HexFormat hex = HexFormat.of();
            return partition + ":" + hex.formatHex(key) + "=" + hex.formatHex(value);
        }
    }

    @ParameterizedTest
    @EnumSource
    void runsAreSortedAndMergedLikeByJava(Kind kind) throws IOException {
        long first = new Random().nextLong();
        for (long seed = first; seed < first + SEEDS; seed++) {
            try {
                check(kind, new Random(seed));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    private void check(Kind kind, Random random) throws IOException {
        // Some runs are in files, some begin in memory and continue in a file.
        BufferPool pool = new BufferPool(1 << (12 + random.nextInt(9)), 64 + random.nextInt(400), 1, 4096);
        int partitions = 1 + random.nextInt(4);
        // Keys of a small set come again and are chained; without one most keys are their own.
        List<Writable> known = new ArrayList<>();
        for (int i = random.nextInt(3) * random.nextInt(50); i > 0; i--) {
            known.add(kind.key(random));
        }
        List<Item> items = new ArrayList<>();
        MapOutput output = new MapOutput(partitions);
        SortBuffer buffer = new SortBuffer(pool, kind.comparator, partitions, Long.MAX_VALUE);
        DataOutputStream out = new RecordStream(buffer.output());
        int records = random.nextInt(1500) * (random.nextInt(8) == 0 ? 10 : 1);
        for (int i = 0; i < records; i++) {
            // Some values are larger than a page, a few than several.
            byte[] value = new byte[random.nextInt(50) == 0 ? random.nextInt(3000) : random.nextInt(20)];
            random.nextBytes(value);
            Writable key = known.isEmpty() ? kind.key(random) : known.get(random.nextInt(known.size()));
            Item item = Item.of(random.nextInt(partitions), key, value);
            items.add(item);
            buffer.begin();
            out.write(item.key);
            buffer.endOfKey(item.partition);
            for (byte b : value) {
                out.write(b);
            }
            assertThat(buffer.end()).isEqualTo(item.key.length + value.length);
            if (buffer.isFull() || i == records - 1) {
                writeRun(buffer, pool, output, partitions, i);
            }
        }
        RawComparator<?> comparator = kind.comparator;
        List<String> expected = items.stream()
                .sorted(Comparator.comparingInt((Item item) -> item.partition)
                        .thenComparing((a, b) -> comparator.compare(a.key, 0, a.key.length, b.key, 0, b.key.length)))
                .map(Item::text)
                .toList();
        assertThat(read(output, comparator, partitions)).isEqualTo(expected);
        output.release();
        output.release();
        assertThat(pool.leasedBytes()).isZero();
        try (var left = java.nio.file.Files.list(work)) {
            assertThat(left).isEmpty();
        }
    }

    /** The index stays from run to run; it must leave room for records. */
    @ParameterizedTest
    @ValueSource(ints = {64, 200, 512, 1024})
    void eachRunTakesAsManyRecordsAsTheFirst(int kilobytes) throws IOException {
        SortBuffer buffer = new SortBuffer(
                new BufferPool(8 << 20, 64 << 10, 1, (long) kilobytes << 10),
                new IntWritable.Comparator(),
                1,
                Long.MAX_VALUE);
        DataOutputStream out = new RecordStream(buffer.output());
        int first = 0;
        for (int run = 0; run < 5; run++) {
            int records = 0;
            do {
                buffer.begin();
                // Two of three keys are new: the buffer goes on to look for more of them.
                out.writeInt(records * 2 / 3);
                buffer.endOfKey(0);
                records++;
                buffer.end();
            } while (!buffer.isFull());
            first = run == 0 ? records : first;
            assertThat(records).isGreaterThan(1000).isGreaterThanOrEqualTo(first / 2);
            buffer.sort();
            buffer.clear();
        }
    }

    /** Jobs of one client share the pool; the index of one may be larger than all that another one wants. */
    @ParameterizedTest
    @ValueSource(ints = {128, 512, 2048})
    void aSmallBufferHasRoomBesideTheIndexOfALargeOne(int kilobytes) throws IOException {
        BufferPool pool = new BufferPool(64 << 20, 64 << 10, 1, 16 << 20);
        SortBuffer large = new SortBuffer(pool, new IntWritable.Comparator(), 1, Long.MAX_VALUE);
        fill(large, 1);
        large.close();
        SortBuffer small = new SortBuffer(pool, new IntWritable.Comparator(), 1, (long) kilobytes << 10);
        for (int run = 0; run < 5; run++) {
            assertThat(fill(small, 2)).isGreaterThan(1000);
            small.sort();
            small.clear();
        }
        small.close();
    }

    /** Adds records until the buffer is full. Each key comes a given number of times. Returns the number of records. */
    private static int fill(SortBuffer buffer, int times) throws IOException {
        DataOutputStream out = new RecordStream(buffer.output());
        int records = 0;
        do {
            buffer.begin();
            out.writeInt(records++ / times);
            buffer.endOfKey(0);
            buffer.end();
        } while (!buffer.isFull() && records < 120_000);
        return records;
    }

    private void writeRun(SortBuffer buffer, BufferPool pool, MapOutput output, int partitions, int number)
            throws IOException {
        Configuration conf = new Configuration(false);
        conf.set("fs.file.impl", "org.apache.hadoop.fs.LocalFileSystem");
        conf.set(SpillFile.DIRS, work.toString());
        buffer.sort();
        long bytes = buffer.bytes();
        BlockWriter writer = new BlockWriter(
                pool, pool.reserve(bytes / 2), () -> SpillFile.create(conf, null, "run-" + number, bytes), output);
        for (int p = 0; p < partitions; p++) {
            writer.start(p);
            SortedRecords sorted = new SortedRecords(buffer, buffer.from(p), buffer.to(p));
            byte[] former = null;
            while (sorted.next()) {
                byte[] key = bytes(sorted.getKey());
                if (former != null) {
                    boolean same = Arrays.equals(former, key);
                    RecordSource.Relation relation = sorted.relation();
                    assertThat(relation == RecordSource.Relation.IDENTICAL && !same)
                            .isFalse();
                    assertThat(relation == RecordSource.Relation.DIFFERENT && same)
                            .isFalse();
                }
                former = key;
                writer.append(
                        sorted.keyData(),
                        sorted.keyStart(),
                        sorted.keyLength(),
                        sorted.valueData(),
                        sorted.valueStart(),
                        sorted.valueLength());
            }
            writer.end();
        }
        writer.finish();
        buffer.clear();
        // One record at most is written before the thread goes on in a file; its page may be twice as large.
        assertThat(pool.leasedBytes()).isLessThan(pool.blockLimit() + 12_000);
    }

    private static List<String> read(MapOutput output, RawComparator<?> comparator, int partitions) throws IOException {
        List<String> result = new ArrayList<>();
        for (int p = 0; p < partitions; p++) {
            MergeIterator merge = MergeIterator.open(comparator, output.segments(p));
            byte[] former = null;
            while (merge.next()) {
                byte[] key = bytes(merge.getKey());
                if (former != null) {
                    int order = comparator.compare(former, 0, former.length, key, 0, key.length);
                    assertThat(merge.relation() == RecordSource.Relation.DIFFERENT && order == 0)
                            .isFalse();
                    assertThat(merge.relation() == RecordSource.Relation.EQUAL && order != 0)
                            .isFalse();
                }
                former = key;
                result.add(new Item(p, key, bytes(merge.getValue())).text());
            }
            assertThat(merge.next()).isFalse();
            merge.close();
        }
        return result;
    }

    private static byte[] bytes(DataInputBuffer buffer) {
        return Arrays.copyOfRange(buffer.getData(), buffer.getPosition(), buffer.getLength());
    }
}

package org.berth.mapreduce.runtime.sort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.io.BooleanWritable;
import org.apache.hadoop.io.ByteWritable;
import org.apache.hadoop.io.BytesWritable;
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
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.io.WritableUtils;

/**
 * Prefixes by the comparator that they agree with. They are looked up by the comparator's class, not by the key's, so
 * that a comparator of the user's own is always honoured. Thread-safe.
 */
public final class KeyPrefixes {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

    /** The prefixes for comparators that have none: every comparison is the comparator's. */
    static final KeyPrefix NONE = new KeyPrefix() {
        @Override
        public long of(byte[] bytes, int start, int length) {
            return 0;
        }

        @Override
        public boolean isDecisive(long prefix) {
            return false;
        }
    };

    private static final KeyPrefix VARIABLE_LENGTH = (Decisive) KeyPrefixes::ofVariableLength;

    private static final Map<String, KeyPrefix> BY_COMPARATOR = new ConcurrentHashMap<>(Map.ofEntries(
            Map.entry(Text.Comparator.class.getName(), new OfText()),
            Map.entry(BytesWritable.Comparator.class.getName(), new OfBytes()),
            Map.entry(IntWritable.Comparator.class.getName(), (Decisive)
                    (bytes, start, length) -> (int) INT.get(bytes, start)),
            Map.entry(LongWritable.Comparator.class.getName(), (Decisive)
                    (bytes, start, length) -> (long) LONG.get(bytes, start)),
            Map.entry(NullWritable.Comparator.class.getName(), (Decisive) (bytes, start, length) -> 0),
            Map.entry(FloatWritable.Comparator.class.getName(), (Decisive) KeyPrefixes::ofFloat),
            Map.entry(DoubleWritable.Comparator.class.getName(), (Decisive) KeyPrefixes::ofDouble),
            Map.entry(ShortWritable.Comparator.class.getName(), (Decisive)
                    (bytes, start, length) -> (short) SHORT.get(bytes, start)),
            Map.entry(ByteWritable.Comparator.class.getName(), (Decisive) (bytes, start, length) -> bytes[start]),
            Map.entry(BooleanWritable.Comparator.class.getName(), (Decisive)
                    (bytes, start, length) -> bytes[start] & 0xff)));

    private KeyPrefixes() {}

    /** Lets all later jobs of this JVM use a prefix with exactly this class of comparators. */
    public static void register(Class<? extends RawComparator<?>> comparator, KeyPrefix prefix) {
        BY_COMPARATOR.put(comparator.getName(), prefix);
    }

    public static KeyPrefix of(RawComparator<?> comparator) {
        // These two have no comparator of their own; the general one makes objects for each comparison.
        if (comparator.getClass() == WritableComparator.class) {
            Class<?> key = ((WritableComparator) comparator).getKeyClass();
            return key == VIntWritable.class || key == VLongWritable.class ? VARIABLE_LENGTH : NONE;
        }
        return BY_COMPARATOR.getOrDefault(comparator.getClass().getName(), NONE);
    }

    /**
     * Seven bytes, and in the eighth the length up to 8: keys of at most seven bytes with the same prefix are equal,
     * and a key is never after one that it begins.
     */
    private static long ofBytes(byte[] bytes, int start, int length) {
        long word = 0;
        if (start + 8 <= bytes.length) {
            word = (long) LONG.get(bytes, start);
            if (length < 8) {
                word = length == 0 ? 0 : word & (-1L << (64 - 8 * length));
            }
        } else {
            for (int i = 0; i < Math.min(length, 7); i++) {
                word |= (bytes[start + i] & 0xffL) << (56 - 8 * i);
            }
        }
        return ((word & ~0xffL) | Math.min(length, 8)) ^ Long.MIN_VALUE;
    }

    private static boolean isShort(long prefix) {
        return (prefix & 0xff) < 8;
    }

    private static final class OfText implements KeyPrefix {
        @Override
        public long of(byte[] bytes, int start, int length) {
            int size = WritableUtils.decodeVIntSize(bytes[start]);
            return ofBytes(bytes, start + size, length - size);
        }

        @Override
        public boolean isDecisive(long prefix) {
            return isShort(prefix);
        }
    }

    private static final class OfBytes implements KeyPrefix {
        @Override
        public long of(byte[] bytes, int start, int length) {
            return ofBytes(bytes, start + 4, length - 4);
        }

        @Override
        public boolean isDecisive(long prefix) {
            return isShort(prefix);
        }
    }

    /** A prefix that holds the whole key. */
    private interface Decisive extends KeyPrefix {
        @Override
        default boolean isDecisive(long prefix) {
            return true;
        }
    }

    private static long ofVariableLength(byte[] bytes, int start, int length) {
        try {
            return WritableComparator.readVLong(bytes, start);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** In the order of {@link Float#compare}: all that are not a number are one number, and -0 comes before 0. */
    private static long ofFloat(byte[] bytes, int start, int length) {
        int bits = Float.floatToIntBits(Float.intBitsToFloat((int) INT.get(bytes, start)));
        return bits ^ ((bits >> 31) & Integer.MAX_VALUE);
    }

    private static long ofDouble(byte[] bytes, int start, int length) {
        long bits = Double.doubleToLongBits(Double.longBitsToDouble((long) LONG.get(bytes, start)));
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }
}

package org.berth.mapreduce.programs.correction;

import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.mapreduce.Partitioner;
import org.berth.mapreduce.programs.shared.Hash;

/**
 * The key of a read in a stack: the window of bases, and a number made of the read's own. Keys in the order of their bytes bring the
 * reads of a stack in an order that depends neither on maps nor on their place in the input, so that the first of them are a sample.
 */
final class StackKey {
    static final int BYTES = 2 * Long.BYTES;

    private StackKey() {}

    static void set(BytesWritable key, long window, long id) {
        key.setSize(BYTES);
        byte[] bytes = key.getBytes();
        long order = Hash.mix(id, 0);
        for (int i = 0; i < Long.BYTES; i++) {
            int shift = (Long.BYTES - 1 - i) * Byte.SIZE;
            bytes[i] = (byte) (window >>> shift);
            bytes[Long.BYTES + i] = (byte) (order >>> shift);
        }
    }

    /** Sends all reads of a stack to one reduce. */
    static final class Stacks<V> extends Partitioner<BytesWritable, V> {
        /** For Hadoop. */
        Stacks() {}

        @Override
        public int getPartition(BytesWritable key, V value, int partitions) {
            return (WritableComparator.hashBytes(key.getBytes(), Long.BYTES) & Integer.MAX_VALUE) % partitions;
        }
    }

    /** Puts all reads of a stack into one group. */
    static final class Grouping extends WritableComparator {
        /** Bytes of the length that a BytesWritable is serialised with. */
        private static final int LENGTH_BYTES = 4;

        /** For Hadoop. */
        Grouping() {
            super(BytesWritable.class, true);
        }

        @Override
        public int compare(byte[] one, int start, int length, byte[] other, int otherStart, int otherLength) {
            return compareBytes(one, start + LENGTH_BYTES, Long.BYTES, other, otherStart + LENGTH_BYTES, Long.BYTES);
        }

        @Override
        @SuppressWarnings("rawtypes")
        public int compare(WritableComparable one, WritableComparable other) {
            return compareBytes(
                    ((BytesWritable) one).getBytes(), 0, Long.BYTES, ((BytesWritable) other).getBytes(), 0, Long.BYTES);
        }
    }
}

package org.berth.mapreduce.programs.duplicates;

import java.util.Arrays;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.mapreduce.Partitioner;
import org.berth.mapreduce.programs.reads.Fragment;
import org.berth.mapreduce.programs.reads.Read;

/**
 * The key of a fragment: the bases that begin it, its quality (the best first), and its number. Keys in the order of their bytes bring
 * all fragments of a cluster to the reduce with the best one first, whatever the order of the maps.
 */
final class ClusterKey {
    private static final int BITS_PER_BASE = 3;
    private static final int BITS_PER_BYTE = 8;
    private static final int QUALITY_BYTES = 2;
    /** Bytes behind the prefix. */
    static final int TAIL_BYTES = QUALITY_BYTES + Long.BYTES;

    /** Fixed point: 93, the highest quality of FASTQ, times this fits into two bytes. */
    private static final int QUALITY_UNIT = 256;

    private static final int UNKNOWN = 5;
    private static final byte[] CODES = new byte[1 << BITS_PER_BYTE];

    static {
        Arrays.fill(CODES, (byte) UNKNOWN);
        String letters = "ACGT";
        for (int i = 0; i < letters.length(); i++) {
            // 0 stands for the end of a short read.
            CODES[letters.charAt(i)] = (byte) (i + 1);
            CODES[Character.toLowerCase(letters.charAt(i))] = (byte) (i + 1);
        }
    }

    private ClusterKey() {}

    /** Sets the key of a fragment whose reads begin with so many bases of the cluster. */
    static void set(BytesWritable key, Fragment fragment, int prefix, long id) {
        int reads = fragment.paired() ? 2 : 1;
        int prefixBytes = (reads * prefix * BITS_PER_BASE + BITS_PER_BYTE - 1) / BITS_PER_BYTE;
        key.setSize(0);
        key.setSize(prefixBytes + TAIL_BYTES);
        byte[] bytes = key.getBytes();
        Arrays.fill(bytes, 0, prefixBytes, (byte) 0);
        codes(fragment.first(), prefix, 0, bytes);
        if (fragment.paired()) {
            codes(fragment.second(), prefix, prefix, bytes);
        }
        int worse = (1 << (QUALITY_BYTES * BITS_PER_BYTE)) - 1 - quality(fragment);
        bytes[prefixBytes] = (byte) (worse >>> BITS_PER_BYTE);
        bytes[prefixBytes + 1] = (byte) worse;
        for (int i = 0; i < Long.BYTES; i++) {
            bytes[prefixBytes + QUALITY_BYTES + i] = (byte) (id >>> ((Long.BYTES - 1 - i) * BITS_PER_BYTE));
        }
    }

    private static void codes(Read read, int prefix, int first, byte[] bytes) {
        byte[] bases = read.bases().getBytes();
        for (int i = 0; i < Math.min(prefix, read.length()); i++) {
            int bit = (first + i) * BITS_PER_BASE;
            int code = CODES[bases[i] & 0xFF] << (2 * BITS_PER_BYTE - BITS_PER_BASE - bit % BITS_PER_BYTE);
            bytes[bit / BITS_PER_BYTE] |= (byte) (code >>> BITS_PER_BYTE);
            if ((byte) code != 0) {
                bytes[bit / BITS_PER_BYTE + 1] |= (byte) code;
            }
        }
    }

    /** Mean quality of all bases, in 256ths, rounded down; 0 without qualities. */
    static int quality(Fragment fragment) {
        long sum = sum(fragment.first()) + (fragment.paired() ? sum(fragment.second()) : 0);
        long bases = (long) fragment.first().length()
                + (fragment.paired() ? fragment.second().length() : 0);
        return (int) (sum * QUALITY_UNIT / Math.max(1, bases));
    }

    private static long sum(Read read) {
        long sum = 0;
        for (int i = 0; i < read.length(); i++) {
            sum += read.quality(i);
        }
        return sum;
    }

    /** Sends all fragments of a cluster to one reduce. */
    static final class Clusters<V> extends Partitioner<BytesWritable, V> {
        /** For Hadoop. */
        Clusters() {}

        @Override
        public int getPartition(BytesWritable key, V value, int partitions) {
            int hash = WritableComparator.hashBytes(key.getBytes(), key.getLength() - TAIL_BYTES);
            return (hash & Integer.MAX_VALUE) % partitions;
        }
    }

    /** Puts all fragments of a cluster into one group. */
    static final class Grouping extends WritableComparator {
        /** Bytes of the length that a BytesWritable is serialised with. */
        private static final int LENGTH_BYTES = 4;

        /** For Hadoop. */
        Grouping() {
            super(BytesWritable.class, true);
        }

        @Override
        public int compare(byte[] one, int start, int length, byte[] other, int otherStart, int otherLength) {
            int head = LENGTH_BYTES + TAIL_BYTES;
            return compareBytes(
                    one, start + LENGTH_BYTES, length - head, other, otherStart + LENGTH_BYTES, otherLength - head);
        }

        @Override
        @SuppressWarnings("rawtypes")
        public int compare(org.apache.hadoop.io.WritableComparable one, org.apache.hadoop.io.WritableComparable other) {
            BytesWritable a = (BytesWritable) one;
            BytesWritable b = (BytesWritable) other;
            return compareBytes(
                    a.getBytes(), 0, a.getLength() - TAIL_BYTES, b.getBytes(), 0, b.getLength() - TAIL_BYTES);
        }
    }
}

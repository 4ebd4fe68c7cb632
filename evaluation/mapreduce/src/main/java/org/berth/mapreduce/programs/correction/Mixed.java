package org.berth.mapreduce.programs.correction;

/** Numbers in an order that looks random and is the same everywhere. */
final class Mixed {
    private Mixed() {}

    /** The last step of SplitMix64: different numbers stay different. */
    static long of(long value) {
        long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }
}

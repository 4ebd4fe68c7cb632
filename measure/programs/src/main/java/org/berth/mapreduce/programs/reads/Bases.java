package org.berth.mapreduce.programs.reads;

/** Letters of bases. */
final class Bases {
    /** A base that is not known. */
    static final byte UNKNOWN = 'N';

    private static final byte[] LETTERS = {'A', 'C', 'G', 'T'};

    private Bases() {}

    static byte complement(byte base) {
        return switch (base) {
            case 'A' -> 'T';
            case 'C' -> 'G';
            case 'G' -> 'C';
            case 'T' -> 'A';
            default -> UNKNOWN;
        };
    }

    static void reverseComplement(byte[] bases) {
        for (int i = 0, j = bases.length - 1; i <= j; i++, j--) {
            byte last = complement(bases[j]);
            bases[j] = complement(bases[i]);
            bases[i] = last;
        }
    }

    /** One of the three other bases. */
    static byte other(byte base, Draws draws) {
        byte other = LETTERS[(int) draws.below(LETTERS.length - 1)];
        return other == base ? LETTERS[LETTERS.length - 1] : other;
    }
}

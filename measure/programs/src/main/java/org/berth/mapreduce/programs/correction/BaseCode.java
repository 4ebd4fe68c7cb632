package org.berth.mapreduce.programs.correction;

import java.nio.charset.StandardCharsets;

/** Bases as numbers: A 0, C 1, G 2, T 3, so that a base and its complement add up to 3. */
final class BaseCode {
    static final int COUNT = 4;
    static final int UNKNOWN = 4;

    private static final byte[] LETTERS = "ACGT".getBytes(StandardCharsets.US_ASCII);

    private BaseCode() {}

    static int of(byte letter) {
        return switch (letter) {
            case 'A', 'a' -> 0;
            case 'C', 'c' -> 1;
            case 'G', 'g' -> 2;
            case 'T', 't' -> 3;
            default -> UNKNOWN;
        };
    }

    static byte letter(int code) {
        return LETTERS[code];
    }

    static int complement(int code) {
        return code == UNKNOWN ? UNKNOWN : COUNT - 1 - code;
    }
}

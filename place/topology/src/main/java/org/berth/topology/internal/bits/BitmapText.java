package org.berth.topology.internal.bits;

import java.util.HexFormat;
import org.berth.text.Words;

/** The two text forms of a bitmap: lists ("0-3,8", "4-") and hwloc's or taskset's hexadecimal masks. */
public final class BitmapText {
    private static final String INFINITE_PREFIX = "0xf...f";
    private static final HexFormat HEX = HexFormat.of();

    /** Names the text in the message of a failure: "CPU list". */
    private final String what;

    private final String text;

    private BitmapText(String what, String text) {
        this.what = what;
        this.text = text;
    }

    public static String list(Bitmap bits) {
        StringBuilder text = new StringBuilder();
        for (int from = bits.next(-1); from >= 0; ) {
            int end = bits.nextUnset(from);
            if (!text.isEmpty()) {
                text.append(',');
            }
            text.append(from);
            if (end < 0) {
                return text.append('-').toString();
            }
            if (end - 1 > from) {
                text.append('-').append(end - 1);
            }
            from = bits.next(end);
        }
        return text.toString();
    }

    public static String mask(Bitmap bits) {
        StringBuilder text = new StringBuilder(bits.isInfinite() ? INFINITE_PREFIX : "");
        int parts = bits.wordCount() * 2;
        if (!bits.isInfinite() && parts > 0 && part(bits, parts - 1) == 0) {
            parts--;
        }
        for (int i = parts - 1; i >= 0; i--) {
            if (!text.isEmpty()) {
                text.append(',');
            }
            int part = part(bits, i);
            if (part != 0) {
                text.append("0x").append(HEX.toHexDigits(part));
            } else if (i == 0) {
                text.append("0x0");
            }
        }
        return text.isEmpty() ? "0x0" : text.toString();
    }

    /** One number without commas; an infinite set has all digits of its words behind the prefix. */
    public static String taskset(Bitmap bits) {
        int words = bits.wordCount();
        if (words == 0) {
            return bits.isInfinite() ? INFINITE_PREFIX : "0x0";
        }
        StringBuilder text = new StringBuilder(bits.isInfinite() ? INFINITE_PREFIX : "0x");
        for (int i = words - 1; i >= 0; i--) {
            boolean first = i == words - 1 && !bits.isInfinite();
            text.append(first ? Long.toHexString(bits.word(i)) : HEX.toHexDigits(bits.word(i)));
        }
        return text.toString();
    }

    private static int part(Bitmap bits, int index) {
        return (int) (bits.word(index >> 1) >>> ((index & 1) << 5));
    }

    public static Bitmap parseList(String text, String what) {
        return new BitmapText(what, text).parseList();
    }

    /**
     * Parts of 32 bits between commas, highest first, each with or without 0x; a missing part is 0; without any comma
     * the mask may have any number of digits.
     */
    public static Bitmap parseMask(String text, String what) {
        return new BitmapText(what, text).parseMask();
    }

    private Bitmap parseList() {
        String list = text.strip();
        BitmapBuilder bits = new BitmapBuilder();
        int infiniteFrom = -1;
        int start = 0;
        while (!list.isEmpty() && start <= list.length()) {
            int comma = list.indexOf(',', start);
            int end = comma < 0 ? list.length() : comma;
            String range = list.substring(start, end).strip();
            start = end + 1;
            int dash = range.indexOf('-');
            int from = index(dash < 0 ? range : range.substring(0, dash));
            String upTo = dash < 0 ? range : range.substring(dash + 1);
            if (upTo.isEmpty()) {
                infiniteFrom = infiniteFrom < 0 ? from : Math.min(infiniteFrom, from);
                continue;
            }
            int to = index(upTo);
            if (to < from) {
                throw fault("range " + range + " runs backwards");
            }
            bits.add(from, to);
        }
        return infiniteFrom < 0 ? bits.build() : bits.buildInfinite(infiniteFrom);
    }

    private int index(String digits) {
        long value = 0;
        for (int i = 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            if (c < '0' || c > '9') {
                throw noRange(digits);
            }
            value = Math.min(value * 10 + (c - '0'), Integer.MAX_VALUE);
        }
        if (digits.isEmpty()) {
            throw noRange(digits);
        }
        if (value > Bitmap.MAX_INDEX) {
            throw fault(Words.quote(digits) + " is above the limit of " + Bitmap.MAX_INDEX);
        }
        return (int) value;
    }

    private IllegalArgumentException noRange(String found) {
        return fault("expected numbers and ranges such as 0-3,8 but found \"" + Words.quote(found) + "\"");
    }

    private Bitmap parseMask() {
        String mask = text.strip();
        boolean infinite = mask.startsWith(INFINITE_PREFIX);
        int start = 0;
        if (infinite) {
            if (mask.length() == INFINITE_PREFIX.length()) {
                return Bitmap.FULL;
            }
            if (mask.charAt(INFINITE_PREFIX.length()) != ',') {
                return infiniteTaskset(mask);
            }
            start = INFINITE_PREFIX.length() + 1;
        }
        if (start == mask.length()) {
            throw fault("expected a mask such as 0x0000000f");
        }
        int parts = 1;
        for (int i = start; i < mask.length(); i++) {
            parts += mask.charAt(i) == ',' ? 1 : 0;
        }
        if (parts > (Bitmap.MAX_INDEX + 1) / 32) {
            throw tooLong();
        }
        if (parts > 1 || infinite) {
            return Bitmap.of(partedMask(mask, start, parts, infinite), infinite);
        }
        int digits = skipPrefix(mask, 0, mask.length());
        if (mask.length() - digits > (Bitmap.MAX_INDEX + 1) / 4) {
            throw tooLong();
        }
        return Bitmap.of(longMask(mask, digits), false);
    }

    /** The digits behind the prefix are the lowest bits; all above them are members. */
    private Bitmap infiniteTaskset(String mask) {
        if (mask.length() - INFINITE_PREFIX.length() > (Bitmap.MAX_INDEX + 1) / 4) {
            throw tooLong();
        }
        long[] words = longMask(mask, INFINITE_PREFIX.length());
        int bits = (mask.length() - INFINITE_PREFIX.length()) * 4;
        if (bits % 64 != 0) {
            words[words.length - 1] |= -1L << bits;
        }
        return Bitmap.of(words, true);
    }

    private long[] partedMask(String mask, int from, int parts, boolean infinite) {
        long[] words = new long[(parts + 1) / 2];
        if (infinite && parts % 2 == 1) {
            words[words.length - 1] = -1L << 32;
        }
        int start = from;
        for (int position = parts - 1; position >= 0; position--) {
            int comma = mask.indexOf(',', start);
            int end = comma < 0 ? mask.length() : comma;
            if (end > start) {
                int digits = skipPrefix(mask, start, end);
                if (end - digits > 8) {
                    throw fault("more than 32 bits between two commas");
                }
                words[position >> 1] |= hex(mask, digits, end) << ((position & 1) << 5);
            }
            start = end + 1;
        }
        return words;
    }

    private long[] longMask(String mask, int start) {
        long[] words = new long[(mask.length() - start + 15) / 16];
        int end = mask.length();
        for (int i = 0; i < words.length; i++) {
            words[i] = hex(mask, Math.max(start, end - 16), end);
            end -= 16;
        }
        return words;
    }

    private int skipPrefix(String mask, int start, int end) {
        int digits = mask.startsWith("0x", start) || mask.startsWith("0X", start) ? start + 2 : start;
        if (digits >= end) {
            throw fault("no digits in \"" + Words.quote(mask.substring(start, end)) + "\"");
        }
        return digits;
    }

    private long hex(String mask, int start, int end) {
        long value = 0;
        for (int i = start; i < end; i++) {
            char c = mask.charAt(i);
            if (!HexFormat.isHexDigit(c)) {
                throw fault(
                        "expected hexadecimal digits but found \"" + Words.quote(mask.substring(start, end)) + "\"");
            }
            value = value << 4 | HexFormat.fromHexDigit(c);
        }
        return value;
    }

    private IllegalArgumentException tooLong() {
        return fault("longer than the limit of " + (Bitmap.MAX_INDEX + 1) + " bits");
    }

    private IllegalArgumentException fault(String message) {
        return new IllegalArgumentException(what + " \"" + Words.quote(text) + "\": " + message);
    }

    /** A set in a message: long lists are cut. */
    public static String brief(Object set) {
        return Words.quote(set.toString());
    }
}

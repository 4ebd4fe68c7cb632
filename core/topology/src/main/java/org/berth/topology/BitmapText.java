package org.berth.topology;

/** The two text forms of a bitmap: lists ("0-3,8", "4-") and hwloc's or taskset's hexadecimal masks. */
final class BitmapText {
    private static final String INFINITE_PREFIX = "0xf...f";

    private BitmapText() {}

    static String list(Bitmap bits) {
        StringBuilder text = new StringBuilder();
        for (int from = bits.next(-1); from >= 0; ) {
            int end = firstUnset(bits, from);
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

    /** Smallest index from {@code from} on that is no member, or -1 when all are. */
    private static int firstUnset(Bitmap bits, int from) {
        int index = from;
        int stored = bits.wordCount() << 6;
        while (index < stored && bits.contains(index)) {
            index++;
        }
        return index >= stored && bits.isInfinite() ? -1 : index;
    }

    /** @param what names the list in the message of a failure, such as "CPU list" */
    static Bitmap parseList(String text, String what) {
        String list = text.strip();
        if (list.isEmpty()) {
            return Bitmap.EMPTY;
        }
        String fault = what + " \"" + shorten(text) + "\": ";
        BitmapBuilder bits = new BitmapBuilder();
        int infiniteFrom = -1;
        for (String part : list.split(",", -1)) {
            String range = part.strip();
            int dash = range.indexOf('-');
            int from = index(dash < 0 ? range : range.substring(0, dash), fault);
            String end = dash < 0 ? range : range.substring(dash + 1);
            if (end.isEmpty()) {
                infiniteFrom = infiniteFrom < 0 ? from : Math.min(infiniteFrom, from);
                continue;
            }
            int to = index(end, fault);
            if (to < from) {
                throw new IllegalArgumentException(fault + "range " + range + " runs backwards");
            }
            bits.add(from, to);
        }
        return infiniteFrom < 0 ? bits.build() : bits.buildInfinite(infiniteFrom);
    }

    private static int index(String digits, String fault) {
        if (digits.isEmpty() || digits.length() > 10 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new IllegalArgumentException(
                    fault + "expected numbers and ranges such as 0-3,8 but found \"" + shorten(digits) + "\"");
        }
        long value = Long.parseLong(digits);
        if (value > Bitmap.MAX_INDEX) {
            throw new IllegalArgumentException(fault + value + " is above the limit of " + Bitmap.MAX_INDEX);
        }
        return (int) value;
    }

    static String mask(Bitmap bits) {
        StringBuilder text = new StringBuilder(bits.isInfinite() ? INFINITE_PREFIX : "");
        int start = text.length();
        int parts = bits.wordCount() * 2;
        if (!bits.isInfinite() && parts > 0 && part(bits, parts - 1) == 0) {
            parts--;
        }
        for (int i = parts - 1; i >= 0; i--) {
            long part = part(bits, i);
            if (text.length() > start || start > 0) {
                text.append(',');
            }
            if (part != 0) {
                text.append(String.format("0x%08x", part));
            } else if (i == 0) {
                text.append("0x0");
            }
        }
        return text.isEmpty() ? "0x0" : text.toString();
    }

    private static long part(Bitmap bits, int index) {
        return bits.word(index >> 1) >>> ((index & 1) << 5) & 0xffffffffL;
    }

    /**
     * Parts of 32 bits between commas, highest first, each with or without 0x; a missing part is 0; without any comma
     * the mask may have any number of digits.
     */
    static Bitmap parseMask(String text, String what) {
        String mask = text.strip();
        String fault = what + " \"" + shorten(text) + "\": ";
        boolean infinite = mask.startsWith(INFINITE_PREFIX);
        if (infinite) {
            mask = mask.substring(INFINITE_PREFIX.length());
            if (mask.isEmpty()) {
                return Bitmap.FULL;
            }
            if (mask.charAt(0) != ',') {
                throw new IllegalArgumentException(fault + "expected a comma behind " + INFINITE_PREFIX);
            }
            mask = mask.substring(1);
        }
        if (mask.isEmpty()) {
            throw new IllegalArgumentException(fault + "expected a mask such as 0x0000000f");
        }
        String[] parts = mask.split(",", -1);
        if ((long) parts.length * 32 > Bitmap.MAX_INDEX || mask.length() > Bitmap.MAX_INDEX) {
            throw new IllegalArgumentException(fault + "longer than the limit of " + Bitmap.MAX_INDEX + " bits");
        }
        if (parts.length == 1 && !infinite) {
            return Bitmap.of(longMask(digits(mask, fault), fault), false);
        }
        long[] words = new long[(parts.length + 1) / 2];
        if (infinite) {
            words[words.length - 1] = -1L << 32;
        }
        for (int i = 0; i < parts.length; i++) {
            String digits = parts[i].isEmpty() ? "0" : digits(parts[i], fault);
            if (digits.length() > 8) {
                throw new IllegalArgumentException(fault + "more than 32 bits between two commas");
            }
            int position = parts.length - 1 - i;
            long part = parse(digits, fault);
            int shift = (position & 1) << 5;
            words[position >> 1] = (words[position >> 1] & ~(0xffffffffL << shift)) | (part << shift);
        }
        return Bitmap.of(words, infinite);
    }

    private static long[] longMask(String digits, String fault) {
        long[] words = new long[(digits.length() + 15) / 16];
        int end = digits.length();
        for (int i = 0; i < words.length; i++) {
            words[i] = parse(digits.substring(Math.max(0, end - 16), end), fault);
            end -= 16;
        }
        return words;
    }

    private static String digits(String part, String fault) {
        String digits = part.startsWith("0x") || part.startsWith("0X") ? part.substring(2) : part;
        if (digits.isEmpty()) {
            throw new IllegalArgumentException(fault + "no digits in \"" + shorten(part) + "\"");
        }
        return digits;
    }

    private static long parse(String digits, String fault) {
        for (int i = 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            if (c > 'f' || Character.digit(c, 16) < 0) {
                throw new IllegalArgumentException(
                        fault + "expected hexadecimal digits but found \"" + shorten(digits) + "\"");
            }
        }
        return Long.parseUnsignedLong(digits, 16);
    }

    /** Keeps messages to one readable line, whatever the input. */
    static String shorten(String text) {
        return oneLine(text, 60);
    }

    static String oneLine(String text, int limit) {
        String line = text.codePoints()
                .limit(limit + 1L)
                .map(c -> Character.isISOControl(c) ? ' ' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return line.length() > limit ? line.substring(0, limit - 3) + "..." : line;
    }
}

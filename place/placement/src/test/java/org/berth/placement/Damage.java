package org.berth.placement;

import java.util.SplittableRandom;

/** Breaks texts in the ways that editors, disks and networks do. */
final class Damage {
    private static final String ALPHABET = "09-,= \n\r\t#slotaruleä\0\ud800*?\u2028";

    private Damage() {}

    /** One to three random changes. */
    static String some(String text, SplittableRandom random) {
        String result = text;
        for (int i = random.nextInt(3); i >= 0; i--) {
            result = one(result, random);
        }
        return result;
    }

    private static String one(String text, SplittableRandom random) {
        if (text.isEmpty()) {
            return text;
        }
        int at = random.nextInt(text.length());
        int to = Math.min(text.length(), at + 1 + random.nextInt(12));
        String character = String.valueOf(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        return switch (random.nextInt(6)) {
            case 0 -> text.substring(0, at) + character + text.substring(at + 1);
            case 1 -> text.substring(0, at) + character + text.substring(at);
            case 2 -> text.substring(0, at) + text.substring(to);
            case 3 -> text.substring(0, to) + text.substring(at);
            case 4 -> text.substring(0, at);
            default -> swapLines(text, random);
        };
    }

    private static String swapLines(String text, SplittableRandom random) {
        String[] lines = text.split("\n", -1);
        int one = random.nextInt(lines.length);
        int other = random.nextInt(lines.length);
        String kept = lines[one];
        lines[one] = lines[other];
        lines[other] = kept;
        return String.join("\n", lines);
    }
}

package org.berth.text;

/** Numbers of bytes as people read them. Pure. */
public final class Bytes {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

    private Bytes() {}

    /** At most four significant digits: 64 GiB, 4.59 GiB, 1.25 MiB. */
    public static String text(long bytes) {
        int unit = 0;
        double value = bytes;
        // 1023.9 MiB would round to 1024 MiB, which is 1 GiB.
        while (Math.round(value) >= 1024 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
        long scaled = Math.round(value * (decimals == 2 ? 100 : decimals == 1 ? 10 : 1));
        while (decimals > 0 && scaled % 10 == 0) {
            scaled /= 10;
            decimals--;
        }
        // String.format would take longer than all the rest of a picture, at the start of a JVM.
        String digits = Long.toString(scaled);
        if (decimals > 0) {
            int point = digits.length() - decimals;
            digits = digits.substring(0, point) + "." + digits.substring(point);
        }
        return digits + " " + UNITS[unit];
    }
}
